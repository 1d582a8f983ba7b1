"""The rows of a claimed range, with stand-ins for events that changed while they waited (rules/safety#damaged-events).

A stand-in is never sent and becomes the event's dead letter. So lines and events match even if bytes changed.
"""

import base64
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.ingest.drain.frame import map_frames
from tallyroom.ingest.drain.pieces import BodyPiece, ProvenChunk, SpoolLine, read_line
from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.omissions import OmissionSpan
from tallyroom.storage.spool.row import UNMAPPED_MONTH, mark_earlier_lines, month_of, split_lines

_SCOPE_PATTERN = re.compile(rb'\["([0-9a-f-]{36})","([^"\\]*)",')
_FRAME_SCOPE_PATTERN = re.compile(rb'\["[a-z]+","([0-9a-f-]{36})","([^"\\]*)",')

_encoder = msgspec.json.Encoder()


class Rows(NamedTuple):
    """Lines of one month, and the indexes of the stand-ins among them."""

    event_count: int
    body: bytes
    stand_in_indexes: tuple[int, ...] = ()


class RangeRows(NamedTuple):
    """The rows of a range to send, by month, and the number of events left out, by erasure ID."""

    rows_by_month: Mapping[int, Rows]
    omitted_count_by_erasure_id: Mapping[str, int]


class OmissionFilter:
    """Removes events from rows, and counts them by erasure ID."""

    def __init__(self, spans: Sequence[OmissionSpan]) -> None:
        self._spans = spans
        self.omitted_count_by_erasure_id: Counter[str] = Counter()

    def filter_rows(self, chunk_id: int, rows: Rows) -> Rows:
        """Return the rows of a chunk without the erased ones; stand-ins stay, to be put aside."""
        omissions = [span.omission for span in self._spans if span.concerns(chunk_id)]
        if not omissions:
            return rows
        lines: list[bytes] = []
        stand_in_indexes: list[int] = []
        for index, line in enumerate(split_lines(rows.body)):
            if index in rows.stand_in_indexes:
                stand_in_indexes.append(len(lines))
            elif (omission := _find_omission(omissions, line)) is not None:
                self.omitted_count_by_erasure_id[omission.erasure_id] += 1
                continue
            lines.append(line)
        return Rows(len(lines), b"".join(lines), tuple(stand_in_indexes))


def _find_omission(omissions: Sequence[Omission], line: bytes) -> Omission | None:
    row = read_line(line)
    return None if row is None else next((omission for omission in omissions if _covers(omission, row)), None)


def _covers(omission: Omission, row: SpoolLine) -> bool:
    time_ms, actor = row[2], row[7]
    is_in_scope = (omission.workspace_id, omission.environment) == (str(row[0]), row[1])
    is_in_time = omission.before_ms is None or time_ms < omission.before_ms
    return is_in_scope and is_in_time and omission.actor in (None, actor)


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
            rows_of_pieces = (_build_rows(piece, spool_id) for piece in pieces)
            parts_by_month[chunk.month] += [omission_filter.filter_rows(chunk.id, rows) for rows in rows_of_pieces]
    for chunk_id, piece in frame_pieces:
        for month, rows in _map_frame_piece(piece, spool_id):
            parts_by_month[month].append(omission_filter.filter_rows(chunk_id, rows))
    rows_by_month = {month: _join_rows(parts) for month, parts in parts_by_month.items()}
    return RangeRows(
        {month: rows for month, rows in rows_by_month.items() if rows.event_count},
        omission_filter.omitted_count_by_erasure_id,
    )


def _join_rows(parts: Sequence[Rows]) -> Rows:
    event_count, stand_in_indexes = 0, []
    for part in parts:
        stand_in_indexes += [event_count + index for index in part.stand_in_indexes]
        event_count += part.event_count
    return Rows(event_count, b"".join([part.body for part in parts]), tuple(stand_in_indexes))


def _build_rows(piece: BodyPiece, spool_id: int) -> Rows:
    if piece.is_damaged:
        return _build_stand_ins(piece, _find_known_columns(piece, spool_id))
    return Rows(piece.event_count, mark_earlier_lines(piece.current_bytes))


def _find_known_columns(piece: BodyPiece, spool_id: int) -> Sequence[Any]:
    if piece.event_count == 1 and (line := read_line(piece.original_bytes)) is not None:
        return [str(line[0]), *line[1:4], spool_id, *line[5:10]]
    return _build_scope_columns(_SCOPE_PATTERN.match(piece.current_bytes), spool_id)


def _build_scope_columns(scope_match: re.Match[bytes] | None, spool_id: int) -> Sequence[Any]:
    scope_texts = (text.decode(errors="replace") for text in scope_match.groups()) if scope_match else ("", "")
    return [*scope_texts, None, None, spool_id, 0, "", "", "", ""]


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
        columns = _build_scope_columns(_FRAME_SCOPE_PATTERN.match(piece.original_bytes), spool_id)
        yield month_of(0), _build_stand_ins(piece, columns)
    else:
        for month, (event_count, body) in lines_by_month.items():
            yield month, Rows(event_count, body)
