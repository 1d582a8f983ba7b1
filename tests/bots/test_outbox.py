"""Whoever waits for lines is told as soon as they have moved, and of several workers one moves them."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import pytest

from harness.servers.events_server import FrontServer
from harness.servers.killable import KillableProcess
from harness.stores.event_store import LIMITS, NOW_MS, opened_store
from harness.stores.listed_bots import ListedBots
from harness.suite.patience import PATIENCE, until
from tallyroom.bots import repository
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.bots.votes import Vote
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.core.clock import SystemClock
from tallyroom.core.event_server import read_event_server
from tallyroom.storage.event_store.backend.server.backend import ServerBackend
from tallyroom.storage.metadata.models import Workspace

BOT = "100000000000000001"


async def test_a_move_during_the_look_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    unused: Any = None
    outbox, waiting = ListingOutbox(unused, unused), [(1, 1), (1, 1), (0, 0), (0, 0)]

    async def look(_database: object) -> tuple[int, int]:
        found = waiting.pop(0)
        if len(waiting) == 2:  # what waited has moved when the answer arrives
            outbox._lines_moved_event.set()
            outbox._lines_moved_event = asyncio.Event()
        return found

    monkeypatch.setattr(repository, "find_outbox_id_range", look)
    async with asyncio.timeout(PATIENCE):
        assert await outbox.wait_until_stored(10 * PATIENCE)


@asynccontextmanager
async def running(outbox: ListingOutbox) -> AsyncIterator[None]:
    moving = asyncio.create_task(outbox.run())
    try:
        yield
    finally:
        moving.cancel()
        with suppress(asyncio.CancelledError):
            await moving


@asynccontextmanager
async def listing(dsn: str, store: Any) -> AsyncIterator[ListedBots]:
    """A listing whose lines nobody moves yet."""
    database = PostgresqlDatabase(dsn)
    bots = ListedBots(database, store, SystemClock())
    async with database.session(write=True) as db:
        db.add(Workspace(id=bots.workspace_id, name="w", plan="paid", timezone="UTC", created_at_ms=0))
    yield bots
    await database.close()


class SlowWriter:
    """An event store that needs a moment, and counts how many use it at once."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []
        self.most = 0
        self._now = 0

    def insert_listing_rows(self, _table: str, body: bytes) -> None:
        self._now += 1
        self.most = max(self.most, self._now)
        asyncio.run(asyncio.sleep(0.02))
        self.blocks.append(body)
        self._now -= 1


class Unread:
    reader = None

    def __init__(self, writer: SlowWriter) -> None:
        self.writer = writer


@pytest.mark.long
async def test_one_worker_moves_at_a_time_and_everybody_catches_up(dsn: str) -> None:
    writer: Any = SlowWriter()
    async with AsyncExitStack() as stack:
        bots = await stack.enter_async_context(listing(dsn, Unread(writer)))
        databases = [PostgresqlDatabase(dsn) for _ in range(4)]
        outboxes = [ListingOutbox(database, writer) for database in databases]
        for database, outbox in zip(databases, outboxes, strict=True):
            stack.push_async_callback(database.close)
            await stack.enter_async_context(running(outbox))
        for number in range(20):
            await bots.vote(BOT, f"2000000000000000{number:02}", NOW_MS + number)
            outboxes[number % 4].notify_added()
            assert await outboxes[(number + 1) % 4].wait_until_stored(PATIENCE)
            assert sum(block.count(b"\n") for block in writer.blocks) == number + 1
        assert writer.most == 1


async def test_what_a_worker_left_another_finds_by_itself(dsn: str) -> None:
    writer: Any = SlowWriter()
    async with listing(dsn, Unread(writer)) as bots:
        database = PostgresqlDatabase(dsn)
        async with running(ListingOutbox(database, writer)):
            await asyncio.sleep(0.1)  # its first look, at its start, is over
            await bots.vote(BOT, "200000000000000001", NOW_MS)
            await until(lambda: len(writer.blocks) == 1)
        await database.close()


@pytest.fixture
def events(shared_events_server: FrontServer) -> dict[str, str]:
    return shared_events_server.settings()


@pytest.mark.long
@pytest.mark.parametrize("rounds", [6, 60])
async def test_workers_that_are_killed_lose_and_double_nothing(dsn: str, events: dict[str, str], rounds: int) -> None:
    chance = random.Random(rounds)  # whom it hits is no secret
    server = read_event_server(*events.values())
    with opened_store(ServerBackend(server, LIMITS)) as store:
        async with listing(dsn, store) as bots:
            movers: list[KillableProcess] = []
            for number in range(rounds):
                failpoint = ["", "feed.insert=kill@2", "feed.insert.after=kill"][number % 3]
                movers.append(
                    await asyncio.to_thread(
                        KillableProcess, "harness.stores.outbox_mover", dsn, *events.values(), failpoint
                    )
                )
                voters = [f"2000000000{number:04}{each:04}" for each in range(30)]
                await bots.take(votes=[Vote(BOT, voter, NOW_MS + number, 1, "") for voter in voters])
                if len(movers) > 3:
                    movers.pop(chance.randrange(len(movers))).kill()
            async with running(bots.outbox):
                assert await bots.outbox.wait_until_stored(PATIENCE)
            for mover in movers:
                mover.kill()
            found = store.writer.command("SELECT count(), uniqExact(user_id), sum(weight) FROM bot_votes FINAL")
            assert found.split() == [str(30 * rounds)] * 3
