"""One changed byte is found; several are not taken for one (rules/safety#damaged-events)."""

from random import Random
from zlib import adler32, crc32

from hypothesis import given
from hypothesis import strategies as st

from tallyroom.storage.spool.checksum import find_certain_change, find_changed_byte


@given(st.binary(min_size=1, max_size=4096), st.data())
def test_one_changed_byte_is_found_with_what_it_was(text: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    now = text[:at] + bytes([text[at] ^ data.draw(st.integers(1, 255))]) + text[at + 1 :]
    assert find_certain_change(now, crc32(text), adler32(text)) == (at, text)


TEXT = Random(1).randbytes(4096)
LIKE_ONE = bytearray(TEXT)
"""The text with two changed bytes, which CRC-32 alone takes for a single one somewhere else."""
LIKE_ONE[2533] ^= 209
LIKE_ONE[2471] ^= 38


def test_two_changed_bytes_are_not_taken_for_one() -> None:
    before = find_changed_byte(bytes(LIKE_ONE), crc32(TEXT))
    assert before is not None
    assert before[1] != TEXT
    assert find_certain_change(bytes(LIKE_ONE), crc32(TEXT), adler32(TEXT)) is None
