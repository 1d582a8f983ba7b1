"""spool.seal: no byte of a chunk changes unnoticed, and a single one is known (rules/safety#damaged-events)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.spool.seal import BLOCK, Seal, Span, find_damage, read_seal, sealed

BODIES = st.binary(min_size=1, max_size=3 * BLOCK)


def seal_of(body: bytes) -> Seal:
    seal = read_seal(sealed(202611, 3, 400, body, [(len(body), 3)]), body)
    assert seal is not None
    return seal


def changed(body: bytes, *places: int) -> bytes:
    found = bytearray(body)
    for place in places:
        found[place] ^= 0x20
    return bytes(found)


@given(BODIES)
def test_a_chunk_that_is_as_it_was_has_no_damage(body: bytes) -> None:
    seal = seal_of(body)
    assert (seal.month, seal.events, seal.size, seal.length, seal.pieces) == (
        202611,
        3,
        400,
        len(body),
        [(len(body), 3)],
    )
    assert find_damage(seal, body) is None


@given(BODIES, st.data())
def test_one_changed_byte_of_a_block_is_found_with_what_it_was(body: bytes, data: st.DataObject) -> None:
    places = {data.draw(st.integers(start, min(start + BLOCK, len(body)) - 1)) for start in range(0, len(body), BLOCK)}
    now = bytearray(body)
    for place in places:
        now[place] ^= data.draw(st.integers(1, 255))
    damage = find_damage(seal_of(body), bytes(now))
    assert damage is not None
    assert damage.written == body
    assert damage.spans == [Span(place, place, is_byte=True) for place in sorted(places)]


@pytest.mark.parametrize("number", [2, 3, 8, 100])
def test_several_changed_bytes_of_a_block_leave_the_others_certain(number: int) -> None:
    chance = Random(number)
    body = chance.randbytes(3 * BLOCK - 100)
    damage = find_damage(seal_of(body), changed(body, *chance.sample(range(BLOCK, 2 * BLOCK), number)))
    assert damage is not None
    assert damage.spans == [Span(BLOCK, 2 * BLOCK - 1, is_byte=False)]


def test_a_seal_that_is_damaged_itself_is_none() -> None:
    body = b"line\n" * 2000
    seal = sealed(202611, 3, 400, body)
    assert [at for at in range(len(seal)) if read_seal(changed(seal, at), body) is not None] == []
    assert [end for end in range(len(seal)) if read_seal(seal[:end], body) is not None] == []
    assert read_seal(None, body) is None


def test_a_body_of_another_length_has_no_seal() -> None:
    seal = sealed(202611, 3, 400, b"line\n" * 3)
    assert read_seal(seal, b"line\n" * 2) is None
    assert read_seal(seal, b"line\n" * 3 + b" ") is None
