"""A seal is read as it was written, or not at all (rules/safety#damaged-events)."""

from random import Random
from struct import pack
from zlib import crc32

import msgspec
import pytest

from tallyroom.storage.spool.seal import (
    BLOCK_BYTES,
    Seal,
    build_seal,
    list_possible_crcs,
    read_block_checksums,
    read_seal,
)

NUMBERS = (202611, 3, 400)
BODY = b"line\n" * 2000


def changed(text: bytes, *places: int) -> bytes:
    now = bytearray(text)
    for place in places:
        now[place] ^= 0x20
    return bytes(now)


def test_a_seal_says_what_was_written() -> None:
    seal = read_seal(build_seal(*NUMBERS, BODY, [(len(BODY), 3)]), NUMBERS)
    assert seal is not None
    assert (seal.row_numbers, seal.body_length, seal.frame_sizes) == (NUMBERS, len(BODY), [(len(BODY), 3)])
    assert [first for first, _ in read_block_checksums(seal)] == [
        crc32(BODY[at : at + BLOCK_BYTES]) for at in range(0, len(BODY), BLOCK_BYTES)
    ]


def test_one_changed_byte_of_a_seal_is_known() -> None:
    text = build_seal(*NUMBERS, BODY)
    seal = read_seal(text, NUMBERS)
    assert [at for at in range(len(text)) if read_seal(changed(text, at), NUMBERS) != seal] == []
    assert [at for at in range(len(text)) if read_seal(changed(text, at), (202611, 4, 400)) is not None] == []


def test_a_seal_of_which_more_changed_is_none() -> None:
    text, chance = build_seal(*NUMBERS, BODY), Random(1)
    for _ in range(2000):
        assert read_seal(changed(text, *chance.sample(range(len(text)), 2)), NUMBERS) is None
    assert [end for end in range(len(text)) if read_seal(text[:end], NUMBERS) is not None] == []


@pytest.mark.parametrize("blocks", [1, 3, 70, 20_000])
def test_of_a_damaged_seal_the_end_has_the_checksums_of_the_blocks(blocks: int) -> None:
    body = bytes(blocks * BLOCK_BYTES - 7)
    checksums = [crc32(body[at : at + BLOCK_BYTES]) for at in range(0, len(body), BLOCK_BYTES)]
    assert checksums in list_possible_crcs(bytes(9) + build_seal(*NUMBERS, body)[9:], len(body))
    assert checksums in list_possible_crcs(sealed_before(body), len(body))


def sealed_before(body: bytes) -> bytes:
    """As an older version sealed it."""
    blocks = b"".join(pack("<I", crc32(body[at : at + BLOCK_BYTES])) for at in range(0, len(body), BLOCK_BYTES))
    text = msgspec.msgpack.encode([*NUMBERS, len(body), [], blocks])
    return text + pack("<I", crc32(text))


def test_a_seal_of_an_older_version_is_read() -> None:
    seal = read_seal(sealed_before(BODY), (0, 0, 0))
    assert seal is not None
    assert {second for _, second in read_block_checksums(seal)} == {None}


def test_an_older_version_reads_a_seal_of_this_one() -> None:
    class Before(msgspec.Struct, array_like=True):
        month: int
        events: int
        size: int
        length: int
        pieces: list[tuple[int, int]]
        blocks: bytes

    text = build_seal(*NUMBERS, BODY)
    seal = read_seal(text, NUMBERS)
    assert isinstance(seal, Seal)
    assert text[-4:] == pack("<I", crc32(text[:-4]))
    assert msgspec.msgpack.decode(text[:-4], type=Before).blocks == seal.block_crcs
