"""A range is fixed once it is taken, and finishing it forgets exactly that range."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tallyroom.storage.spool import claim
from tallyroom.storage.spool.claim import Claim, WaitingChunk
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.row import UNMAPPED_MONTH


def add(file: sqlite3.Connection, body: bytes, month: int = 202611, size: int | None = None) -> None:
    values = (month, body.count(b"\n"), len(body) if size is None else size, body)
    file.execute("INSERT INTO chunk (month, events, bytes, body) VALUES (?, ?, ?, ?)", values)


def test_an_empty_spool_has_nothing_to_claim(file: sqlite3.Connection) -> None:
    assert claim.take_claim(file) is None
    assert claim.read_open_claim(file) is None
    assert claim.read_oldest_chunk_id(file) is None


def test_a_claim_is_kept_and_what_comes_later_is_not_in_it(file: sqlite3.Connection, path: Path) -> None:
    add(file, b"1\n")
    add(file, b"2\n3\n")
    assert claim.read_oldest_chunk_id(file) == 1
    taken = claim.take_claim(file)
    assert taken == Claim(1, 2)
    assert not taken.is_resumed
    add(file, b"4\n")
    with closing(open_spool_file(path)) as other:
        found = claim.read_open_claim(other)
        assert found == taken
        assert found.is_resumed
        assert [chunk.body for chunk in claim.read_waiting_chunks(other, taken)] == [b"1\n", b"2\n3\n"]


def test_a_claim_ends_before_it_is_too_large_but_holds_one_chunk_at_least(file: sqlite3.Connection) -> None:
    for size in (claim.MAX_CLAIM_BYTES + 1, claim.MAX_CLAIM_BYTES - 10, 10, 1):
        add(file, b"x\n", UNMAPPED_MONTH, size)
    ranges = []
    while taken := claim.take_claim(file):
        ranges.append((taken.first_id, taken.last_id))
        claim.finish_claim(file, taken)
    assert ranges == [(1, 1), (2, 3), (4, 4)]


def test_the_chunks_of_a_range_are_in_the_order_of_arrival(file: sqlite3.Connection) -> None:
    for number, month in enumerate([202611, 202610, 202611]):
        add(file, b"%d\n" % number, month)
    chunks = [WaitingChunk(at, month, 1, 2, b"%d\n" % (at - 1), None) for at, month in ((1, 202611), (2, 202610))]
    assert claim.read_waiting_chunks(file, Claim(1, 2)) == chunks
    assert claim.read_waiting_chunks(file, Claim(2, 2)) == chunks[1:]


def test_a_value_of_another_type_is_read_as_one_of_its_own(file: sqlite3.Connection) -> None:
    """As a byte in the head of a row may make of it."""
    file.execute("INSERT INTO chunk VALUES (1, 'x', 2.5, '', CAST(x'ff0a' AS TEXT), 'seal')")
    assert claim.read_waiting_chunks(file, Claim(1, 1)) == [WaitingChunk(1, 0, 2, 0, b"\xff\n", b"seal")]
    assert claim.take_claim(file) == Claim(1, 1)


def test_the_numbers_of_a_chunk_are_corrected(file: sqlite3.Connection) -> None:
    add(file, b"1\n2\n")
    [chunk] = claim.read_waiting_chunks(file, Claim(1, 1))
    claim.correct_chunk_numbers(file, chunk._replace(month=202610, event_count=1, byte_count=7))
    assert claim.read_waiting_chunks(file, Claim(1, 1)) == [WaitingChunk(1, 202610, 1, 7, b"1\n2\n", None)]


def test_finishing_forgets_the_range_and_its_halves_and_counts(file: sqlite3.Connection) -> None:
    add(file, b"1\n2\n")
    taken = claim.take_claim(file)
    assert taken
    add(file, b"3\n")
    for _ in range(2):
        claim.record_halved_part(file, (202611, 0, 2))
    assert claim.read_halved_parts(file) == {(202611, 0, 2)}
    assert claim.finish_claim(file, taken) == (2, 4)
    assert claim.read_open_claim(file) is None
    assert claim.read_halved_parts(file) == set()
    assert file.execute("SELECT id, body FROM chunk").fetchall() == [(2, b"3\n")]
    assert file.execute("SELECT value FROM number WHERE name = 'stored'").fetchone() == (2,)
