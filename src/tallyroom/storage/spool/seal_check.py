"""Which bytes of a chunk's body are as they were written, by its seal (rules/safety#damaged-events)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

from tallyroom.storage.spool.checksum import certain_byte_before
from tallyroom.storage.spool.seal import BLOCK, Seal, read_seal, sums_in, tails


class Run(NamedTuple):
    """Consecutive bytes of a body that are certain, from `start` to before `stop`.

    Attributes:
        shift: how far they are from where they were written, in a body that grew or shrank.
    """

    start: int
    stop: int
    shift: int = 0

    @property
    def is_first(self) -> bool:
        """Whether the body was written beginning with these bytes."""
        return self.start == self.shift


class Proof(NamedTuple):
    """What is certain of a body.

    Attributes:
        seal: the seal; None if only checksums of blocks are left of it.
        original: the body, with each byte of which it is known what it was as it was written.
        runs: the bytes of `original` that are certain, in order; something changed between two runs.
        changes: the places in them of the bytes that are known to have changed.
    """

    seal: Seal | None
    original: bytes
    runs: Sequence[Run]
    changes: Sequence[int] = ()

    @property
    def is_whole(self) -> bool:
        """Whether every byte is as it was written, by a seal that is left whole."""
        if self.seal is None or self.changes or self.seal.length != len(self.original):
            return False
        return self.place(0, self.seal.length) == 0

    def place(self, start: int, stop: int) -> int | None:
        """Return where the bytes are now that were written from `start` to `stop`; None if they are not certain."""
        places = (
            start + run.shift for run in self.runs if run.start <= start + run.shift <= stop + run.shift <= run.stop
        )
        return next(places, None)

    def has_changed(self, start: int, stop: int) -> bool:
        """Return whether one of the bytes that are known to have changed is in a span."""
        return any(start <= at < stop for at in self.changes)


def prove(text: bytes, body: bytes, numbers: tuple[int, int, int]) -> Proof:
    """Compare a body with its seal.

    Args:
        text: the seal as the row has it.
        body: the body as the row has it.
        numbers: month, events and size as the row has them.
    """
    seal = read_seal(text, numbers)
    if seal is None:
        checksums: Sequence[int] = max(tails(text, len(body)), key=lambda tail: _fitting(tail, body), default=[])
        return Proof(None, body, _joined(run for run, fits in _compared(checksums, body) if fits))
    if seal.length != len(body):
        return Proof(seal, body, _ends(seal, body))
    return _repaired(seal, body)


def _blocks(length: int) -> list[Run]:
    return [Run(start, min(start + BLOCK, length)) for start in range(0, length, BLOCK)]


def _compared(checksums: Sequence[int], body: bytes) -> list[tuple[Run, bool]]:
    blocks = _blocks(len(body))
    return [
        (block, crc32(body[block.start : block.stop]) == checksum)
        for block, checksum in zip(blocks, checksums, strict=False)
    ]


def _fitting(checksums: Sequence[int], body: bytes) -> int:
    return sum(fits for _, fits in _compared(checksums, body))


def _repaired(seal: Seal, body: bytes) -> Proof:
    runs, parts, changes = [], [], []
    for block, (first, second) in zip(_blocks(len(body)), sums_in(seal), strict=True):
        part = body[block.start : block.stop]
        is_certain = crc32(part) == first
        if not is_certain and second is not None and (before := certain_byte_before(part, first, second)):
            is_certain = True
            changes.append(block.start + before[0])
            part = before[1]
        if is_certain:
            runs.append(block)
        parts.append(part)
    return Proof(seal, b"".join(parts) if changes else body, _joined(runs), changes)


def _ends(seal: Seal, body: bytes) -> list[Run]:
    """Return the blocks that fit from the start and from the end of a body that grew or shrank."""
    growth, common = len(body) - seal.length, min(len(body), seal.length)
    blocks = list(zip(_blocks(seal.length), (first for first, _ in sums_in(seal)), strict=True))
    start, end = 0, seal.length
    for block, checksum in blocks:
        if block.stop > common or crc32(body[block.start : block.stop]) != checksum:
            break
        start = block.stop
    for block, checksum in reversed(blocks):
        first = block.start + growth
        if block.start < start or first < start or crc32(body[first : block.stop + growth]) != checksum:
            break
        end = block.start
    return [run for run in (Run(0, start), Run(end + growth, len(body), growth)) if run.stop > run.start]


def _joined(blocks: Iterable[Run]) -> list[Run]:
    runs: list[Run] = []
    for block in blocks:
        if runs and runs[-1].stop == block.start:
            runs[-1] = Run(runs[-1].start, block.stop)
        else:
            runs.append(block)
    return runs
