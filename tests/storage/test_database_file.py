"""A look that changes nothing, whatever a server or a kill left."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tallyroom.storage.database_file import find_problem, is_damage, open_read_only


def names(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def number(path: Path) -> int:
    with open_read_only(path) as connection:
        return int(connection.execute("SELECT a FROM t").fetchone()[0])


@pytest.fixture
def used(tmp_path: Path) -> Iterator[Path]:
    """A database that somebody has open, with its newest state in the write-ahead log alone."""
    path = tmp_path / "used" / "a.sqlite"
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (7)")
        yield path


def test_one_that_was_closed_in_order(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t AS SELECT 7 AS a")
    content = path.read_bytes()
    assert (number(path), find_problem(path), find_problem(path, quick=True)) == (7, "", "")
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_one_that_is_in_use(used: Path) -> None:
    before = names(used.parent)
    assert (number(used), find_problem(used)) == (7, "")
    assert names(used.parent) == before


def test_one_that_a_kill_left(used: Path, tmp_path: Path) -> None:
    left = tmp_path / "left"
    shutil.copytree(used.parent, left)
    before = names(left)
    assert (number(left / used.name), find_problem(left / used.name)) == (7, "")
    assert names(left) == before


def test_one_that_is_missing_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as refused, open_read_only(tmp_path / "none"):
        pass
    assert not is_damage(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_damage_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a PRIMARY KEY, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(f"{number:0100}", number) for number in range(2000)])
    content = bytearray(path.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    problem = find_problem(path, quick=True)
    assert problem.startswith("Page ")
    assert "\n" not in problem
    assert "***" not in problem
    assert find_problem(path)


def test_what_is_no_database_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"no database " * 500)
    with open_read_only(path) as connection, pytest.raises(sqlite3.DatabaseError) as refused:
        connection.execute("SELECT 1 FROM sqlite_master")
    assert is_damage(refused.value)


def test_a_schema_whose_text_is_damaged_is_damage(tmp_path: Path) -> None:
    """SQLite's message quotes it, and Python cannot decode the message."""
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE t (number INTEGER)")
    path.write_bytes(path.read_bytes().replace(b"(number INTEGER)", b"\xf4number INTEGER)"))
    with pytest.raises(UnicodeDecodeError) as raised:
        number(path)
    assert is_damage(raised.value)
    assert "can't decode" in find_problem(path)
