"""Finds which bytes of a chunk's body are as they were written, by its seal (rules/safety#damaged-events)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

from tallyroom.storage.spool.checksum import find_certain_change
from tallyroom.storage.spool.seal import BLOCK_BYTES, Seal, list_possible_crcs, read_block_checksums, read_seal


class ByteRun(NamedTuple):
    """Certain bytes of a body, from `start` to before `stop`; `shift` is their distance from the original place."""

    start: int
    stop: int
    shift: int = 0

    @property
    def is_first(self) -> bool:
        """Whether the written body began with these bytes."""
        return self.start == self.shift


class BodyProof(NamedTuple):
    """The certain parts of a body."""

    seal: Seal | None  # None if only checksums of blocks are left of it
    repaired_body: bytes  # the body, with each byte whose original is known restored
    certain_runs: Sequence[
        ByteRun
    ]  # the certain bytes of `repaired_body`, in order; something changed between two runs
    changed_indexes: Sequence[int] = ()  # of the restored bytes in `repaired_body`

    @property
    def is_intact(self) -> bool:
        """Whether every byte is as it was written, by an intact seal."""
        if self.seal is None or self.changed_indexes or self.seal.body_length != len(self.repaired_body):
            return False
        return self.locate(0, self.seal.body_length) == 0

    def locate(self, start: int, stop: int) -> int | None:
        """Return where the bytes written from `start` to `stop` are now; None if they are not certain."""
        indexes = (
            start + run.shift
            for run in self.certain_runs
            if run.start <= start + run.shift <= stop + run.shift <= run.stop
        )
        return next(indexes, None)

    def has_changed(self, start: int, stop: int) -> bool:
        """Return whether one of the restored bytes is in a span."""
        return any(start <= index < stop for index in self.changed_indexes)


def check_body(seal_bytes: bytes, body: bytes, row_numbers: tuple[int, int, int]) -> BodyProof:
    """Compare a body with its seal; `row_numbers` are month, event count and size as the row has them."""
    seal = read_seal(seal_bytes, row_numbers)
    if seal is None:
        candidates = list_possible_crcs(seal_bytes, len(body))
        block_crcs: Sequence[int] = max(candidates, key=lambda crcs: _count_fitting_blocks(crcs, body), default=[])
        return BodyProof(None, body, _join_runs(run for run, fits in _compare_blocks(block_crcs, body) if fits))
    if seal.body_length != len(body):
        return BodyProof(seal, body, _find_intact_ends(seal, body))
    return _repair_body(seal, body)


def _list_blocks(length: int) -> list[ByteRun]:
    return [ByteRun(start, min(start + BLOCK_BYTES, length)) for start in range(0, length, BLOCK_BYTES)]


def _compare_blocks(block_crcs: Sequence[int], body: bytes) -> list[tuple[ByteRun, bool]]:
    blocks = _list_blocks(len(body))
    return [
        (block, crc32(body[block.start : block.stop]) == block_crc)
        for block, block_crc in zip(blocks, block_crcs, strict=False)
    ]


def _count_fitting_blocks(block_crcs: Sequence[int], body: bytes) -> int:
    return sum(fits for _, fits in _compare_blocks(block_crcs, body))


def _repair_body(seal: Seal, body: bytes) -> BodyProof:
    runs, repaired_blocks, changed_indexes = [], [], []
    for block, (crc, adler) in zip(_list_blocks(len(body)), read_block_checksums(seal), strict=True):
        block_bytes = body[block.start : block.stop]
        is_certain = crc32(block_bytes) == crc
        if not is_certain and adler is not None and (byte_repair := find_certain_change(block_bytes, crc, adler)):
            is_certain = True
            changed_indexes.append(block.start + byte_repair.byte_index)
            block_bytes = byte_repair.original
        if is_certain:
            runs.append(block)
        repaired_blocks.append(block_bytes)
    return BodyProof(seal, b"".join(repaired_blocks) if changed_indexes else body, _join_runs(runs), changed_indexes)


def _find_intact_ends(seal: Seal, body: bytes) -> list[ByteRun]:
    """Return the blocks that fit at the start and at the end of a body that grew or shrank."""
    growth, common_length = len(body) - seal.body_length, min(len(body), seal.body_length)
    blocks = list(zip(_list_blocks(seal.body_length), (crc for crc, _ in read_block_checksums(seal)), strict=True))
    prefix_end, suffix_start = 0, seal.body_length
    for block, block_crc in blocks:
        if block.stop > common_length or crc32(body[block.start : block.stop]) != block_crc:
            break
        prefix_end = block.stop
    for block, block_crc in reversed(blocks):
        current_start = block.start + growth
        if (
            block.start < prefix_end
            or current_start < prefix_end
            or crc32(body[current_start : block.stop + growth]) != block_crc
        ):
            break
        suffix_start = block.start
    runs = (ByteRun(0, prefix_end), ByteRun(suffix_start + growth, len(body), growth))
    return [run for run in runs if run.stop > run.start]


def _join_runs(blocks: Iterable[ByteRun]) -> list[ByteRun]:
    runs: list[ByteRun] = []
    for block in blocks:
        if runs and runs[-1].stop == block.start:
            runs[-1] = ByteRun(runs[-1].start, block.stop)
        else:
            runs.append(block)
    return runs
