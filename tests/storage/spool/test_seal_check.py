"""No byte of a chunk changes unnoticed, and a single one is known (rules/safety#damaged-events)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.spool.test_checksum import LIKE_ONE, TEXT
from storage.spool.test_seal import changed, sealed_before
from tallyroom.storage.spool.seal import BLOCK_BYTES, build_seal
from tallyroom.storage.spool.seal_check import BodyProof, ByteRun, check_body

BODIES = st.binary(min_size=1, max_size=3 * BLOCK_BYTES)
NUMBERS = (202611, 3, 400)


def proof_of(now: bytes, written: bytes) -> BodyProof:
    return check_body(build_seal(*NUMBERS, written), now, NUMBERS)


@given(BODIES)
def test_a_chunk_that_is_as_it_was_is_whole(body: bytes) -> None:
    proof = proof_of(body, body)
    assert proof.is_intact
    assert (proof.repaired_body, proof.certain_runs) == (body, [ByteRun(0, len(body))])


@given(BODIES, st.data())
def test_one_changed_byte_of_a_block_is_found_with_what_it_was(body: bytes, data: st.DataObject) -> None:
    places = {
        data.draw(st.integers(start, min(start + BLOCK_BYTES, len(body)) - 1))
        for start in range(0, len(body), BLOCK_BYTES)
    }
    now = bytearray(body)
    for place in places:
        now[place] ^= data.draw(st.integers(1, 255))
    proof = proof_of(bytes(now), body)
    assert not proof.is_intact
    assert (proof.repaired_body, proof.certain_runs, proof.changed_indexes) == (
        body,
        [ByteRun(0, len(body))],
        sorted(places),
    )


@pytest.mark.parametrize("number", [2, 3, 8, 100])
def test_several_changed_bytes_of_a_block_leave_the_others_certain(number: int) -> None:
    chance = Random(number)
    body = chance.randbytes(3 * BLOCK_BYTES - 100)
    now = changed(body, *chance.sample(range(BLOCK_BYTES, 2 * BLOCK_BYTES), number))
    assert proof_of(now, body) == (
        proof_of(body, body).seal,
        now,
        [ByteRun(0, BLOCK_BYTES), ByteRun(2 * BLOCK_BYTES, len(body))],
        [],
    )


def test_two_changed_bytes_that_look_like_one_are_not_known() -> None:
    assert proof_of(bytes(LIKE_ONE), TEXT)[1:] == (bytes(LIKE_ONE), [], [])


def test_without_a_second_checksum_no_byte_is_known() -> None:
    body = Random(1).randbytes(2 * BLOCK_BYTES)
    assert check_body(sealed_before(body), changed(body, 9), NUMBERS).certain_runs == [
        ByteRun(BLOCK_BYTES, 2 * BLOCK_BYTES)
    ]


@pytest.mark.parametrize("lost", [1, 5, 9])
def test_a_damaged_seal_proves_the_blocks_whose_checksums_are_left(lost: int) -> None:
    body = Random(1).randbytes(3 * BLOCK_BYTES - 100)
    text = build_seal(*NUMBERS, body)
    proof = check_body(bytes(lost) + changed(text[lost:], 3), body, NUMBERS)
    assert (proof.seal, proof.certain_runs) == (None, [ByteRun(0, len(body))])
    assert not proof.is_intact
    assert check_body(bytes(lost) + changed(text[lost:], 3), changed(body, 0), NUMBERS).certain_runs == [
        ByteRun(BLOCK_BYTES, len(body))
    ]
    assert check_body(bytes(len(text)), body, NUMBERS).certain_runs == []
    assert check_body(b"", body, NUMBERS) == (None, body, [], ())


@pytest.mark.parametrize(
    ("cut", "filling", "runs"),
    [
        ((4 * BLOCK_BYTES - 109, 4 * BLOCK_BYTES - 108), b"", [ByteRun(0, 3 * BLOCK_BYTES)]),
        ((0, 7), b"", [ByteRun(BLOCK_BYTES - 7, 4 * BLOCK_BYTES - 107, -7)]),
        (
            (BLOCK_BYTES + 1, BLOCK_BYTES + 2),
            b"abc",
            [ByteRun(0, BLOCK_BYTES), ByteRun(2 * BLOCK_BYTES + 2, 4 * BLOCK_BYTES - 98, 2)],
        ),
        (
            (BLOCK_BYTES, 2 * BLOCK_BYTES),
            b"",
            [ByteRun(0, BLOCK_BYTES), ByteRun(BLOCK_BYTES, 3 * BLOCK_BYTES - 100, -BLOCK_BYTES)],
        ),
        ((0, BLOCK_BYTES), b"", [ByteRun(0, 3 * BLOCK_BYTES - 100, -BLOCK_BYTES)]),
        ((4 * BLOCK_BYTES, 4 * BLOCK_BYTES), b"abc", [ByteRun(0, 4 * BLOCK_BYTES - 100)]),
        ((0, 4 * BLOCK_BYTES), b"", []),
    ],
)
def test_of_a_body_that_grew_or_shrank_the_blocks_at_its_ends_are_certain(
    cut: tuple[int, int], filling: bytes, runs: list[ByteRun]
) -> None:
    body = Random(1).randbytes(4 * BLOCK_BYTES - 100)
    now = body[: cut[0]] + filling + body[cut[1] :]
    proof = proof_of(now, body)
    assert proof.certain_runs == runs
    assert not proof.is_intact
    for run in runs:
        assert now[run.start : run.stop] == body[run.start - run.shift : run.stop - run.shift]
        assert proof.locate(run.start - run.shift, run.stop - run.shift) == run.start
    assert proof.locate(0, len(body) + 1) is None
