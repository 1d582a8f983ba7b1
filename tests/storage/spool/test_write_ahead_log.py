"""The spool's write-ahead log: what changed on the disk loses no commit behind it, and what a crash left stays out."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from harness.suite.few import few
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.write_ahead_log import mend_log

COMMITS = 12
HEAD, FRAME_HEAD = 32, 24
Damage = Callable[[bytearray], None]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a database as a crash leaves it, with several commits of some pages each."""
    with closing(open_spool_file(tmp_path / "a")) as connection:
        connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, body BLOB)")
        for number in range(COMMITS):
            connection.execute("INSERT INTO row VALUES (?, ?)", (number, random.Random(number).randbytes(6000)))
        for name in ("a", "a-wal"):
            shutil.copy(tmp_path / name, tmp_path / name.replace("a", "b", 1))
    return tmp_path / "b-wal"


def rows(log: Path) -> dict[int, bytes]:
    """What SQLite finds."""
    with closing(sqlite3.connect(log.parent / "b")) as connection:
        return dict(connection.execute("SELECT id, body FROM row"))


def damaged(log: Path, damage: Damage) -> None:
    data = bytearray(log.read_bytes())
    damage(data)
    log.write_bytes(data)


def span(log: Path) -> int:
    return FRAME_HEAD + int.from_bytes(log.read_bytes()[8:12])


def test_a_whole_log_stays_as_it_is(log: Path) -> None:
    before = log.read_bytes()
    assert mend_log(log) == 0
    assert log.read_bytes() == before


@few(8, "seed", range(40))
def test_a_byte_that_changed_loses_nothing_behind_it(log: Path, seed: int) -> None:
    """Wherever it is: in a page, in a head, in a checksum, or in the head of the log.

    A high bit of a page may stay changed, because the checksum does not say which it is.
    """
    before = log.read_bytes()
    source = random.Random(seed)
    frame = HEAD + source.randrange(len(before) // span(log)) * span(log)
    places = {0: frame + source.randrange(FRAME_HEAD), 1: source.randrange(4, HEAD)}
    place = places.get(seed % 4, source.randrange(len(before)))
    bit = 1 << source.randrange(8)

    def change(data: bytearray) -> None:
        data[place] ^= bit

    damaged(log, change)
    assert mend_log(log) == 1
    after = log.read_bytes()
    assert after == before or place % 4 == 3
    assert set(rows(log)) == set(range(COMMITS))


def test_a_page_of_which_more_changed_is_taken_as_it_is_and_what_is_behind_it_stays(log: Path) -> None:
    place = log.read_bytes().index(random.Random(3).randbytes(6000)[:100])

    def change(data: bytearray) -> None:
        data[place : place + 16] = bytes(16)

    damaged(log, change)
    assert mend_log(log) == 1
    after = rows(log)
    assert set(after) == set(range(COMMITS))
    assert [number for number, body in after.items() if body != random.Random(number).randbytes(6000)] == [3]


def test_without_mending_all_behind_a_byte_would_be_lost(log: Path) -> None:
    place = log.read_bytes().index(random.Random(3).randbytes(6000)[:100])

    def change(data: bytearray) -> None:
        data[place] ^= 1

    damaged(log, change)
    assert set(rows(log)) == {0, 1, 2}


@pytest.mark.parametrize("what", ["cut", "zeros", "other bytes"])
def test_what_a_crash_left_of_the_last_commit_stays_out(log: Path, what: str) -> None:
    size = len(log.read_bytes())

    def change(data: bytearray) -> None:
        start = size - span(log) + 1000
        if what == "cut":
            del data[start:]
        else:
            data[start : start + 2048] = bytes(2048) if what == "zeros" else random.Random(9).randbytes(2048)

    damaged(log, change)
    content = log.read_bytes()
    assert mend_log(log) == 0
    assert log.read_bytes() == content
    assert set(rows(log)) == set(range(COMMITS - 1))


def test_nothing_is_made_where_nothing_is(tmp_path: Path) -> None:
    assert mend_log(tmp_path / "none-wal") == 0
    (tmp_path / "empty-wal").touch()
    assert mend_log(tmp_path / "empty-wal") == 0
    assert not (tmp_path / "none-wal").exists()
