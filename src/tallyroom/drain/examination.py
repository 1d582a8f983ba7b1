"""Finds the events of a claimed range whose bytes changed while they waited (rules/safety#damaged-events).

In the place of each such event, the range gets a stand-in: a line that is never sent and becomes the dead letter. So a
range has as many lines as events, in the same places, whatever happened to its bytes.
"""

import base64
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from tallyroom.core.times import LAST_MS
from tallyroom.drain.frame import mapped
from tallyroom.drain.line import is_of, read_line
from tallyroom.spool.claim import WaitingChunk
from tallyroom.spool.row import UNMAPPED, month_of, split_lines
from tallyroom.spool.seal import Damage, find_damage, read_seal

_LEAST_LINE_BYTES = 60
"""Less than the line of any event has: so a damaged number of events cannot ask for endless stand-ins."""
_OWNER = re.compile(rb'\["([0-9a-f-]{36})","([^"\\]*)",')
_FRAME_OWNER = re.compile(rb'\["[a-z]+","([0-9a-f-]{36})","([^"\\]*)",')
_NO_TEXT = re.compile(r"[\x00-\x1f\ufffd](?!\Z)")
_NOBODY = ("", "", None, None, 0, 0, "", "", "", "")
"""The columns of an event of which nothing is known, up to its properties."""

_log = logging.getLogger(__name__)
_encoder = msgspec.json.Encoder()


class Rows(NamedTuple):
    """Lines of one month.

    Attributes:
        events: their number.
        body: the lines.
        damaged: the places, from 0, of the stand-ins among them.
    """

    events: int
    body: bytes
    damaged: tuple[int, ...] = ()


class _Piece(NamedTuple):
    """A line, or the frame of a request.

    Attributes:
        events: the number of events in it.
        now: its bytes.
        written: its bytes as they were written, as far as that is known.
        is_damaged: whether these differ, or may.
    """

    events: int
    now: bytes
    written: bytes
    is_damaged: bool


def examine(chunks: Iterable[WaitingChunk], spool: int) -> dict[int, Rows]:
    """Return the rows of a range by month; within a month, rows that waited to be mapped come after the others.

    The same range gives the same rows, so that sending it again sends the same blocks.

    Args:
        chunks: all chunks of the range.
        spool: the identity of the spool.
    """
    months: defaultdict[int, list[Rows]] = defaultdict(list)
    unmapped = []
    for chunk in chunks:
        if chunk.month == UNMAPPED:
            unmapped.append(chunk)
        else:
            months[chunk.month].append(_rows(chunk, spool))
    for chunk in unmapped:
        for month, rows in _mapped_rows(chunk, spool):
            months[month].append(rows)
    return {month: _joined(parts) for month, parts in months.items()}


def as_written(chunk: WaitingChunk) -> WaitingChunk:
    """Return a chunk with its month, number of events and size as they were written: by its seal, or else its lines."""
    seal = read_seal(chunk.seal, chunk.body)
    if seal is not None:
        return chunk._replace(month=seal.month, events=seal.events, size=seal.size)
    lines = split_lines(chunk.body)
    times = (line[2] for line in map(read_line, lines) if line is not None)
    month = next((month_of(time_ms) for time_ms in times if 0 <= time_ms <= LAST_MS), chunk.month)
    most = len(lines) + max(chunk.size, 0) // _LEAST_LINE_BYTES
    is_possible = chunk.events > 0 and (month == UNMAPPED or chunk.events <= most)
    return chunk._replace(month=month, events=chunk.events if is_possible else max(len(lines), 1))


def _joined(parts: Sequence[Rows]) -> Rows:
    events, damaged = 0, []
    for part in parts:
        damaged += [events + place for place in part.damaged]
        events += part.events
    return Rows(events, b"".join([part.body for part in parts]), tuple(damaged))


def _rows(chunk: WaitingChunk, spool: int) -> Rows:
    seal = read_seal(chunk.seal, chunk.body)
    damage = None if seal is None else find_damage(seal, chunk.body)
    if seal is not None and damage is None:
        return Rows(chunk.events, chunk.body)
    lines = _cut(split_lines(chunk.body if damage is None else damage.written), chunk.body)
    if damage is None:
        pieces = [piece._replace(is_damaged=_is_foreign(piece.now, spool, chunk.month)) for piece in lines]
    else:
        pieces = _marked(lines, damage, spool, chunk.month)
    return _joined(
        [
            _stand_ins(piece, _columns(piece, spool)) if piece.is_damaged else Rows(piece.events, piece.now)
            for piece in _fitted(pieces, chunk.events)
        ]
    )


