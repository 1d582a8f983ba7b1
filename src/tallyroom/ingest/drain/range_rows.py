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

from tallyroom.ingest.drain.frame import mapped
from tallyroom.ingest.drain.omission_filter import OmissionFilter
from tallyroom.ingest.drain.pieces import Piece, ProvenChunk
from tallyroom.ingest.drain.rows import Rows, joined
from tallyroom.ingest.drain.spool_line import read_line
from tallyroom.storage.spool.omissions import OmissionSpan
from tallyroom.storage.spool.row import UNMAPPED_MONTH, month_of

_OWNER = re.compile(rb'\["([0-9a-f-]{36})","([^"\\]*)",')
_FRAME_OWNER = re.compile(rb'\["[a-z]+","([0-9a-f-]{36})","([^"\\]*)",')
_NOBODY = ("", "", None, None, 0, 0, "", "", "", "")
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


def examine(chunks: Iterable[ProvenChunk], spool: int, spans: Sequence[OmissionSpan] = ()) -> RangeRows:
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
            months[chunk.month] += [omissions.remaining(chunk.id, _rows(piece, spool)) for piece in pieces]
    for chunk_id, piece in frame_pieces:
        for month, rows in _mapped_rows(piece, spool):
            months[month].append(omissions.remaining(chunk_id, rows))
    month_rows = {month: joined(parts) for month, parts in months.items()}
    return RangeRows({month: rows for month, rows in month_rows.items() if rows.events}, omissions.counts)


def _rows(piece: Piece, spool: int) -> Rows:
    return _stand_ins(piece, _columns(piece, spool)) if piece.is_damaged else Rows(piece.events, piece.now)


def _columns(piece: Piece, spool: int) -> Sequence[Any]:
    """Return the columns of a damaged event up to its properties, as far as they are known."""
    if piece.events == 1 and (line := read_line(piece.original)) is not None:
        return [str(line[0]), *line[1:4], spool, *line[5:10]]
    return _owned(_OWNER.match(piece.now), spool)


def _owned(owner: re.Match[bytes] | None, spool: int) -> Sequence[Any]:
    names = (part.decode(errors="replace") for part in owner.groups()) if owner else ("", "")
    return [*names, *_NOBODY[2:4], spool, *_NOBODY[5:]]


def _stand_ins(piece: Piece, columns: Sequence[Any]) -> Rows:
    """Return a line for each event of a damaged piece, shaped as an event; the first has the bytes that are there."""
    try:
        now = {"text": piece.now.decode()}
    except UnicodeDecodeError:
        now = {"base64": base64.b64encode(piece.now).decode()}
    lines = [[*columns, now if place == 0 else {}, ""] for place in range(piece.events)]
    return Rows(piece.events, _encoder.encode_lines(lines), tuple(range(piece.events)))


def _mapped_rows(piece: Piece, spool: int) -> Iterator[tuple[int, Rows]]:
    months = None if piece.is_damaged else mapped(piece.now, spool)
    if months is None or sum(events for events, _ in months.values()) != piece.events:
        yield month_of(0), _stand_ins(piece, _owned(_FRAME_OWNER.match(piece.original), spool))
    else:
        for month, (events, body) in months.items():
            yield month, Rows(events, body)
