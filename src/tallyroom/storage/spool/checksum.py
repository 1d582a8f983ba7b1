"""The checksums of a text, and the single byte that explains why they no longer fit.

CRC-32 is linear, so its change determines a single changed byte. But one in 4,096 texts with several changed bytes
looks like another single change, so a second checksum, not linear in the same way, has to agree.
"""

from typing import NamedTuple
from zlib import adler32, crc32

_EFFECTS = [crc32(bytes([value])) ^ crc32(b"\0") for value in range(256)]  # of a change of the last byte by a value
_VALUES_BY_EFFECT = {effect: value for value, effect in enumerate(_EFFECTS)}
_VALUES_BY_HIGH_BYTE = {effect >> 24: value for value, effect in enumerate(_EFFECTS)}


class ByteRepair(NamedTuple):
    """The index of a changed byte, and the whole original text."""

    byte_index: int
    original: bytes


def find_changed_byte(content: bytes, original_crc: int) -> ByteRepair | None:
    """Return the one byte that explains a changed CRC-32, and the restored text; None if there is not exactly one."""
    change = _locate_change(crc32(content) ^ original_crc, len(content))
    if change is None:
        return None
    index, difference = change
    return ByteRepair(index, content[:index] + bytes([content[index] ^ difference]) + content[index + 1 :])


def find_certain_change(content: bytes, original_crc: int, original_adler: int) -> ByteRepair | None:
    """Like `find_changed_byte`, but None unless Adler-32 fits as well."""
    byte_repair = find_changed_byte(content, original_crc)
    return byte_repair if byte_repair is not None and adler32(byte_repair.original) == original_adler else None


def _locate_change(syndrome: int, length: int) -> tuple[int, int] | None:
    """Return index and change of the byte that explains a checksum, by removing the zeros that follow it one by one."""
    changes = []
    for index in reversed(range(length)):
        if value := _VALUES_BY_EFFECT.get(syndrome):
            changes.append((index, value))
        last_value = _VALUES_BY_HIGH_BYTE[syndrome >> 24]
        syndrome = ((syndrome ^ _EFFECTS[last_value]) << 8 | last_value) & 0xFFFFFFFF
    return changes[0] if len(changes) == 1 else None
