"""The seal of a chunk: checksums by which the drain detects every byte that changed on the disk.

SQLite does not check what it reads. Checksums of each block say where a body changed, for a few microseconds per
commit; a checksum per event would add a tenth to the cost of an event (rules/safety#damaged-events).
"""

import struct
from collections.abc import Sequence
from zlib import adler32, crc32

import msgspec

from tallyroom.storage.spool.checksum import find_changed_byte

BLOCK_BYTES = 4096  # like a disk sector; small enough that `crc32` keeps Python's lock

_CHECKSUM = struct.Struct("<I")
_BYTES_HEADER_LENGTHS = (0, 2, 3, 5)  # of MessagePack; 0 if there are no bytes


class Seal(msgspec.Struct, array_like=True, frozen=True):
    """A chunk's properties when it was written; the numbers are as in `Chunk`."""

    month: int
    event_count: int
    byte_count: int
    body_length: int
    frame_sizes: list[tuple[int, int]]  # the length and the number of events of each frame; empty for lines
    block_crcs: bytes  # the CRC-32 of each block of the body, four bytes each
    block_adlers: bytes = b""  # the Adler-32, likewise; empty if an older version wrote the seal

    @property
    def row_numbers(self) -> tuple[int, int, int]:
        """The numbers that the row has as well."""
        return self.month, self.event_count, self.byte_count


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Seal)


def build_seal(
    month: int, event_count: int, byte_count: int, body: bytes, frame_sizes: Sequence[tuple[int, int]] = ()
) -> bytes:
    """Return the seal of a chunk, with its own checksum at the end."""
    view = memoryview(body)
    blocks = [view[start : start + BLOCK_BYTES] for start in range(0, len(body), BLOCK_BYTES)]
    pack_format = f"<{len(blocks)}I"
    crcs, adlers = struct.pack(pack_format, *map(crc32, blocks)), struct.pack(pack_format, *map(adler32, blocks))
    encoded_seal = _encoder.encode(Seal(month, event_count, byte_count, len(body), list(frame_sizes), crcs, adlers))
    return encoded_seal + _CHECKSUM.pack(crc32(encoded_seal))


def read_seal(seal_bytes: bytes, row_numbers: tuple[int, int, int]) -> Seal | None:
    """Return a chunk's seal; None if it is damaged.

    A seal with one repaired byte must agree with the row's month, event count and size, in case more bytes changed.
    """
    content, checksum_bytes = seal_bytes[: -_CHECKSUM.size], seal_bytes[-_CHECKSUM.size :]
    if len(checksum_bytes) != _CHECKSUM.size:
        return None
    (checksum,) = _CHECKSUM.unpack(checksum_bytes)
    syndrome = _CHECKSUM.pack(crc32(content) ^ checksum)
    if syndrome == bytes(_CHECKSUM.size):
        return _decode_seal(content)
    if sum(byte != 0 for byte in syndrome) == 1:  # the checksum itself changed
        seal = _decode_seal(content)
    else:
        byte_repair = find_changed_byte(content, checksum)
        seal = None if byte_repair is None else _decode_seal(byte_repair.original)
    return seal if seal is not None and seal.row_numbers == row_numbers else None


def _decode_seal(content: bytes) -> Seal | None:
    try:
        seal = _decoder.decode(content)
    except msgspec.DecodeError:
        return None
    checksums_length = -(-seal.body_length // BLOCK_BYTES) * _CHECKSUM.size
    is_whole = len(seal.block_crcs) == checksums_length and len(seal.block_adlers) in {0, checksums_length}
    frame_totals = (sum(length for length, _ in seal.frame_sizes), sum(count for _, count in seal.frame_sizes))
    return seal if is_whole and (not seal.frame_sizes or frame_totals == (seal.body_length, seal.event_count)) else None


def read_block_checksums(seal: Seal) -> list[tuple[int, int | None]]:
    """Return the two checksums of each block; the second is None if an older version wrote the seal."""
    crcs = [value for (value,) in _CHECKSUM.iter_unpack(seal.block_crcs)]
    adlers = [value for (value,) in _CHECKSUM.iter_unpack(seal.block_adlers)] or [None] * len(crcs)
    return list(zip(crcs, adlers, strict=True))


def list_possible_crcs(seal_bytes: bytes, body_length: int) -> list[list[int]]:
    """Return candidates for the CRC-32 of each block of a body, from the end of a damaged seal."""
    crcs_length = -(-body_length // BLOCK_BYTES) * _CHECKSUM.size
    ends = [
        len(seal_bytes) - _CHECKSUM.size - (crcs_length + header_length if header_length else 0)
        for header_length in _BYTES_HEADER_LENGTHS
    ]
    return [
        [value for (value,) in _CHECKSUM.iter_unpack(seal_bytes[end - crcs_length : end])]
        for end in ends
        if end >= crcs_length > 0
    ]
