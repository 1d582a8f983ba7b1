"""Cuts the body of a chunk into lines or requests, and finds which of them changed (rules/safety#damaged-events)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from tallyroom.core.times import MAX_DATETIME_MS
from tallyroom.ingest.drain.frame import find_frame
from tallyroom.storage.spool.claim import WaitingChunk
from tallyroom.storage.spool.row import UNMAPPED_MONTH, month_of, split_lines
from tallyroom.storage.spool.seal import Seal
from tallyroom.storage.spool.seal_check import BodyProof, check_body

_MIN_LINE_BYTES = 60
"""Less than the line of any event, so that a damaged event count cannot ask for endless stand-ins."""
_MAX_CHUNK_BYTES = 100_000_000
"""More than the rows of any chunk."""
_NON_JSON_CHARACTER = re.compile(r"[\x00-\x1f\ufffd](?!\Z)")

SpoolLine = tuple[UUID, str, int, int, int, int, str, str, str, str, msgspec.Raw, msgspec.Raw]
"""The columns of a line of the spool, as the store reads it (storage/spool/row.py)."""

_line_decoder: msgspec.json.Decoder[SpoolLine] = msgspec.json.Decoder(SpoolLine)


class BodyPiece(NamedTuple):
    """A line, the frame of a request, or the rest of several (`is_rest`), in which case `event_count` is a guess.

    `original_bytes` are its bytes as they were written, if known; `is_damaged` means that they may differ.
    """

    event_count: int
    current_bytes: bytes
    original_bytes: bytes
    is_damaged: bool = False
    is_rest: bool = False


class ProvenChunk(NamedTuple):
    """A chunk of a range with the numbers that its seal proves, and its body in pieces with as many events."""

    chunk: WaitingChunk
    pieces: Sequence[BodyPiece]


def prove_chunk(chunk: WaitingChunk, spool_id: int) -> ProvenChunk:
    """Compare a row of the queue with its seal."""
    if chunk.seal is None:
        return _cut_unsealed(chunk, spool_id)
    proof = check_body(chunk.seal, chunk.body, (chunk.month, chunk.event_count, chunk.byte_count))
    if proof.seal is None:
        return _cut_by_block_checksums(chunk, proof)
    month, event_count, byte_count = proof.seal.row_numbers
    chunk = chunk._replace(month=month, event_count=event_count, byte_count=byte_count)
    if month == UNMAPPED_MONTH:
        return ProvenChunk(chunk, _cut_frames(proof, proof.seal, chunk.body))
    if proof.is_intact:
        return ProvenChunk(chunk, (BodyPiece(event_count, chunk.body, chunk.body),))
    return ProvenChunk(chunk, _fit_event_count(_cut_lines(proof, chunk.body), event_count))


def read_line(line: bytes) -> SpoolLine | None:
    """Return the columns; None if the line is not a complete row, like every line that this program writes."""
    try:
        return _line_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _cut_by_block_checksums(chunk: WaitingChunk, proof: BodyProof) -> ProvenChunk:
    """Return a chunk whose seal has lost everything but checksums of blocks."""
    pieces = _cut_lines(proof, chunk.body)
    month = _find_month([piece.current_bytes for piece in pieces if not piece.is_damaged], chunk.month)
    if month == UNMAPPED_MONTH:
        pieces = _cut_frame_chain(proof, chunk.body)
    chunk = _estimate_numbers(chunk._replace(month=month), pieces)
    return ProvenChunk(chunk, _fit_event_count(pieces, chunk.event_count))


def _cut_unsealed(chunk: WaitingChunk, spool_id: int) -> ProvenChunk:
    """Return a chunk of an older version: the good lines are rows of this spool and month, each once."""
    lines = split_lines(chunk.body)
    chunk = chunk._replace(month=_find_month(lines, chunk.month))
    if chunk.month == UNMAPPED_MONTH:
        chunk = _estimate_numbers(chunk, [_build_rest_piece(chunk.body)])
        return ProvenChunk(chunk, (BodyPiece(chunk.event_count, chunk.body, chunk.body),))
    pieces, seqs = [], set()
    for line in lines or [b""]:
        row = read_line(line)
        is_damaged = _is_foreign_line(line, spool_id, chunk.month) or (row is not None and row[5] in seqs)
        pieces.append(BodyPiece(1, line, line, is_damaged, is_rest=row is None or is_damaged))
        seqs |= {row[5]} if row is not None else set()
    chunk = _estimate_numbers(chunk, pieces)
    return ProvenChunk(chunk, _fit_event_count(pieces, chunk.event_count))


def _find_month(lines: Sequence[bytes], recorded_month: int) -> int:
    """Return the month of the row if one of its lines is from it, or else the month of the first line that has one."""
    times_ms = (row[2] for row in map(read_line, lines) if row is not None)
    months = [month_of(time_ms) for time_ms in times_ms if 0 <= time_ms <= MAX_DATETIME_MS]
    return recorded_month if recorded_month in months or not months else months[0]


def _estimate_numbers(chunk: WaitingChunk, pieces: Sequence[BodyPiece]) -> WaitingChunk:
    """Return a chunk with numbers that fit its pieces: its own if possible, or else one event per line."""
    certain_event_count = sum(piece.event_count for piece in pieces if not piece.is_rest)
    guessed_event_count = sum(piece.event_count for piece in pieces if piece.is_rest)
    byte_count = chunk.byte_count if 0 < chunk.byte_count < _MAX_CHUNK_BYTES else len(chunk.body)
    is_possible = (
        certain_event_count + bool(guessed_event_count)
        <= chunk.event_count
        <= certain_event_count + guessed_event_count + byte_count // _MIN_LINE_BYTES
    )
    is_count_uncertain = guessed_event_count > 0 or chunk.seal is None
    pieces_event_count = certain_event_count + guessed_event_count
    return chunk._replace(
        event_count=chunk.event_count if is_count_uncertain and is_possible else pieces_event_count,
        byte_count=byte_count if chunk.month == UNMAPPED_MONTH else len(chunk.body),
    )


def _is_foreign_line(line: bytes, spool_id: int, month: int) -> bool:
    """Return whether the store might read a line differently: from another spool or month, or invalid JSON."""
    row = read_line(line)
    if row is not None:
        return not _belongs_to(row, spool_id, month)
    is_array = line.startswith(b"[") and line.endswith(b"]\n")
    return is_array and _NON_JSON_CHARACTER.search(line.decode(errors="replace")) is not None


def _belongs_to(line: SpoolLine, spool_id: int, month: int) -> bool:
    """Return whether a row came through a spool and belongs to a month."""
    try:
        return line[4] == spool_id and month_of(line[2]) == month
    except (OverflowError, ValueError, OSError):  # a time beyond the calendar
        return False


def _cut_lines(proof: BodyProof, body: bytes) -> list[BodyPiece]:
    pieces, offset = [], 0
    for start, stop in _find_whole_line_spans(proof):
        pieces += [_build_rest_piece(line) for line in split_lines(body[offset:start])]
        offset = start
        for line in split_lines(proof.repaired_body[start:stop]):
            end = offset + len(line)
            pieces.append(BodyPiece(1, body[offset:end], line, proof.has_changed(offset, end)))
            offset = end
    return [*pieces, *(_build_rest_piece(line) for line in split_lines(body[offset:]))]


def _find_whole_line_spans(proof: BodyProof) -> Iterator[tuple[int, int]]:
    """Return the spans of certain bytes, without the partial lines at their ends."""
    for run in proof.certain_runs:
        end = proof.repaired_body.find(b"\n", run.start, run.stop) + 1
        # The end of a longer line is not a line.
        is_line_start = run.is_first or read_line(proof.repaired_body[run.start : end]) is not None
        start = run.start if is_line_start else end
        stop = proof.repaired_body.rfind(b"\n", run.start, run.stop) + 1
        if end and start < stop:
            yield start, stop


def _build_rest_piece(current_bytes: bytes) -> BodyPiece:
    event_count = max(len(split_lines(current_bytes)), 1)
    return BodyPiece(event_count, current_bytes, current_bytes, is_damaged=True, is_rest=True)


def _cut_frames(proof: BodyProof, seal: Seal, body: bytes) -> list[BodyPiece]:
    pieces, offset = [], 0
    for frame_bytes, event_count in seal.frame_sizes:
        found_start = proof.locate(offset, offset + frame_bytes)
        start = offset if found_start is None else found_start
        stop = start + frame_bytes
        is_damaged = found_start is None or proof.has_changed(start, stop)
        pieces.append(BodyPiece(event_count, body[start:stop], proof.repaired_body[start:stop], is_damaged))
        offset += frame_bytes
    return pieces


def _cut_frame_chain(proof: BodyProof, body: bytes) -> list[BodyPiece]:
    """Return the frames that can be found without a seal: each gives the start of the next."""
    pieces, offset = [], 0
    while (
        offset < len(body)
        and (found_frame := find_frame(body, offset))
        and proof.locate(offset, found_frame.payload_start) is not None
    ):
        is_damaged, frame = proof.locate(offset, found_frame.stop) is None, body[offset : found_frame.stop]
        pieces.append(BodyPiece(found_frame.header.event_count, frame, frame, is_damaged))
        offset = found_frame.stop
    if offset < len(body) or not pieces:
        pieces.append(_build_rest_piece(body[offset:]))
    return pieces


def _fit_event_count(pieces: Sequence[BodyPiece], event_count: int) -> Sequence[BodyPiece]:
    """Make the pieces add up to `event_count`; the last rest has what the other rests leave of events and bytes."""
    rest_indexes = [index for index, piece in enumerate(pieces) if piece.is_rest]
    rest_event_count = event_count - sum(piece.event_count for piece in pieces if not piece.is_rest)
    if rest_event_count == sum(pieces[index].event_count for index in rest_indexes):
        return pieces
    single_rest_count = max(min(len(rest_indexes), rest_event_count) - 1, 0)
    last_rest_count = rest_event_count - single_rest_count
    rest_bytes = b"".join(pieces[index].current_bytes for index in rest_indexes[single_rest_count:])
    last_rest = [BodyPiece(last_rest_count, rest_bytes, rest_bytes, is_damaged=True)] if last_rest_count > 0 else []
    fit_end = rest_indexes[single_rest_count] if rest_indexes else len(pieces)
    return [*pieces[:fit_end], *last_rest, *(piece for piece in pieces[fit_end:] if not piece.is_rest)]
