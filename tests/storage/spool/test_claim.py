"""A claim is fixed once it is taken, and finishing it forgets exactly its chunks."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.stores.spool_batches import claim_all, claim_range
from tallyroom.storage.spool import claim
from tallyroom.storage.spool.chunk_set import ChunkRun, ChunkSet
from tallyroom.storage.spool.claim import ChunkSize, Claim, WaitingChunk
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.lane import LaneMonth


def add(file: sqlite3.Connection, body: bytes, month: int = 202611) -> None:
    values = (month, body.count(b"\n"), len(body), body)
    file.execute("INSERT INTO chunk (month, events, bytes, body) VALUES (?, ?, ?, ?)", values)


def test_an_empty_spool_has_nothing_to_claim(file: sqlite3.Connection) -> None:
    assert claim.read_chunk_sizes(file) == []
    assert claim.read_open_claim(file) is None
    assert claim.read_oldest_chunk_id(file) is None


def test_a_claim_is_kept_and_what_comes_later_is_not_in_it(file: sqlite3.Connection, path: Path) -> None:
    add(file, b"1\n")
    add(file, b"2\n3\n")
    assert claim.read_oldest_chunk_id(file) == 1
    taken = claim_all(file)
    assert taken == claim_range(1, 2)
    assert not taken.is_resumed
    add(file, b"4\n")
    with closing(open_spool_file(path)) as other:
        found = claim.read_open_claim(other)
        assert found == taken
        assert found.is_resumed
        assert [chunk.body for chunk in claim.read_waiting_chunks(other, taken)] == [b"1\n", b"2\n3\n"]


def test_a_claim_has_the_chunks_that_it_names_and_no_others(file: sqlite3.Connection, path: Path) -> None:
    for number in range(1, 8):
        add(file, b"%d\n" % number, 202600 + number)
    chosen = ChunkSet.of_runs([(6, 6), (2, 3)])
    taken = claim.take_claim(file, chosen)
    with closing(open_spool_file(path)) as other:
        assert claim.read_open_claim(other) == taken == Claim(chosen)
    assert [chunk.id for chunk in claim.read_waiting_chunks(file, taken)] == [2, 3, 6]
    assert claim.finish_claim(file, taken) == 3
    assert [size.id for size in claim.read_chunk_sizes(file)] == [1, 4, 5, 7]


def test_a_claim_of_a_chunk_that_is_missing_is_refused(file: sqlite3.Connection) -> None:
    add(file, b"1\n")
    with pytest.raises(claim.ChunksMissing):
        claim.take_claim(file, ChunkSet((ChunkRun(1, 2),)))
    assert claim.read_open_claim(file) is None


def test_the_sizes_tell_lanes_and_months_of_all_that_waits(file: sqlite3.Connection) -> None:
    add(file, b"1\n")
    add(file, b"2\n3\n", 202610)
    file.execute("INSERT INTO chunk_lane VALUES (2, 'w/production')")
    assert claim.read_chunk_sizes(file) == [
        ChunkSize(1, LaneMonth("", 202611), 2),
        ChunkSize(2, LaneMonth("w/production", 202610), 4),
    ]
    claim.finish_claim(file, claim_range(2, 2))
    assert file.execute("SELECT * FROM chunk_lane").fetchall() == []


def test_the_chunks_of_a_range_are_in_the_order_of_arrival(file: sqlite3.Connection) -> None:
    for number, month in enumerate([202611, 202610, 202611]):
        add(file, b"%d\n" % number, month)
    chunks = [WaitingChunk(at, month, 1, 2, b"%d\n" % (at - 1), None) for at, month in ((1, 202611), (2, 202610))]
    assert claim.read_waiting_chunks(file, claim_range(1, 2)) == chunks
    assert claim.read_waiting_chunks(file, claim_range(2, 2)) == chunks[1:]


def test_a_value_of_another_type_is_read_as_one_of_its_own(file: sqlite3.Connection) -> None:
    """As a byte in the head of a row may make of it."""
    file.execute("INSERT INTO chunk VALUES (1, 'x', 2.5, '', CAST(x'ff0a' AS TEXT), 'seal')")
    assert claim.read_waiting_chunks(file, claim_range(1, 1)) == [WaitingChunk(1, 0, 2, 0, b"\xff\n", b"seal")]
    assert claim_all(file) == claim_range(1, 1)


def test_the_numbers_of_a_chunk_are_corrected(file: sqlite3.Connection) -> None:
    add(file, b"1\n2\n")
    [chunk] = claim.read_waiting_chunks(file, claim_range(1, 1))
    claim.correct_chunk_numbers(file, chunk._replace(month=202610, event_count=1, byte_count=7))
    assert claim.read_waiting_chunks(file, claim_range(1, 1)) == [WaitingChunk(1, 202610, 1, 7, b"1\n2\n", None)]


def test_finishing_forgets_the_range_and_its_halves_and_counts(file: sqlite3.Connection) -> None:
    add(file, b"1\n2\n")
    taken = claim_all(file)
    assert taken
    add(file, b"3\n")
    for _ in range(2):
        claim.record_halved_part(file, (202611, 0, 2))
    assert claim.read_halved_parts(file) == {(202611, 0, 2)}
    assert claim.finish_claim(file, taken) == 2
    assert claim.read_open_claim(file) is None
    assert claim.read_halved_parts(file) == set()
    assert file.execute("SELECT id, body FROM chunk").fetchall() == [(2, b"3\n")]
    assert file.execute("SELECT value FROM number WHERE name = 'stored'").fetchone() == (2,)
