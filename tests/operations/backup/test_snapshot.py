"""One state of a file that others go on writing."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, claim_all, put
from tallyroom.operations.backup.snapshot import DatabaseSnapshot, SnapshotDamaged
from tallyroom.storage.database_file import find_problem
from tallyroom.storage.spool.claim import finish_claim
from tallyroom.storage.spool.file import SCHEMA_VERSION
from tallyroom.storage.spool.queue import Spool


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "spool.sqlite"


@pytest.fixture
def spool(path: Path) -> Iterator[Spool]:
    spool = Spool(path, lambda count: b"\x07" * count)
    yield spool
    spool.close()


def check_files(folder: Path) -> None:
    assert sorted(found.name for found in folder.iterdir() if "copy" in found.name) == ["copy.sqlite"]
    assert stat.S_IMODE((folder / "copy.sqlite").stat().st_mode) == 0o600


def content(path: Path) -> bytes:
    return path.read_bytes()


def copied(snapshot: DatabaseSnapshot, target: Path) -> int:
    seen: list[int] = []
    snapshot.copy_to(target, seen.append)
    return sum(seen)


async def test_it_holds_what_was_there_when_it_began(spool: Spool, path: Path, tmp_path: Path) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, event(scope, "before")))
    with closing(DatabaseSnapshot(path)) as snapshot:
        await put(spool, batch(spool, event(scope, "after")))
        assert snapshot.read_spool_counts().acknowledged == 1
        size = snapshot.byte_count
        assert copied(snapshot, tmp_path / "copy.sqlite") == size
    with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
        [(body,)] = copy.execute("SELECT body FROM chunk")
        assert b"before" in body
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert copy.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    check_files(tmp_path)


async def test_a_copy_is_a_spool_that_goes_on(spool: Spool, path: Path, tmp_path: Path) -> None:
    """Neither row ids nor sequence numbers are given a second time, also when the queue was empty."""
    scope = fresh_scope()
    for _ in range(3):
        await put(spool, batch(spool, event(scope)))
    claim = spool.change(claim_all).result()
    assert claim
    spool.change(lambda connection: finish_claim(connection, claim)).result()
    with closing(DatabaseSnapshot(path)) as snapshot:
        copied(snapshot, tmp_path / "copy.sqlite")
    again = Spool(tmp_path / "copy.sqlite", lambda count: b"\x08" * count)
    try:
        assert (again.identity, again.acked_count, again.last_id, again.reserve_seqs(1)) == (spool.identity, 3, 3, 4)
        await put(again, batch(again, event(scope)))
        taken = again.change(claim_all).result()
        assert taken
        assert taken.chunks.first_id == 4
    finally:
        again.close()


async def test_what_was_erased_is_not_in_the_copy(spool: Spool, path: Path, tmp_path: Path) -> None:
    await put(spool, batch(spool, *(event(fresh_scope(), actor="a secret person") for _ in range(200))))
    claim = spool.change(claim_all).result()
    assert claim
    spool.change(lambda connection: finish_claim(connection, claim)).result()
    with closing(DatabaseSnapshot(path)) as snapshot:
        copied(snapshot, tmp_path / "copy.sqlite")
    assert b"a secret person" not in content(tmp_path / "copy.sqlite")


def test_a_missing_file_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(SnapshotDamaged):
        DatabaseSnapshot(tmp_path / "none.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"no database " * 500)
    with pytest.raises(SnapshotDamaged, match=r"x\.sqlite cannot be read: file is not a database"):
        DatabaseSnapshot(path)
    assert find_problem(path) == "file is not a database"


def damage(path: Path) -> None:
    """A page in the middle is no page any more."""
    content = bytearray(path.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)


def test_a_damaged_database_is_found_and_not_backed_up(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        database.execute("CREATE INDEX i ON t (b)")
        database.executemany("INSERT INTO t (b) VALUES (?)", [(f"{number:0100}",) for number in range(2000)])
    assert find_problem(path) == find_problem(path, quick=True) == ""
    damage(path)
    assert find_problem(path)
    assert find_problem(path, quick=True)
    with closing(DatabaseSnapshot(path)) as snapshot, pytest.raises(SnapshotDamaged, match="cannot be copied"):
        copied(snapshot, tmp_path / "copy.sqlite")
