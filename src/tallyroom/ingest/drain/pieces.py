"""Cuts the body of a chunk into lines or requests, and tells which of them changed (rules/safety#damaged-events)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tallyroom.core.times import MAX_DATETIME_MS
from tallyroom.ingest.drain.frame import frame_at
from tallyroom.ingest.drain.spool_line import is_of, read_line
from tallyroom.storage.spool.claim import WaitingChunk
from tallyroom.storage.spool.row import UNMAPPED_MONTH, month_of, split_lines
from tallyroom.storage.spool.seal import Seal
from tallyroom.storage.spool.seal_check import Proof, check_body

_LEAST_LINE_BYTES = 60
"""Less than the line of any event has: so a damaged number of events cannot ask for endless stand-ins."""
_MOST_BYTES = 100_000_000
"""More than the rows of any chunk have."""
_NO_TEXT = re.compile(r"[\x00-\x1f\ufffd](?!\Z)")


class Piece(NamedTuple):
    """A line, the frame of a request, or what is left of several.

    Attributes:
        events: the number of events in it.
        now: its bytes.
        original: its bytes as they were written, as far as that is known.
        is_damaged: whether these differ, or may.
        is_rest: whether it is what is left of an unknown number of lines or frames, so that `events` is a guess.
    """

    events: int
    now: bytes
    original: bytes
    is_damaged: bool = False
    is_rest: bool = False


class ProvenChunk(NamedTuple):
    """A chunk of a range with what its seal proves.

    Attributes:
        chunk: the row, with month, number of events and size as they were written.
        pieces: its body, cut, with as many events as the chunk has.
    """

    chunk: WaitingChunk
    pieces: Sequence[Piece]


def proven(chunk: WaitingChunk, spool: int) -> ProvenChunk:
    """Compare a row of the queue with its seal.

    Args:
        chunk: the row as the file has it.
        spool: the identity of the spool.
    """
    if chunk.seal is None:
        return _without_seal(chunk, spool)
    proof = check_body(chunk.seal, chunk.body, (chunk.month, chunk.event_count, chunk.byte_count))
    if proof.seal is None:
        return _with_tail(chunk, proof)
    month, events, size = proof.seal.numbers
    chunk = chunk._replace(month=month, event_count=events, byte_count=size)
    if month == UNMAPPED_MONTH:
        return ProvenChunk(chunk, _frames(proof, proof.seal, chunk.body))
    if proof.is_whole:
        return ProvenChunk(chunk, (Piece(events, chunk.body, chunk.body),))
    return ProvenChunk(chunk, _fitted(_lines(proof, chunk.body), events))


def _with_tail(chunk: WaitingChunk, proof: Proof) -> ProvenChunk:
    """Return a chunk of whose seal nothing is left but checksums of blocks."""
    pieces = _lines(proof, chunk.body)
    month = _month([piece.now for piece in pieces if not piece.is_damaged], chunk.month)
    if month == UNMAPPED_MONTH:
        pieces = _chain(proof, chunk.body)
    chunk = _counted(chunk._replace(month=month), pieces)
    return ProvenChunk(chunk, _fitted(pieces, chunk.event_count))


def _without_seal(chunk: WaitingChunk, spool: int) -> ProvenChunk:
    """Return a chunk of an older version: the good lines are rows of this spool and month, each once."""
    lines = split_lines(chunk.body)
    chunk = chunk._replace(month=_month(lines, chunk.month))
    if chunk.month == UNMAPPED_MONTH:
        chunk = _counted(chunk, [_rest(chunk.body)])
        return ProvenChunk(chunk, (Piece(chunk.event_count, chunk.body, chunk.body),))
    pieces, seqs = [], set()
    for line in lines or [b""]:
        row = read_line(line)
        is_damaged = _is_foreign(line, spool, chunk.month) or (row is not None and row[5] in seqs)
        pieces.append(Piece(1, line, line, is_damaged, is_rest=row is None or is_damaged))
        seqs |= {row[5]} if row is not None else set()
    chunk = _counted(chunk, pieces)
    return ProvenChunk(chunk, _fitted(pieces, chunk.event_count))


def _month(lines: Sequence[bytes], month: int) -> int:
    """Return the month that the row has if one of its lines is of it, or else that of the first line of any month."""
    times = (row[2] for row in map(read_line, lines) if row is not None)
    months = [month_of(time_ms) for time_ms in times if 0 <= time_ms <= MAX_DATETIME_MS]
    return month if month in months or not months else months[0]


def _counted(chunk: WaitingChunk, pieces: Sequence[Piece]) -> WaitingChunk:
    """Return a chunk with numbers that its pieces can have: its own, or else one event for each line."""
    certain = sum(piece.events for piece in pieces if not piece.is_rest)
    guess = sum(piece.events for piece in pieces if piece.is_rest)
    size = chunk.byte_count if 0 < chunk.byte_count < _MOST_BYTES else len(chunk.body)
    is_possible = certain + bool(guess) <= chunk.event_count <= certain + guess + size // _LEAST_LINE_BYTES
    may_lack = guess > 0 or chunk.seal is None
    return chunk._replace(
        event_count=chunk.event_count if may_lack and is_possible else certain + guess,
        byte_count=size if chunk.month == UNMAPPED_MONTH else len(chunk.body),
    )


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


def _lines(proof: Proof, body: bytes) -> list[Piece]:
    """Return each line that is certain or known, and what is between them."""
    pieces, at = [], 0
    for start, stop in _whole_lines(proof):
        pieces += [_rest(line) for line in split_lines(body[at:start])]
        at = start
        for line in split_lines(proof.original[start:stop]):
            end = at + len(line)
            pieces.append(Piece(1, body[at:end], line, proof.has_changed(at, end)))
            at = end
    return [*pieces, *(_rest(line) for line in split_lines(body[at:]))]


def _whole_lines(proof: Proof) -> Iterator[tuple[int, int]]:
    """Return the certain bytes without those at their ends that belong to a line of which the rest is not certain."""
    for run in proof.runs:
        end = proof.original.find(b"\n", run.start, run.stop) + 1
        begins = run.is_first or read_line(proof.original[run.start : end]) is not None  # a longer line's end is none
        start = run.start if begins else end
        stop = proof.original.rfind(b"\n", run.start, run.stop) + 1
        if end and start < stop:
            yield start, stop


def _rest(now: bytes) -> Piece:
    return Piece(max(len(split_lines(now)), 1), now, now, is_damaged=True, is_rest=True)


def _frames(proof: Proof, seal: Seal, body: bytes) -> list[Piece]:
    """Return the frames of which the seal knows the lengths."""
    pieces, at = [], 0
    for length, events in seal.frames:
        place = proof.locate(at, at + length)
        start = at if place is None else place
        is_damaged = place is None or proof.has_changed(start, start + length)
        pieces.append(Piece(events, body[start : start + length], proof.original[start : start + length], is_damaged))
        at += length
    return pieces


def _chain(proof: Proof, body: bytes) -> list[Piece]:
    """Return the frames that can be found without a seal: each says where the next one begins."""
    pieces, at = [], 0
    while at < len(body) and (place := frame_at(body, at)) and proof.locate(at, place.payload) is not None:
        is_damaged = proof.locate(at, place.stop) is None
        pieces.append(Piece(place.frame.events, body[at : place.stop], body[at : place.stop], is_damaged))
        at = place.stop
    if at < len(body) or not pieces:
        pieces.append(_rest(body[at:]))
    return pieces


def _fitted(pieces: Sequence[Piece], events: int) -> Sequence[Piece]:
    """Return the pieces with as many events as there were; only the last of the rests has more than one, or less.

    If there are more rests than events left, the last one has the bytes of the others.
    """
    rests = [place for place, piece in enumerate(pieces) if piece.is_rest]
    left = events - sum(piece.events for piece in pieces if not piece.is_rest)
    if left == sum(pieces[place].events for place in rests):
        return pieces
    single = max(min(len(rests), left) - 1, 0)
    now = b"".join(pieces[place].now for place in rests[single:])
    last = [Piece(left - single, now, now, is_damaged=True)] if left > single else []
    end = rests[single] if rests else len(pieces)
    return [*pieces[:end], *last, *(piece for piece in pieces[end:] if not piece.is_rest)]
