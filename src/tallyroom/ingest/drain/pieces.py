"""Cuts the body of a chunk into lines or requests, and tells which of them changed (rules/safety#damaged-events)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tallyroom.core.times import MAX_DATETIME_MS
from tallyroom.ingest.drain.frame import find_frame
from tallyroom.ingest.drain.spool_line import belongs_to, read_line
from tallyroom.storage.spool.claim import WaitingChunk
from tallyroom.storage.spool.row import UNMAPPED_MONTH, month_of, split_lines
from tallyroom.storage.spool.seal import Seal
from tallyroom.storage.spool.seal_check import Proof, check_body

_MIN_LINE_BYTES = 60
"""Less than the line of any event has: so a damaged number of events cannot ask for endless stand-ins."""
_MAX_ROW_BYTES = 100_000_000
"""More than the rows of any chunk have."""
_NOT_JSON_TEXT = re.compile(r"[\x00-\x1f\ufffd](?!\Z)")


class Piece(NamedTuple):
    """A line, the frame of a request, or what is left of several.

    Attributes:
        event_count: the number of events in it.
        current: its bytes.
        original: its bytes as they were written, as far as that is known.
        is_damaged: whether these differ, or may.
        is_rest: whether it is what is left of an unknown number of lines or frames, so that `event_count` is a guess.
    """

    event_count: int
    current: bytes
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


def check_seal(chunk: WaitingChunk, spool: int) -> ProvenChunk:
    """Compare a row of the queue with its seal.

    Args:
        chunk: the row as the file has it.
        spool: the identity of the spool.
    """
    if chunk.seal is None:
        return _cut_unsealed(chunk, spool)
    proof = check_body(chunk.seal, chunk.body, (chunk.month, chunk.event_count, chunk.byte_count))
    if proof.seal is None:
        return _cut_by_blocks(chunk, proof)
    month, event_count, byte_count = proof.seal.numbers
    chunk = chunk._replace(month=month, event_count=event_count, byte_count=byte_count)
    if month == UNMAPPED_MONTH:
        return ProvenChunk(chunk, _cut_frames(proof, proof.seal, chunk.body))
    if proof.is_whole:
        return ProvenChunk(chunk, (Piece(event_count, chunk.body, chunk.body),))
    return ProvenChunk(chunk, _fit_event_count(_cut_lines(proof, chunk.body), event_count))


def _cut_by_blocks(chunk: WaitingChunk, proof: Proof) -> ProvenChunk:
    """Return a chunk of whose seal nothing is left but checksums of blocks."""
    pieces = _cut_lines(proof, chunk.body)
    month = _find_month([piece.current for piece in pieces if not piece.is_damaged], chunk.month)
    if month == UNMAPPED_MONTH:
        pieces = _cut_frame_chain(proof, chunk.body)
    chunk = _estimate_numbers(chunk._replace(month=month), pieces)
    return ProvenChunk(chunk, _fit_event_count(pieces, chunk.event_count))


def _cut_unsealed(chunk: WaitingChunk, spool: int) -> ProvenChunk:
    """Return a chunk of an older version: the good lines are rows of this spool and month, each once."""
    lines = split_lines(chunk.body)
    chunk = chunk._replace(month=_find_month(lines, chunk.month))
    if chunk.month == UNMAPPED_MONTH:
        chunk = _estimate_numbers(chunk, [_build_rest(chunk.body)])
        return ProvenChunk(chunk, (Piece(chunk.event_count, chunk.body, chunk.body),))
    pieces, seqs = [], set()
    for line in lines or [b""]:
        row = read_line(line)
        is_damaged = _is_foreign_line(line, spool, chunk.month) or (row is not None and row[5] in seqs)
        pieces.append(Piece(1, line, line, is_damaged, is_rest=row is None or is_damaged))
        seqs |= {row[5]} if row is not None else set()
    chunk = _estimate_numbers(chunk, pieces)
    return ProvenChunk(chunk, _fit_event_count(pieces, chunk.event_count))


def _find_month(lines: Sequence[bytes], month: int) -> int:
    """Return the month that the row has if one of its lines is of it, or else that of the first line of any month."""
    times = (row[2] for row in map(read_line, lines) if row is not None)
    months = [month_of(time_ms) for time_ms in times if 0 <= time_ms <= MAX_DATETIME_MS]
    return month if month in months or not months else months[0]


def _estimate_numbers(chunk: WaitingChunk, pieces: Sequence[Piece]) -> WaitingChunk:
    """Return a chunk with numbers that its pieces can have: its own, or else one event for each line."""
    certain_count = sum(piece.event_count for piece in pieces if not piece.is_rest)
    guessed_count = sum(piece.event_count for piece in pieces if piece.is_rest)
    byte_count = chunk.byte_count if 0 < chunk.byte_count < _MAX_ROW_BYTES else len(chunk.body)
    is_possible = (
        certain_count + bool(guessed_count)
        <= chunk.event_count
        <= certain_count + guessed_count + byte_count // _MIN_LINE_BYTES
    )
    may_lack = guessed_count > 0 or chunk.seal is None
    return chunk._replace(
        event_count=chunk.event_count if may_lack and is_possible else certain_count + guessed_count,
        byte_count=byte_count if chunk.month == UNMAPPED_MONTH else len(chunk.body),
    )


def _is_foreign_line(line: bytes, spool: int, month: int) -> bool:
    """Return whether the store might take a line as something else than what it was.

    That is a row of another spool or month, or one whose texts have bytes that JSON does not allow and the store does.
    """
    row = read_line(line)
    if row is not None:
        return not belongs_to(row, spool, month)
    return (
        line.startswith(b"[")
        and line.endswith(b"]\n")
        and _NOT_JSON_TEXT.search(line.decode(errors="replace")) is not None
    )


def _cut_lines(proof: Proof, body: bytes) -> list[Piece]:
    """Return each line that is certain or known, and what is between them."""
    pieces, offset = [], 0
    for start, stop in _find_find_whole_lines(proof):
        pieces += [_build_rest(line) for line in split_lines(body[offset:start])]
        offset = start
        for line in split_lines(proof.original[start:stop]):
            end = offset + len(line)
            pieces.append(Piece(1, body[offset:end], line, proof.has_changed(offset, end)))
            offset = end
    return [*pieces, *(_build_rest(line) for line in split_lines(body[offset:]))]


def _find_find_whole_lines(proof: Proof) -> Iterator[tuple[int, int]]:
    """Return the certain bytes without those at their ends that belong to a line of which the rest is not certain."""
    for run in proof.runs:
        end = proof.original.find(b"\n", run.start, run.stop) + 1
        # The end of a longer line is none.
        is_line_start = run.is_first or read_line(proof.original[run.start : end]) is not None
        start = run.start if is_line_start else end
        stop = proof.original.rfind(b"\n", run.start, run.stop) + 1
        if end and start < stop:
            yield start, stop


def _build_rest(current: bytes) -> Piece:
    return Piece(max(len(split_lines(current)), 1), current, current, is_damaged=True, is_rest=True)


def _cut_frames(proof: Proof, seal: Seal, body: bytes) -> list[Piece]:
    """Return the frames of which the seal knows the lengths."""
    pieces, offset = [], 0
    for length, event_count in seal.frames:
        place = proof.locate(offset, offset + length)
        start = offset if place is None else place
        is_damaged = place is None or proof.has_changed(start, start + length)
        pieces.append(
            Piece(event_count, body[start : start + length], proof.original[start : start + length], is_damaged)
        )
        offset += length
    return pieces


def _cut_frame_chain(proof: Proof, body: bytes) -> list[Piece]:
    """Return the frames that can be found without a seal: each says where the next one begins."""
    pieces, offset = [], 0
    while (
        offset < len(body)
        and (found_frame := find_frame(body, offset))
        and proof.locate(offset, found_frame.payload_start) is not None
    ):
        is_damaged = proof.locate(offset, found_frame.stop) is None
        pieces.append(
            Piece(
                found_frame.frame.events, body[offset : found_frame.stop], body[offset : found_frame.stop], is_damaged
            )
        )
        offset = found_frame.stop
    if offset < len(body) or not pieces:
        pieces.append(_build_rest(body[offset:]))
    return pieces


def _fit_event_count(pieces: Sequence[Piece], event_count: int) -> Sequence[Piece]:
    """Return the pieces with as many events as there were; only the last of the rests has more than one, or less.

    If there are more rests than events left, the last one has the bytes of the others.
    """
    rest_indexes = [index for index, piece in enumerate(pieces) if piece.is_rest]
    left_count = event_count - sum(piece.event_count for piece in pieces if not piece.is_rest)
    if left_count == sum(pieces[index].event_count for index in rest_indexes):
        return pieces
    single_count = max(min(len(rest_indexes), left_count) - 1, 0)
    current = b"".join(pieces[index].current for index in rest_indexes[single_count:])
    last = [Piece(left_count - single_count, current, current, is_damaged=True)] if left_count > single_count else []
    end = rest_indexes[single_count] if rest_indexes else len(pieces)
    return [*pieces[:end], *last, *(piece for piece in pieces[end:] if not piece.is_rest)]
