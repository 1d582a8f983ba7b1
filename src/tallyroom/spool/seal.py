"""The seal of a chunk: checksums by which the drain notices every byte that changed on the disk.

SQLite does not check what it reads. A checksum of each block says where a body changed, at the cost of a few
microseconds a commit; one of each event would cost a tenth of what an event costs altogether. If a single byte of a
block changed, its checksum even says which, and what it was (rules/safety#damaged-events).
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import msgspec

BLOCK = 4096  # as a sector of a disk; below the size from which `crc32` gives up Python's lock

_CHECKSUM = struct.Struct("<I")


class Seal(msgspec.Struct, array_like=True, frozen=True):
    """What a chunk was when it was written.

    Attributes:
        month, events, size: as in `Chunk`.
        length: the bytes of the body.
        pieces: the length and the number of events of each frame; empty for lines.
        blocks: the checksum of each block of the body, four bytes each.
    """

    month: int
    events: int
    size: int
    length: int
    pieces: list[tuple[int, int]]
    blocks: bytes


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Seal)


def sealed(month: int, events: int, size: int, body: bytes, pieces: Sequence[tuple[int, int]] = ()) -> bytes:
    """Return the seal of a chunk, with a checksum of its own at the end."""
    view = memoryview(body)
    checksums = [crc32(view[start : start + BLOCK]) for start in range(0, len(body), BLOCK)]
    blocks = struct.pack(f"<{len(checksums)}I", *checksums)
    text = _encoder.encode(Seal(month, events, size, len(body), list(pieces), blocks))
    return text + _CHECKSUM.pack(crc32(text))


def read_seal(text: bytes | None, body: bytes) -> Seal | None:
    """Return a chunk's seal; None if it has none, as one of an older version, or if the seal itself is damaged.

    A body of another length than it was written with has no seal, either: its blocks are not those of the seal.
    """
    if not text or text[-_CHECKSUM.size :] != _CHECKSUM.pack(crc32(text[: -_CHECKSUM.size])):
        return None
    try:
        seal = _decoder.decode(text[: -_CHECKSUM.size])
    except msgspec.DecodeError:
        return None
    return seal if seal.length == len(body) else None


class Span(NamedTuple):
    """Bytes that changed: one that is known, or some in a block.

    Attributes:
        first, last: their places, both inclusive.
        is_byte: whether it is known which byte changed, and what it was.
    """

    first: int
    last: int
    is_byte: bool


class Damage(NamedTuple):
    """What changed in a body since it was sealed.

    Attributes:
        written: the body, with each byte of which it is known what it was as it was written.
        spans: where bytes changed, from the first to the last.
    """

    written: bytes
    spans: list[Span]


def find_damage(seal: Seal, body: bytes) -> Damage | None:
    """Return what changed in the body; None if nothing did."""
    written, spans = bytearray(body), []
    for number, (checksum,) in enumerate(_CHECKSUM.iter_unpack(seal.blocks)):
        start = number * BLOCK
        block = body[start : start + BLOCK]
        syndrome = crc32(block) ^ checksum
        if not syndrome:
            continue
        changed = _one_byte(syndrome, len(block))
        if changed is None:
            spans.append(Span(start, start + len(block) - 1, is_byte=False))
        else:
            at, difference = start + changed[0], changed[1]
            written[at] ^= difference
            spans.append(Span(at, at, is_byte=True))
    return Damage(bytes(written), spans) if spans else None


_EFFECTS = [crc32(bytes([value])) ^ crc32(b"\0") for value in range(256)]
"""How the checksum of a text changes if its last byte changes by a value."""
_VALUES = {effect: value for value, effect in enumerate(_EFFECTS)}
_BY_HIGH_BYTE = {effect >> 24: value for value, effect in enumerate(_EFFECTS)}


def _one_byte(syndrome: int, length: int) -> tuple[int, int] | None:
    """Return the place and the change of the one byte that explains how a checksum changed; None if none or several do.

    A checksum is linear: a byte's effect on it is that of a last byte, with a zero appended for each byte after it. So
    the zeros are taken away one after the other.
    """
    found = []
    for at in reversed(range(length)):
        if value := _VALUES.get(syndrome):
            found.append((at, value))
        last = _BY_HIGH_BYTE[syndrome >> 24]
        syndrome = ((syndrome ^ _EFFECTS[last]) << 8 | last) & 0xFFFFFFFF
    return found[0] if len(found) == 1 else None
