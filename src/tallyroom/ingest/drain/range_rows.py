"""The rows of a claimed range, with stand-ins for what changed while it waited (rules/safety#damaged-events).

In the place of each event that changed, the range gets a stand-in: a line that is never sent and becomes the dead
letter. So a range has as many lines as events, in the same places, whatever happened to its bytes.
"""

import base64
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.ingest.drain.frame import map_frames
from tallyroom.ingest.drain.omission_filter import OmissionFilter
from tallyroom.ingest.drain.pieces import Piece, ProvenChunk
from tallyroom.ingest.drain.rows import Rows, join_rows
from tallyroom.ingest.drain.spool_line import read_line
from tallyroom.storage.spool.omissions import OmissionSpan
from tallyroom.storage.spool.row import UNMAPPED_MONTH, month_of

_OWNER = re.compile(rb'\["([0-9a-f-]{36})","([^"\\]*)",')
_FRAME_OWNER = re.compile(rb'\["[a-z]+","([0-9a-f-]{36})","([^"\\]*)",')
_UNKNOWN_COLUMNS = ("", "", None, None, 0, 0, "", "", "", "")
"""The columns of an event of which nothing is known, up to its properties."""

_encoder = msgspec.json.Encoder()


class RangeRows(NamedTuple):
    """What a range comes to.

    Attributes:
        months: the rows to send, by month.
        omission_counts: the number of events that each omission leaves out, by the id of its erasure.
    """

    months: Mapping[int, Rows]
    omission_counts: Mapping[str, int]


def build_range_rows(chunks: Iterable[ProvenChunk], spool: int, spans: Sequence[OmissionSpan] = ()) -> RangeRows:
    """Return the rows of a range by month; within a month, rows that waited to be mapped come after the others.

    The same range gives the same rows, so that sending it again sends the same blocks.

    Args:
        chunks: all chunks of the range.
        spool: the identity of the spool.
        spans: what is left out.
    """
    months: defaultdict[int, list[Rows]] = defaultdict(list)
    frame_pieces: list[tuple[int, Piece]] = []
    omissions = OmissionFilter(spans)
    for chunk, pieces in chunks:
        if chunk.month == UNMAPPED_MONTH:
            frame_pieces += [(chunk.id, piece) for piece in pieces]
        else:
            months[chunk.month] += [omissions.filter_rows(chunk.id, _build_rows(piece, spool)) for piece in pieces]
    for chunk_id, piece in frame_pieces:
        for month, rows in _map_piece(piece, spool):
            months[month].append(omissions.filter_rows(chunk_id, rows))
    month_rows = {month: join_rows(parts) for month, parts in months.items()}
    return RangeRows({month: rows for month, rows in month_rows.items() if rows.event_count}, omissions.omitted_counts)


def _build_rows(piece: Piece, spool: int) -> Rows:
    return (
        _build_stand_ins(piece, _find_columns(piece, spool))
        if piece.is_damaged
        else Rows(piece.event_count, piece.current)
    )


def _find_columns(piece: Piece, spool: int) -> Sequence[Any]:
    """Return the columns of a damaged event up to its properties, as far as they are known."""
    if piece.event_count == 1 and (line := read_line(piece.original)) is not None:
        return [str(line[0]), *line[1:4], spool, *line[5:10]]
    return _build_owned_columns(_OWNER.match(piece.current), spool)


def _build_owned_columns(owner: re.Match[bytes] | None, spool: int) -> Sequence[Any]:
    names = (name.decode(errors="replace") for name in owner.groups()) if owner else ("", "")
    return [*names, *_UNKNOWN_COLUMNS[2:4], spool, *_UNKNOWN_COLUMNS[5:]]


def _build_stand_ins(piece: Piece, columns: Sequence[Any]) -> Rows:
    """Return a line for each event of a damaged piece, shaped as an event; the first has the bytes that are there."""
    try:
        damaged_bytes = {"text": piece.current.decode()}
    except UnicodeDecodeError:
        damaged_bytes = {"base64": base64.b64encode(piece.current).decode()}
    lines = [[*columns, damaged_bytes if index == 0 else {}, ""] for index in range(piece.event_count)]
    return Rows(piece.event_count, _encoder.encode_lines(lines), tuple(range(piece.event_count)))


def _map_piece(piece: Piece, spool: int) -> Iterator[tuple[int, Rows]]:
    months = None if piece.is_damaged else map_frames(piece.current, spool)
    if months is None or sum(event_count for event_count, _ in months.values()) != piece.event_count:
        yield month_of(0), _build_stand_ins(piece, _build_owned_columns(_FRAME_OWNER.match(piece.original), spool))
    else:
        for month, (event_count, body) in months.items():
            yield month, Rows(event_count, body)
