"""With several workers, what one takes away is at once in no answer of another (rules/events#hidden-events)."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, NamedTuple

import asyncpg
import msgspec
import pytest
from cachetools import LRUCache

from harness.servers.events_server import FrontServer
from harness.stores.event_store import LIMITS, NOW_MS, EventStore, event, fresh_scope
from harness.suite.patience import until
from tallyroom.cluster.postgresql import change_wait
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import Unavailable
from tallyroom.core.event_server import EventServer
from tallyroom.core.ids import IdGenerator
from tallyroom.core.peers import Worker
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.events.list.service import Events
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.backend.server.backend import ServerBackend
from tallyroom.storage.event_store.erase import erase_actor
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.removals import Removals
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer


class Number(msgspec.Struct):
    number: int


class Reading(NamedTuple):
    """A worker that answers questions and hides events."""

    store: EventStore
    events: Events
    removals: Removals

    async def visible(self, scope: Scope) -> int:
        sql = "SELECT count() AS number FROM events WHERE {scope}"
        [row] = await self.store.reader.fetch_rows(sql, scope, {}, Number)
        return row.number


@pytest.fixture
def events(shared_events_server: FrontServer) -> EventServer:
    return shared_events_server.fresh()


@asynccontextmanager
async def worker(dsn: str, events: EventServer, spool: int) -> AsyncIterator[Reading]:
    database = PostgresqlDatabase(dsn, Worker(f"worker-{spool}", spool, f"host-{spool}", "s"))
    await database.join_workers()
    with served(events, database) as store:
        removals = Removals(store.writer, partial(database.change_version, "removals"), database.announce_removal)
        listing = Events(store.reader, store.hidden, removals, WindowResolver(store.reader, database), SystemClock())
        yield Reading(store, listing, removals)
    await database.close()


@contextmanager
def served(events: EventServer, database: PostgresqlDatabase) -> Iterator[EventStore]:
    backend = ServerBackend(events, LIMITS)
    writer = Writer(backend)
    migrate(writer)
    hidden = HiddenEvents(writer, partial(database.change_version, "removals"))
    options: dict[str, Any] = {
        "connection_count": 2,
        "slots_per_workspace": 2,
        "max_waiting_per_workspace": 40,
        "catch_up_seconds": 0.5,
        "id_generator": IdGenerator(),
    }
    reader = EventReader(backend, LIMITS, has_hidden_events=hidden.has_hidden_events, **options)
    try:
        yield EventStore(backend, writer, reader, hidden)
    finally:
        reader.close()
        writer.close()


@pytest.mark.long
@pytest.mark.parametrize("scopes", [10, 60])
async def test_what_one_worker_hides_no_other_shows(dsn: str, events: EventServer, scopes: int) -> None:
    async with worker(dsn, events, 1) as first, worker(dsn, events, 2) as second, worker(dsn, events, 3) as third:
        workers = [first, second, third]
        for place in range(scopes):
            scope = fresh_scope()
            first.store.insert([event(scope, seq=seq, timestamp_ms=NOW_MS) for seq in (1, 2)])
            hides, shows = workers[place % 3], workers[(place + 1) % 3]
            assert [await each.visible(scope) for each in workers] == [2, 2, 2]
            await hides.events.hide_event(scope, EventPosition(NOW_MS, 1, 1))
            assert [await each.visible(scope) for each in workers] == [1, 1, 1]
            await shows.events.show_event(scope, EventPosition(NOW_MS, 1, 1))
            assert [await each.visible(scope) for each in workers] == [2, 2, 2]


async def test_a_worker_learns_in_the_end_which_environments_have_hidden_events(dsn: str, events: EventServer) -> None:
    async with worker(dsn, events, 1) as first, worker(dsn, events, 2) as second:
        scope, other = fresh_scope(), fresh_scope()
        first.store.insert([event(scope, seq=1, timestamp_ms=NOW_MS)])
        await first.events.hide_event(scope, EventPosition(NOW_MS, 1, 1))
        await until(lambda: not second.store.hidden.has_hidden_events(other))
        assert second.store.hidden.has_hidden_events(scope)


@pytest.mark.long
async def test_what_a_worker_hid_before_it_died_is_hidden_everywhere_when_it_is_hidden_again(
    dsn: str, events: EventServer
) -> None:
    async with worker(dsn, events, 1) as first, worker(dsn, events, 2) as second:
        scope = fresh_scope()
        first.store.insert([event(scope, seq=1, timestamp_ms=NOW_MS)])
        await until(lambda: not second.store.hidden.has_hidden_events(scope))
        first.store.hidden.hide(scope, EventPosition(NOW_MS, 1, 1))  # and dies before it tells
        assert await second.visible(scope) == 1, "nobody can know"
        await second.events.hide_event(scope, EventPosition(NOW_MS, 1, 1))
        assert [await each.visible(scope) for each in (first, second)] == [0, 0]


@pytest.mark.long
async def test_while_not_every_worker_may_know_it_is_no_success(
    dsn: str, events: EventServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_wait, "_TIMEOUT_SECONDS", 0.2)
    async with worker(dsn, events, 1) as first:
        scope = fresh_scope()
        first.store.insert([event(scope, seq=1, timestamp_ms=NOW_MS)])
        operator = await asyncpg.connect(dsn)
        await operator.execute("INSERT INTO workers VALUES (2, 'deaf', 'host', 's', 0, now() + interval '1 day')")
        with pytest.raises(Unavailable):
            await first.events.hide_event(scope, EventPosition(NOW_MS, 1, 1))
        await operator.execute("DELETE FROM workers WHERE spool = 2")
        await operator.close()
        await first.events.hide_event(scope, EventPosition(NOW_MS, 1, 1))
        assert await first.visible(scope) == 0


@pytest.mark.long
async def test_an_answer_that_another_worker_keeps_is_used_no_more_once_its_events_are_erased(
    dsn: str, events: EventServer
) -> None:
    async with worker(dsn, events, 1) as first, worker(dsn, events, 2) as second:
        scope = fresh_scope()
        kept: SharedAnswers[int] = SharedAnswers(LRUCache(100))

        async def shown() -> int:
            return await kept.get(second.removals.local_version(), lambda: second.visible(scope))

        first.store.insert([event(scope, actor="ann", seq=seq, timestamp_ms=NOW_MS) for seq in (1, 2)])
        assert await shown() == 2
        first.store.insert([event(scope, actor="ann", seq=3, timestamp_ms=NOW_MS)])
        assert await shown() == 2, "it is kept"
        assert erase_actor(first.store.writer, scope, "ann") == 3
        await first.removals.announce()
        assert await shown() == 0
