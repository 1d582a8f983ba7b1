"""What waits in the spool of another process, whatever becomes of that."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file
from tallyroom.storage.spool.lane import AwaitedChunks
from tallyroom.storage.spool.read_only_spool import UNKNOWN_ID, ReadOnlySpool


def spool_at(path: Path, *ids: int) -> sqlite3.Connection:
    connection = open_spool_file(path)
    prepare_spool_file(connection, bytes)
    add(connection, *ids)
    return connection


def add(connection: sqlite3.Connection, *ids: int) -> None:
    names = [name for _, name, *_ in connection.execute("PRAGMA table_info(chunk)")]
    for each in ids:
        values = [each if name == "id" else 1 for name in names]
        connection.execute(f"INSERT INTO chunk VALUES ({', '.join('?' * len(names))})", values)


@pytest.fixture
def onlooker(tmp_path: Path) -> Iterator[ReadOnlySpool]:
    looking = ReadOnlySpool(tmp_path / "spool")
    yield looking
    looking.close()


def test_chunks_wait_until_they_are_gone(tmp_path: Path, onlooker: ReadOnlySpool) -> None:
    connection = spool_at(tmp_path / "spool", 3, 4)
    assert onlooker.read_last_id() == 4
    add(connection, 5)
    assert onlooker.find_awaited(AwaitedChunks(4)) == 3
    connection.execute("DELETE FROM chunk WHERE id = 3")
    assert onlooker.find_awaited(AwaitedChunks(4), first_id=3) == 4
    connection.execute("DELETE FROM chunk WHERE id = 4")
    assert onlooker.find_awaited(AwaitedChunks(4)) is None
    assert onlooker.read_last_id() == 5
    connection.execute("DELETE FROM chunk")
    assert onlooker.read_last_id() == 0
    connection.close()


def test_a_look_is_short_and_the_next_one_goes_on(tmp_path: Path, onlooker: ReadOnlySpool) -> None:
    connection = spool_at(tmp_path / "spool", *range(1, 1_501))
    awaited = AwaitedChunks(1_500, from_month=2)  # all chunks are of month 1
    assert onlooker.find_awaited(awaited) == 1_001
    assert onlooker.find_awaited(awaited, first_id=1_001) is None
    connection.execute("UPDATE chunk SET month = 2 WHERE id = 1200")
    assert onlooker.find_awaited(awaited, first_id=1_001) == 1_200
    connection.close()


def test_a_spool_that_is_not_there_yet_has_nothing(tmp_path: Path, onlooker: ReadOnlySpool) -> None:
    assert (onlooker.read_last_id(), onlooker.find_awaited(AwaitedChunks(1))) == (0, None)
    connection = spool_at(tmp_path / "spool", 1)
    assert onlooker.read_last_id() == 1
    connection.close()


def test_a_spool_that_takes_the_place_of_another_is_seen(tmp_path: Path, onlooker: ReadOnlySpool) -> None:
    connection = spool_at(tmp_path / "spool", 1)
    assert onlooker.read_last_id() == 1
    connection.close()
    spool_at(tmp_path / "new", 7).close()
    (tmp_path / "spool").unlink()
    (tmp_path / "spool-wal").unlink(missing_ok=True)
    (tmp_path / "spool-shm").unlink(missing_ok=True)
    (tmp_path / "new").rename(tmp_path / "spool")
    assert onlooker.read_last_id() == 7


def test_what_cannot_be_read_may_have_anything(tmp_path: Path, onlooker: ReadOnlySpool) -> None:
    (tmp_path / "spool").write_text("no database " * 100)
    assert (onlooker.read_last_id(), onlooker.find_awaited(AwaitedChunks(1))) == (UNKNOWN_ID, 0)