def _cut(written: Sequence[bytes], body: bytes) -> list[_Piece]:
    """Return the lines of a body as pieces, cut where those that were written end."""
    pieces, at = [], 0
    for line in written:
        pieces.append(_Piece(1, body[at : at + len(line)], line, is_damaged=False))
        at += len(line)
    return pieces


def _is_foreign(line: bytes, spool: int, month: int) -> bool:
    """Return whether the store might take a line as something else than what it was.

    That is a row of another spool or month, or one whose texts have bytes that JSON does not allow and the store does.
    """
    row = read_line(line)
    if row is not None:
        return not is_of(row, spool, month)
    return (
        line.startswith(b"[") and line.endswith(b"]\n") and _NO_TEXT.search(line.decode(errors="replace")) is not None
    )


def _marked(lines: Sequence[_Piece], damage: Damage, spool: int, month: int) -> list[_Piece]:
    """Mark the lines that a known byte changed, and of those in a block where several did, all that are no good rows.

    If all of these are good rows, something changed in one of them and nothing shows in which: so none of them counts.
    """
    marked: list[_Piece] = []
    suspects, at = [], 0
    for piece in lines:
        end = at + len(piece.now)
        touched = [span for span in damage.spans if span.first < end and at <= span.last]
        if any(span.is_byte for span in touched):
            piece = piece._replace(is_damaged=True)  # noqa: PLW2901 # the same line, judged
        elif touched:
            suspects.append(len(marked))
        marked.append(piece)
        at = end
    bad = []
    for place in suspects:
        line = read_line(marked[place].now)
        if line is None or not is_of(line, spool, month):
            bad.append(place)
    for place in bad or suspects:
        marked[place] = marked[place]._replace(is_damaged=True)
    return marked


def _fitted(pieces: Sequence[_Piece], events: int) -> Sequence[_Piece]:
    """Return the pieces with as many events as there were: lines that lost or gained a line break become one piece."""
    if len(pieces) == events:
        return pieces
    bad = [place for place, piece in enumerate(pieces) if piece.is_damaged or read_line(piece.now) is None]
    left = events - (len(pieces) - len(bad))
    if left < 1:  # more good rows than events: nothing is certain
        bad, left = list(range(len(pieces))), events
    now = b"".join(pieces[place].now for place in bad)
    whole = _Piece(left, now, now, is_damaged=True)
    place = bad[0] if bad else len(pieces)
    others = set(bad)
    before, after = pieces[:place], [piece for at, piece in enumerate(pieces) if at >= place and at not in others]
    return [*before, whole, *after]


def _columns(piece: _Piece, spool: int) -> Sequence[Any]:
    """Return the columns of a damaged event up to its properties, as far as they are known."""
    if piece.events == 1 and (line := read_line(piece.written)) is not None:
        return [str(line[0]), *line[1:4], spool, *line[5:10]]
    return _owned(_OWNER.match(piece.now), spool)


def _owned(owner: re.Match[bytes] | None, spool: int) -> Sequence[Any]:
    names = (part.decode(errors="replace") for part in owner.groups()) if owner else ("", "")
    return [*names, *_NOBODY[2:4], spool, *_NOBODY[5:]]


def _stand_ins(piece: _Piece, columns: Sequence[Any]) -> Rows:
    """Return a line for each event of a damaged piece, shaped as an event; the first has the bytes that are there."""
    try:
        now = {"text": piece.now.decode()}
    except UnicodeDecodeError:
        now = {"base64": base64.b64encode(piece.now).decode()}
    lines = [[*columns, now if place == 0 else {}, ""] for place in range(piece.events)]
    return Rows(piece.events, _encoder.encode_lines(lines), tuple(range(piece.events)))


def _mapped_rows(chunk: WaitingChunk, spool: int) -> Iterator[tuple[int, Rows]]:
    for piece in _frames(chunk):
        months = None if piece.is_damaged else mapped(piece.now, spool)
        if months is None or sum(events for events, _ in months.values()) != piece.events:
            columns = _owned(_FRAME_OWNER.match(piece.written), spool)
            yield month_of(0), _stand_ins(piece, columns)
        else:
            for month, (events, body) in months.items():
                yield month, Rows(events, body)


def _frames(chunk: WaitingChunk) -> list[_Piece]:
    """Return the frames of a chunk; without a seal, which knows their lengths, all of them as one piece."""
    seal = read_seal(chunk.seal, chunk.body)
    if seal is None:
        return [_Piece(chunk.events, chunk.body, chunk.body, is_damaged=False)]
    damage = find_damage(seal, chunk.body) or Damage(chunk.body, [])
    pieces, at = [], 0
    for length, events in seal.pieces:
        end = at + length
        touched = any(span.first < end and at <= span.last for span in damage.spans)
        pieces.append(_Piece(events, chunk.body[at:end], damage.written[at:end], touched))
        at = end
    return pieces
