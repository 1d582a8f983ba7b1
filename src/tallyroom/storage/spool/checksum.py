"""The checksums of a text, and the one byte that explains why they no longer fit.

CRC-32 is linear: if one byte changed, the change of the checksum says which byte, and what it was. But the change of
one in 4,096 texts with several changed bytes looks as if it came from another single byte. So a second checksum, which
is not linear in the same way, has to agree.
"""

from typing import NamedTuple
from zlib import adler32, crc32

_EFFECTS = [crc32(bytes([value])) ^ crc32(b"\0") for value in range(256)]
"""How the checksum of a text changes if its last byte changes by a value."""
_VALUES_BY_EFFECT = {effect: value for value, effect in enumerate(_EFFECTS)}
_VALUES_BY_HIGH_BYTE = {effect >> 24: value for value, effect in enumerate(_EFFECTS)}


class ByteRepair(NamedTuple):
    """The place of a byte that changed, and the whole text as it was before."""

    byte_index: int
    original: bytes


def find_changed_byte(content: bytes, original_crc: int) -> ByteRepair | None:
    """Return the place of the one byte that may have changed, and the text with that byte as it was.

    Args:
        content: the text now.
        original_crc: the CRC-32 of the text as it was, which differs from that of the text now.

    Returns:
        None if no single byte explains the change, or several do.
    """
    change = _locate_change(crc32(content) ^ original_crc, len(content))
    if change is None:
        return None
    index, difference = change
    return ByteRepair(index, content[:index] + bytes([content[index] ^ difference]) + content[index + 1 :])


def find_certain_change(content: bytes, original_crc: int, original_adler: int) -> ByteRepair | None:
    """Like `find_changed_byte`, but None unless the second checksum, Adler-32, fits, too."""
    byte_repair = find_changed_byte(content, original_crc)
    return byte_repair if byte_repair is not None and adler32(byte_repair.original) == original_adler else None


def _locate_change(syndrome: int, length: int) -> tuple[int, int] | None:
    """Return the place and the change of the one byte that explains how a checksum changed.

    A byte's effect on the checksum is that of a last byte, with a zero appended for each byte after it. So the zeros
    are taken away one after the other.
    """
    changes = []
    for index in reversed(range(length)):
        if value := _VALUES_BY_EFFECT.get(syndrome):
            changes.append((index, value))
        last_value = _VALUES_BY_HIGH_BYTE[syndrome >> 24]
        syndrome = ((syndrome ^ _EFFECTS[last_value]) << 8 | last_value) & 0xFFFFFFFF
    return changes[0] if len(changes) == 1 else None
