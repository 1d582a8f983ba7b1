"""The rows of a claimed range, with stand-ins for events that changed while they waited (rules/safety#damaged-events).

A stand-in is never sent and becomes the event's dead letter. So lines and events match even if bytes changed.
"""

import base64
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.ingest.drain.frame import map_frames
from tallyroom.ingest.drain.omission_filter import OmissionFilter
from tallyroom.ingest.drain.pieces import BodyPiece, ProvenChunk
from tallyroom.ingest.drain.rows import Rows, join_rows
from tallyroom.ingest.drain.spool_line import read_line
from tallyroom.storage.spool.omissions import OmissionSpan
from tallyroom.storage.spool.row import UNMAPPED_MONTH, month_of

_SCOPE_PATTERN = re.compile(rb'\["([0-9a-f-]{36})","([^"\\]*)",')
_FRAME_SCOPE_PATTERN = re.compile(rb'\["[a-z]+","([0-9a-f-]{36})","([^"\\]*)",')
_UNKNOWN_COLUMNS = ("", "", None, None, 0, 0, "", "", "", "")
"""The columns, up to the properties, of an event of which nothing is known."""

_encoder = msgspec.json.Encoder()


class RangeRows(NamedTuple):
    """The rows of a range to send, by month, and the number of events left out, by erasure ID."""

    rows_by_month: Mapping[int, Rows]
    omitted_count_by_erasure_id: Mapping[str, int]


def build_range_rows(
    chunks: Iterable[ProvenChunk], spool_id: int, omission_spans: Sequence[OmissionSpan] = ()
) -> RangeRows:
    """Return the same rows each time, by month; within a month, mapped rows come after the others."""
    parts_by_month: defaultdict[int, list[Rows]] = defaultdict(list)
    frame_pieces: list[tuple[int, BodyPiece]] = []
    omission_filter = OmissionFilter(omission_spans)
    for chunk, pieces in chunks:
        if chunk.month == UNMAPPED_MONTH:
            frame_pieces += [(chunk.id, piece) for piece in pieces]
        else:
            parts_by_month[chunk.month] += [
                omission_filter.filter_rows(chunk.id, _build_rows(piece, spool_id)) for piece in pieces
            ]
    for chunk_id, piece in frame_pieces:
        for month, rows in _map_frame_piece(piece, spool_id):
            parts_by_month[month].append(omission_filter.filter_rows(chunk_id, rows))
    rows_by_month = {month: join_rows(parts) for month, parts in parts_by_month.items()}
    return RangeRows(
        {month: rows for month, rows in rows_by_month.items() if rows.event_count},
        omission_filter.omitted_count_by_erasure_id,
    )


def _build_rows(piece: BodyPiece, spool_id: int) -> Rows:
    return (
        _build_stand_ins(piece, _find_known_columns(piece, spool_id))
        if piece.is_damaged
        else Rows(piece.event_count, piece.current_bytes)
    )


def _find_known_columns(piece: BodyPiece, spool_id: int) -> Sequence[Any]:
    if piece.event_count == 1 and (line := read_line(piece.original_bytes)) is not None:
        return [str(line[0]), *line[1:4], spool_id, *line[5:10]]
    return _build_scope_columns(_SCOPE_PATTERN.match(piece.current_bytes), spool_id)


def _build_scope_columns(scope_match: re.Match[bytes] | None, spool_id: int) -> Sequence[Any]:
    scope_texts = (text.decode(errors="replace") for text in scope_match.groups()) if scope_match else ("", "")
    return [*scope_texts, *_UNKNOWN_COLUMNS[2:4], spool_id, *_UNKNOWN_COLUMNS[5:]]


def _build_stand_ins(piece: BodyPiece, columns: Sequence[Any]) -> Rows:
    """Return a line for each event of a damaged piece, shaped as an event; the first has the remaining bytes."""
    try:
        damaged_properties = {"text": piece.current_bytes.decode()}
    except UnicodeDecodeError:
        damaged_properties = {"base64": base64.b64encode(piece.current_bytes).decode()}
    lines = [[*columns, damaged_properties if index == 0 else {}, ""] for index in range(piece.event_count)]
    return Rows(piece.event_count, _encoder.encode_lines(lines), tuple(range(piece.event_count)))


def _map_frame_piece(piece: BodyPiece, spool_id: int) -> Iterator[tuple[int, Rows]]:
    lines_by_month = None if piece.is_damaged else map_frames(piece.current_bytes, spool_id)
    if lines_by_month is None or sum(event_count for event_count, _ in lines_by_month.values()) != piece.event_count:
        yield (
            month_of(0),
            _build_stand_ins(piece, _build_scope_columns(_FRAME_SCOPE_PATTERN.match(piece.original_bytes), spool_id)),
        )
    else:
        for month, (event_count, body) in lines_by_month.items():
            yield month, Rows(event_count, body)
