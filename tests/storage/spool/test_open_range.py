"""A range that changed on the disk is known by its copy, or not at all (rules/safety#damaged-events)."""

import sqlite3

import pytest

from tallyroom.storage.spool.chunk_set import ChunkSet
from tallyroom.storage.spool.open_range import forget_range, mend_range, read_open_range, record_range

DAMAGES = [
    "UPDATE claim SET last_id = 3",
    "UPDATE claim SET last_id = 1000000000000",
    "UPDATE claim SET first_id = 0",
    "UPDATE claim SET first_id = 3, last_id = 2",
    "UPDATE claim SET last_id = 'x'",
    "UPDATE claim SET last_id = 4.5",
    "DELETE FROM claim",
    "INSERT INTO claim VALUES (1, 4)",
]


@pytest.fixture
def range_of_four(file: sqlite3.Connection) -> sqlite3.Connection:
    """A file with the chunks 3 to 8, of which the first four are on their way."""
    for number in range(3, 9):
        file.execute("INSERT INTO chunk VALUES (?, 202611, 1, 2, 'x', NULL)", (number,))
    record_range(file, ChunkSet.of_range(3, 6))
    return file


def doubtful(file: sqlite3.Connection) -> list[int]:
    return [value for (value,) in file.execute("SELECT value FROM number WHERE name = 'doubtful'")]


def test_a_range_is_open_until_it_is_forgotten(range_of_four: sqlite3.Connection) -> None:
    assert read_open_range(range_of_four) == ChunkSet.of_range(3, 6)
    assert not mend_range(range_of_four)
    forget_range(range_of_four)
    assert read_open_range(range_of_four) is None
    assert not mend_range(range_of_four)
    assert doubtful(range_of_four) == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_of_a_range_that_changed_the_copy_counts(range_of_four: sqlite3.Connection, damage: str) -> None:
    range_of_four.execute(damage)
    assert read_open_range(range_of_four) == ChunkSet.of_range(3, 6)
    assert mend_range(range_of_four)
    assert range_of_four.execute("SELECT * FROM claim").fetchall() == [(3, 6)]
    assert not mend_range(range_of_four)
    assert doubtful(range_of_four) == []


@pytest.mark.parametrize("column", ["first_id", "last_id", "checksum"])
@pytest.mark.parametrize("value", [0, 4, "x", 10**12])
def test_a_copy_that_changed_is_made_again(range_of_four: sqlite3.Connection, column: str, value: object) -> None:
    range_of_four.execute(f"UPDATE claim_copy SET {column} = ?", (value,))  # of this file
    assert read_open_range(range_of_four) == ChunkSet.of_range(3, 6)
    assert mend_range(range_of_four)
    assert range_of_four.execute("SELECT first_id, last_id FROM claim_copy").fetchall() == [(3, 6)]


@pytest.mark.parametrize("damage", DAMAGES[:-1])
def test_without_two_records_that_agree_all_that_waits_is_doubtful(
    range_of_four: sqlite3.Connection, damage: str
) -> None:
    range_of_four.execute("INSERT INTO halved VALUES (202611, 0, 4)")
    range_of_four.execute("UPDATE claim_copy SET checksum = checksum + 1")
    range_of_four.execute(damage)
    assert read_open_range(range_of_four) is None
    assert mend_range(range_of_four)
    assert doubtful(range_of_four) == [8]
    assert range_of_four.execute("SELECT count(*) FROM halved").fetchone() == (0,)
    assert not mend_range(range_of_four)


def test_an_older_version_knows_no_copies(range_of_four: sqlite3.Connection) -> None:
    """It finishes the range, and takes another, which a crash leaves open."""
    range_of_four.execute("DELETE FROM chunk WHERE id BETWEEN 3 AND 6")
    range_of_four.execute("DELETE FROM claim")
    assert read_open_range(range_of_four) is None
    assert not mend_range(range_of_four)
    range_of_four.execute("INSERT INTO claim VALUES (7, 8)")
    assert read_open_range(range_of_four) == ChunkSet.of_range(7, 8)
    assert not mend_range(range_of_four)
    range_of_four.execute("DELETE FROM claim_copy")
    assert not mend_range(range_of_four)


SCATTERED = ChunkSet.of_runs([(3, 4), (6, 6), (8, 8)])


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE claim SET last_id = 5 WHERE first_id = 3",
        "UPDATE claim SET first_id = 'x' WHERE first_id = 6",
        "DELETE FROM claim WHERE first_id = 6",
        "INSERT INTO claim VALUES (5, 5)",
        "DELETE FROM claim",
        "UPDATE claim_copy SET first_id = 7, last_id = 7 WHERE first_id = 6",
        "UPDATE claim_copy SET checksum = 0 WHERE first_id = 6",
        "DELETE FROM claim_copy WHERE first_id = 8",
    ],
)
def test_a_record_of_several_runs_that_changed_is_repaired(range_of_four: sqlite3.Connection, damage: str) -> None:
    record_range(range_of_four, SCATTERED)
    assert not mend_range(range_of_four)
    range_of_four.execute(damage)
    assert read_open_range(range_of_four) == SCATTERED
    assert mend_range(range_of_four)
    assert range_of_four.execute("SELECT * FROM claim").fetchall() == list(SCATTERED.runs)
    assert not mend_range(range_of_four)
    assert doubtful(range_of_four) == []


@pytest.mark.parametrize(
    "damage", ["UPDATE chunk SET id = 106 WHERE id = 6", "UPDATE claim SET last_id = 3", "DELETE FROM claim"]
)
def test_runs_that_are_not_certain_are_not_used(range_of_four: sqlite3.Connection, damage: str) -> None:
    record_range(range_of_four, SCATTERED)
    range_of_four.execute("UPDATE claim_copy SET checksum = checksum + 1")
    range_of_four.execute(damage)
    if "chunk SET id" in damage:
        range_of_four.execute("UPDATE claim_copy SET checksum = checksum - 1")
    assert read_open_range(range_of_four) is None
    assert mend_range(range_of_four)
    assert doubtful(range_of_four) in ([8], [106])
