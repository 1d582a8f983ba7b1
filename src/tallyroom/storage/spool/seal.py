"""The seal of a chunk: checksums by which the drain notices every byte that changed on the disk.

SQLite does not check what it reads. Checksums of each block say where a body changed, at the cost of a few microseconds
a commit; one of each event would cost a tenth of what an event costs altogether (rules/safety#damaged-events).
"""

import struct
from collections.abc import Sequence
from zlib import adler32, crc32

import msgspec

from tallyroom.storage.spool.checksum import one_byte_before

BLOCK = 4096  # as a sector of a disk; below the size from which `crc32` gives up Python's lock

_SUM = struct.Struct("<I")
_HEADS = (0, 2, 3, 5)
"""The bytes that MessagePack puts before bytes, by how many there are; 0 if there are none at all."""


class Seal(msgspec.Struct, array_like=True, frozen=True):
    """What a chunk was when it was written.

    Attributes:
        month, events, size: as in `Chunk`.
        length: the bytes of the body.
        pieces: the length and the number of events of each frame; empty for lines.
        blocks: the CRC-32 of each block of the body, four bytes each.
        seconds: the Adler-32 of each block, likewise; empty if an older version wrote the seal.
    """

    month: int
    events: int
    size: int
    length: int
    pieces: list[tuple[int, int]]
    blocks: bytes
    seconds: bytes = b""

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The numbers that the row has, too."""
        return self.month, self.events, self.size


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Seal)


def sealed(month: int, events: int, size: int, body: bytes, pieces: Sequence[tuple[int, int]] = ()) -> bytes:
    """Return the seal of a chunk, with a checksum of its own at the end."""
    view = memoryview(body)
    blocks = [view[start : start + BLOCK] for start in range(0, len(body), BLOCK)]
    layout = f"<{len(blocks)}I"
    first, second = struct.pack(layout, *map(crc32, blocks)), struct.pack(layout, *map(adler32, blocks))
    text = _encoder.encode(Seal(month, events, size, len(body), list(pieces), first, second))
    return text + _SUM.pack(crc32(text))


def read_seal(text: bytes, numbers: tuple[int, int, int]) -> Seal | None:
    """Return a chunk's seal; None if it is damaged.

    Args:
        text: the seal as the row has it.
        numbers: month, events and size as the row has them. If one byte of the seal may have changed, the seal as it
            was must agree with them: the checksum alone does not prove that no other byte did.
    """
    content, end = text[: -_SUM.size], text[-_SUM.size :]
    if len(end) != _SUM.size:
        return None
    (checksum,) = _SUM.unpack(end)
    syndrome = _SUM.pack(crc32(content) ^ checksum)
    if syndrome == bytes(_SUM.size):
        return _decoded(content)
    if sum(byte != 0 for byte in syndrome) == 1:  # of the checksum itself
        seal = _decoded(content)
    else:
        before = one_byte_before(content, checksum)
        seal = None if before is None else _decoded(before[1])
    return seal if seal is not None and seal.numbers == numbers else None


def _decoded(content: bytes) -> Seal | None:
    try:
        seal = _decoder.decode(content)
    except msgspec.DecodeError:
        return None
    count = -(-seal.length // BLOCK) * _SUM.size
    is_whole = len(seal.blocks) == count and len(seal.seconds) in {0, count}
    pieces = sum(length for length, _ in seal.pieces), sum(events for _, events in seal.pieces)
    return seal if is_whole and (not seal.pieces or pieces == (seal.length, seal.events)) else None


def sums_in(seal: Seal) -> list[tuple[int, int | None]]:
    """Return the two checksums of each block; the second is None if an older version wrote the seal."""
    first = [value for (value,) in _SUM.iter_unpack(seal.blocks)]
    second = [value for (value,) in _SUM.iter_unpack(seal.seconds)] or [None] * len(first)
    return list(zip(first, second, strict=True))


def tails(text: bytes, length: int) -> list[list[int]]:
    """Return what may be the CRC-32 of each block of a body, from the end of a damaged seal.

    Args:
        text: the seal.
        length: that of the body.
    """
    size = -(-length // BLOCK) * _SUM.size
    ends = [len(text) - _SUM.size - (size + head if head else 0) for head in _HEADS]
    return [[value for (value,) in _SUM.iter_unpack(text[end - size : end])] for end in ends if end >= size > 0]
