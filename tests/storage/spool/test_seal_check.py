"""No byte of a chunk changes unnoticed, and a single one is known (rules/safety#damaged-events)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.spool.test_checksum import LIKE_ONE, TEXT
from storage.spool.test_seal import changed, sealed_before
from tallyroom.storage.spool.seal import BLOCK, sealed
from tallyroom.storage.spool.seal_check import Proof, Run, prove

BODIES = st.binary(min_size=1, max_size=3 * BLOCK)
NUMBERS = (202611, 3, 400)


def proof_of(now: bytes, written: bytes) -> Proof:
    return prove(sealed(*NUMBERS, written), now, NUMBERS)


@given(BODIES)
def test_a_chunk_that_is_as_it_was_is_whole(body: bytes) -> None:
    proof = proof_of(body, body)
    assert proof.is_whole
    assert (proof.original, proof.runs) == (body, [Run(0, len(body))])


@given(BODIES, st.data())
def test_one_changed_byte_of_a_block_is_found_with_what_it_was(body: bytes, data: st.DataObject) -> None:
    places = {data.draw(st.integers(start, min(start + BLOCK, len(body)) - 1)) for start in range(0, len(body), BLOCK)}
    now = bytearray(body)
    for place in places:
        now[place] ^= data.draw(st.integers(1, 255))
    proof = proof_of(bytes(now), body)
    assert not proof.is_whole
    assert (proof.original, proof.runs, proof.changes) == (body, [Run(0, len(body))], sorted(places))


@pytest.mark.parametrize("number", [2, 3, 8, 100])
def test_several_changed_bytes_of_a_block_leave_the_others_certain(number: int) -> None:
    chance = Random(number)
    body = chance.randbytes(3 * BLOCK - 100)
    now = changed(body, *chance.sample(range(BLOCK, 2 * BLOCK), number))
    assert proof_of(now, body) == (proof_of(body, body).seal, now, [Run(0, BLOCK), Run(2 * BLOCK, len(body))], [])


def test_two_changed_bytes_that_look_like_one_are_not_known() -> None:
    assert proof_of(bytes(LIKE_ONE), TEXT)[1:] == (bytes(LIKE_ONE), [], [])


def test_without_a_second_checksum_no_byte_is_known() -> None:
    body = Random(1).randbytes(2 * BLOCK)
    assert prove(sealed_before(body), changed(body, 9), NUMBERS).runs == [Run(BLOCK, 2 * BLOCK)]


@pytest.mark.parametrize("lost", [1, 5, 9])
def test_a_damaged_seal_proves_the_blocks_whose_checksums_are_left(lost: int) -> None:
    body = Random(1).randbytes(3 * BLOCK - 100)
    text = sealed(*NUMBERS, body)
    proof = prove(bytes(lost) + changed(text[lost:], 3), body, NUMBERS)
    assert (proof.seal, proof.runs) == (None, [Run(0, len(body))])
    assert not proof.is_whole
    assert prove(bytes(lost) + changed(text[lost:], 3), changed(body, 0), NUMBERS).runs == [Run(BLOCK, len(body))]
    assert prove(bytes(len(text)), body, NUMBERS).runs == []
    assert prove(b"", body, NUMBERS) == (None, body, [], ())


@pytest.mark.parametrize(
    ("cut", "filling", "runs"),
    [
        ((4 * BLOCK - 109, 4 * BLOCK - 108), b"", [Run(0, 3 * BLOCK)]),
        ((0, 7), b"", [Run(BLOCK - 7, 4 * BLOCK - 107, -7)]),
        ((BLOCK + 1, BLOCK + 2), b"abc", [Run(0, BLOCK), Run(2 * BLOCK + 2, 4 * BLOCK - 98, 2)]),
        ((BLOCK, 2 * BLOCK), b"", [Run(0, BLOCK), Run(BLOCK, 3 * BLOCK - 100, -BLOCK)]),
        ((0, BLOCK), b"", [Run(0, 3 * BLOCK - 100, -BLOCK)]),
        ((4 * BLOCK, 4 * BLOCK), b"abc", [Run(0, 4 * BLOCK - 100)]),
        ((0, 4 * BLOCK), b"", []),
    ],
)
def test_of_a_body_that_grew_or_shrank_the_blocks_at_its_ends_are_certain(
    cut: tuple[int, int], filling: bytes, runs: list[Run]
) -> None:
    body = Random(1).randbytes(4 * BLOCK - 100)
    now = body[: cut[0]] + filling + body[cut[1] :]
    proof = proof_of(now, body)
    assert proof.runs == runs
    assert not proof.is_whole
    for run in runs:
        assert now[run.start : run.stop] == body[run.start - run.shift : run.stop - run.shift]
        assert proof.place(run.start - run.shift, run.stop - run.shift) == run.start
    assert proof.place(0, len(body) + 1) is None
