"""What is on servers becomes an ordinary backup while workers run, and can be restored."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from harness.servers.command import Done, tallyroom
from harness.servers.events_server import FrontServer
from harness.servers.one_of_several import Several, send
from harness.stores.metadata import Places
from tallyroom.operations.backup.manifest import read_manifest
from tallyroom.server.services import Services
from tallyroom.storage.event_store.clones import list_clones
from tallyroom.storage.event_store.part_check import count_events_by_spool


async def backed_up(several: Several, failpoint: str = "") -> Done:
    words = "backup", several.folder / "backup", "--data", several.folder / "a"
    return await asyncio.to_thread(tallyroom, *words, servers=several.servers, testing="true", failpoints=failpoint)


@asynccontextmanager
async def sending(*workers: Services) -> AsyncIterator[None]:
    """Each worker takes one event after the other meanwhile."""

    async def send_to(worker: Services) -> None:
        while True:
            await send(worker, "later")

    tasks = [asyncio.create_task(send_to(worker)) for worker in workers]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.long
async def test_workers_that_run_are_backed_up_and_restored(several: Several) -> None:
    async with several.opened("a") as one, several.opened("b") as other:
        await send(one, "ann", "bob")
        await send(other, "cyd")
        async with sending(one, other):
            done = await backed_up(several)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"Backup of 2 spools in {several.folder / 'backup'}: "), done.stdout
        assert done.stdout.count("\n") == 1, "something is left out, or does not add up"
        assert list_clones(one.writer) == []
        sent = one.spool.acked_count + other.spool.acked_count
    balance = read_manifest(several.folder / "backup").balance
    assert (balance.counts.acknowledged, balance.counts.queued, balance.adds_up) == (0, 0, True)
    assert 3 <= balance.others < sent
    assert sorted(path.name for path in several.folder.glob("backup*")) == ["backup"]
    restored = several.folder / "restored"
    done = tallyroom("restore", several.folder / "backup", "--data", restored, "--verify")
    assert (done.returncode, done.stderr) == (0, "")
    assert rows(restored / "metadata.sqlite", "SELECT email FROM users") == [("ann@example.com",)]
    assert rows(restored / "spool.sqlite", "SELECT sum(events) FROM stock") == [(balance.others,)]


@pytest.mark.long
async def test_what_a_backup_that_was_killed_leaves_the_next_one_clears_away(several: Several) -> None:
    async with several.opened("a") as one:
        await send(one, "ann")
        assert (await backed_up(several, "backup.copy=kill")).returncode == -9
        assert list_clones(one.writer)
        assert (several.folder / "backup.copy").is_dir()
        done = await backed_up(several)
        assert (done.returncode, done.stderr) == (0, "")
        assert list_clones(one.writer) == []
        assert sorted(path.name for path in several.folder.glob("backup*")) == ["backup"]


@pytest.mark.long
async def test_a_directory_in_the_way_is_kept(several: Several) -> None:
    own = several.folder / "backup.copy" / "own"
    own.parent.mkdir(parents=True)
    own.touch()
    done = await backed_up(several)
    assert done.returncode == 1
    assert "backup.copy is not empty: it contains own" in done.stderr
    assert own.exists()


@pytest.mark.long
async def test_what_is_restored_moves_to_servers_that_are_empty(
    several: Several, postgresql_places: Places, events_server: FrontServer
) -> None:
    for name in ("a", "b"):
        await several.once(name)
    assert (await backed_up(several)).returncode == 0
    restored = several.folder / "restored"
    assert tallyroom("restore", several.folder / "backup", "--data", restored).returncode == 0
    others = Several(several.folder, postgresql_places.dsn(several.folder / "others"), events_server)
    done = tallyroom("migrate-store", "--from", restored, "--data", several.folder / "new", servers=others.servers)
    assert (done.returncode, done.stderr) == (0, "")
    async with others.opened("new/workers/0") as worker:
        await send(worker, "cyd")
        assert sum(count_events_by_spool(worker.writer).values()) == 3
        assert worker.completeness_check.count_events(is_settled=True).missing_count == 0
