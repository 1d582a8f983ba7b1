"""Transactions of the metadata database, and its version."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event, func, insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.pool import Pool

from harness.stores.metadata import opened
from tallyroom.core.errors import Unavailable
from tallyroom.storage.file_identity import Astray
from tallyroom.storage.metadata import sqlite
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.migrate import migrate
from tallyroom.storage.metadata.models import Model, Workspace
from tallyroom.storage.metadata.sqlite import SqliteDatabase


def workspace(name: str = "one") -> Workspace:
    return Workspace(id=name, name=name, plan="paid", timezone="UTC", created_at_ms=0)


async def count(database: Database) -> int:
    async with database.session(write=False) as db:
        return await db.scalar(select(func.count()).select_from(Workspace)) or 0


@pytest.mark.usefixtures("on_both")
async def test_a_write_is_committed_when_the_block_ends(database: Database) -> None:
    async with database.session(write=True) as db:
        db.add(workspace())
    assert await count(database) == 1


@pytest.mark.usefixtures("on_both")
async def test_a_write_is_rolled_back_when_the_block_raises(database: Database) -> None:
    async def fail() -> None:
        async with database.session(write=True) as db:
            db.add(workspace())
            await db.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await count(database) == 0


@pytest.mark.usefixtures("on_both")
@pytest.mark.parametrize("write", [True, False])
async def test_whoever_is_stopped_at_the_end_of_a_transaction_gives_the_connection_back_first(
    database: Database, write: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with database.session(write=write) as db:
            if write:
                db.add(workspace())
                await db.flush()
            event.listen(Pool, "reset", lambda *_: stopped.cancel(), once=True)

    stopped = asyncio.create_task(work())
    with pytest.raises(asyncio.CancelledError):
        await stopped
    assert not caplog.records
    assert await count(database) == write


async def test_a_look_up_answers_at_once(database: Database) -> None:
    async with database.session(write=True) as db:
        db.add(workspace())
    with pytest.raises(StopIteration) as ended:
        database.look_up("SELECT id FROM workspaces WHERE plan = ?", "paid").send(None)  # it never suspends
    assert ended.value.value == ("one",)
    assert await database.look_up("SELECT id FROM workspaces WHERE plan = ?", "free") is None
    assert await database.look_up_all("SELECT id, plan FROM workspaces") == [("one", "paid")]


async def test_what_goes_through_many_rows_is_asked_in_another_thread(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database.session(write=True) as db:
        db.add(workspace())
    monkeypatch.setattr(database, "_look_up_rows", lambda *_: pytest.fail("the event loop waits for it"))
    assert await database.scan("SELECT id FROM workspaces WHERE plan = ?", "paid") == [("one",)]
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await database.scan("DELETE FROM workspaces")


async def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises(OperationalError, match="readonly"):
        async with database.session(write=False) as db:
            db.add(workspace())
    assert await count(database) == 0


@pytest.mark.usefixtures("on_both")
async def test_a_read_sees_one_state(database: Database) -> None:
    async with database.session(write=False) as db:
        before = await db.scalar(select(func.count()).select_from(Workspace))
        async with database.session(write=True) as other:
            other.add(workspace())
        after = await db.scalar(select(func.count()).select_from(Workspace))
    assert (before, after) == (0, 0)


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 5000)]
)
@pytest.mark.parametrize("write", [True, False])
async def test_every_connection_is_durable_and_strict(
    database: Database,
    pragma: str,
    value: object,
    write: bool,
) -> None:
    async with database.session(write=write) as db:
        assert await db.scalar(text(f"PRAGMA {pragma}")) == value


@pytest.mark.long
@pytest.mark.usefixtures("on_both")
async def test_contending_writers_lose_nothing(database: Database, metadata: Path) -> None:
    # Each reads, then writes what it read plus one: without the lock at BEGIN, updates get lost or fail.
    other = opened(metadata)
    async with database.session(write=True) as db:
        db.add(workspace("0"))

    async def increment(mine: Database) -> None:
        async with mine.session(write=True) as db:
            row = (await db.scalars(select(Workspace))).one()
            await asyncio.sleep(0)
            row.name = str(int(row.name) + 1)

    await asyncio.gather(*(increment(mine) for mine in (database, other) for _ in range(40)))
    await other.close()
    async with database.session(write=False) as db:
        assert await db.scalar(select(Workspace.name)) == "80"


@pytest.mark.long
@pytest.mark.usefixtures("on_both")
async def test_what_is_committed_later_has_the_larger_id(database: Database, metadata: Path) -> None:
    """Whoever deletes all entries up to one that they saw deletes none that they did not see."""
    other, outbox, over = opened(metadata), Model.metadata.tables["feed_outbox"], asyncio.Event()

    async def put(mine: Database, pause: float) -> None:
        async with mine.session(write=True) as db:
            await db.execute(insert(outbox).values(table_name="t", lines=b""))
            await asyncio.sleep(pause)

    async def watch() -> int:
        most = 0
        while not over.is_set():
            found = [number for (number,) in await database.look_up_all("SELECT id FROM feed_outbox ORDER BY id")]
            assert found == list(range(1, len(found) + 1))
            most = len(found)
            await asyncio.sleep(0)
        return most

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(put(mine, 0.002 * (at % 3)) for mine in (database, other) for at in range(30)))
    over.set()
    assert await watching > 0
    assert await database.look_up("SELECT count(*) FROM feed_outbox") == (60,)
    await other.close()


@pytest.mark.long
async def test_a_lock_that_is_kept_too_long_is_unavailable(metadata: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_MS", 50)
    database = SqliteDatabase(metadata)
    with closing(sqlite3.connect(metadata, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable):
            async with database.session(write=True):
                pass
    async with database.session(write=True) as db:
        with pytest.raises(Unavailable):
            async with database.session(write=True):
                pass
        db.add(workspace())
    assert await count(database) == 1
    await database.close()


async def test_a_commit_that_the_disk_does_not_take_is_unavailable(database: Database) -> None:
    async with database.session(write=True) as db:
        # SQLite's own limit stands in for the disk's: the code of the error is the same.
        pages = await db.scalar(text("PRAGMA page_count"))
        await db.execute(text(f"PRAGMA max_page_count = {pages}"))

    async def too_much() -> None:
        async with database.session(write=True) as db:
            db.add(workspace("x" * 100_000))

    with pytest.raises(Unavailable):
        await too_much()
    async with database.session(write=True) as db:
        await db.execute(text("PRAGMA max_page_count = 1000000"))
        db.add(workspace())
    assert await count(database) == 1


async def test_a_fault_of_the_program_is_not_taken_for_the_disks(database: Database) -> None:
    async def insert_into_what_is_not_there() -> None:
        async with database.session(write=True) as db:
            await db.execute(text("ALTER TABLE workspaces RENAME COLUMN plan TO plans"))
            db.add(workspace())

    with pytest.raises(OperationalError, match="no column named plan"):
        await insert_into_what_is_not_there()


@pytest.mark.usefixtures("on_both")
async def test_an_error_does_not_repeat_the_values(database: Database) -> None:
    async def insert_twice() -> None:
        async with database.session(write=True) as db:
            for _ in range(2):
                db.add(workspace("a secret"))
                await db.flush()
                db.expunge_all()

    with pytest.raises(IntegrityError) as failed:
        await insert_twice()
    assert "a secret" not in str(failed.value)


async def test_the_version_changes_with_every_commit_of_anybody(database: Database, metadata: Path) -> None:
    versions = [database.change_version("access")]
    async with database.session(write=True) as db:
        db.add(workspace())
    versions.append(database.change_version("access"))
    with closing(sqlite3.connect(metadata)) as other:
        other.execute("UPDATE workspaces SET plan = 'free'")
        other.commit()
    versions.append(database.change_version("access"))
    assert len(set(versions)) == 3


async def test_the_version_stays_while_nothing_is_committed(database: Database) -> None:
    before = database.change_version("access")
    await count(database)
    async with database.session(write=True) as db:
        db.add(workspace())
        await db.flush()
        await db.rollback()
    assert database.change_version("access") == before


async def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        SqliteDatabase(tmp_path / "none.sqlite")


def move(folder: Path, to: Path) -> None:
    folder.rename(to)


@pytest.fixture
def housed(tmp_path: Path) -> Path:
    """A metadata file in a folder of its own."""
    (tmp_path / "home").mkdir()
    migrate(tmp_path / "home" / "metadata.sqlite")
    return tmp_path / "home" / "metadata.sqlite"


async def test_a_file_that_is_moved_takes_no_change_and_answers_no_look_up(housed: Path) -> None:
    database, home, away = SqliteDatabase(housed), housed.parent, housed.parent.with_name("away")
    move(home, away)
    for write in (False, True):
        with pytest.raises(Astray):
            async with database.session(write=write):
                pytest.fail("a transaction began")
    with pytest.raises(Astray):
        await database.look_up("SELECT 1")
    move(away, home)
    with pytest.raises(Astray):
        async with database.session(write=True):
            move(home, away)
    with pytest.raises(FileNotFoundError):
        move(home, away)
    move(away, home)
    async with database.session(write=True) as session:
        await session.execute(text("SELECT 1"))
    assert await database.look_up("SELECT 1") == (1,)
    await database.close()
