"""Who watches an environment hears of all that came into the store, and not before it did."""

import asyncio
import itertools

import msgspec
import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from harness.stores.faulty_store import FaultyStore
from harness.stores.spool_batches import batch, put
from tallyroom.ingest.acceptance.arrivals import Arrival, ArrivalNotifier, UtcDays, Watch
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.validation.event import Event
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

DAY_MS = 86_400_000

names = (f"event-{number}" for number in itertools.count())


@pytest.fixture
def arrivals(spool: Spool, drain: Drain) -> ArrivalNotifier:
    """Of a drain that stands still until the test starts it."""
    return ArrivalNotifier(spool, drain)


async def send(spool: Spool, arrivals: ArrivalNotifier, scope: Scope, days: UtcDays = None) -> int:
    """One event, accepted as ingest/acceptance/accept.py does; its sequence number."""
    seq = spool.reserve_seqs(0)
    added = batch(spool, event(scope, next(names), spool=spool.identity, seq=seq))
    await put(spool, added)
    arrivals.note_settled(scope, added.last_seq, days)
    return added.last_seq


async def still_waits(watch: Watch) -> bool:
    waiting = asyncio.ensure_future(watch.wait_stored())
    _, pending = await asyncio.wait({waiting}, timeout=0.05)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    return bool(pending)


def happened(*days: int) -> list[Event]:
    return [Event("a", "", "", "", day * DAY_MS + DAY_MS - 1, b"{}") for day in days]


async def test_what_is_told_is_in_the_store(
    spool: Spool, drain: Drain, arrivals: ArrivalNotifier, event_store: EventStore
) -> None:
    scope = fresh_scope()
    watch = arrivals.watch(scope)
    seq = await send(spool, arrivals, scope, frozenset({3}))
    assert await still_waits(watch)
    drain.start()
    arrival = await asyncio.wait_for(watch.wait_stored(), 20)
    assert (arrival.last_seq, arrival.utc_days) == (seq, frozenset({3}))
    assert event_store.count(scope) == 1
    assert await still_waits(watch)


async def test_a_watch_that_stops_waiting_loses_nothing(spool: Spool, drain: Drain, arrivals: ArrivalNotifier) -> None:
    watch = arrivals.watch(fresh_scope())
    assert await still_waits(watch)
    [scope] = arrivals._watches
    seq = await send(spool, arrivals, scope)
    assert await still_waits(watch)
    drain.start()
    assert (await asyncio.wait_for(watch.wait_stored(), 20)).last_seq == seq


async def test_only_the_environment_that_is_watched_is_told(
    spool: Spool, drain: Drain, arrivals: ArrivalNotifier
) -> None:
    scope = fresh_scope()
    watch = arrivals.watch(scope)
    drain.start()
    for other in (fresh_scope(), Scope(scope.workspace_id, "development")):
        await send(spool, arrivals, other)
    assert await still_waits(watch)
    seq = await send(spool, arrivals, scope)
    assert (await asyncio.wait_for(watch.wait_stored(), 20)).last_seq == seq


async def test_what_the_store_takes_at_once_is_told_as_one(
    spool: Spool, drain: Drain, arrivals: ArrivalNotifier
) -> None:
    scope = fresh_scope()
    watch = arrivals.watch(scope)
    last = [await send(spool, arrivals, scope, frozenset({day, day % 2})) for day in range(5)][-1]
    drain.start()
    assert await drain.wait_caught_up(20)
    arrival = await asyncio.wait_for(watch.wait_stored(), 20)
    assert (arrival.last_seq, arrival.utc_days) == (last, frozenset(range(5)))


@pytest.mark.long
async def test_a_store_that_takes_nothing_does_not_fill_the_memory(
    spool: Spool, store: FaultyStore, drain: Drain, arrivals: ArrivalNotifier
) -> None:
    scope = fresh_scope()
    watch = arrivals.watch(scope)
    seqs = [await send(spool, arrivals, scope, frozenset({1})) for _ in range(150)]
    assert len(watch._arrivals) == 100
    drain.start()
    heard = await asyncio.wait_for(watch.wait_stored(), 20)
    while heard.last_seq < seqs[-1]:
        heard = heard.merge(await asyncio.wait_for(watch.wait_stored(), 20))
    assert heard.last_seq == seqs[-1]
    assert heard.utc_days == frozenset({1})


async def test_who_begins_waits_for_what_was_durable_before(
    spool: Spool, drain: Drain, arrivals: ArrivalNotifier, event_store: EventStore
) -> None:
    """And is told of all the rest."""
    scope = fresh_scope()
    before = await send(spool, arrivals, scope)
    watch = arrivals.watch(scope)
    assert watch.since_seq == before
    begun = asyncio.ensure_future(watch.wait_start_stored())
    done, _ = await asyncio.wait({begun}, timeout=0.05)
    assert not done
    after = await send(spool, arrivals, scope)
    drain.start()
    await asyncio.wait_for(begun, 20)
    assert event_store.count(scope) >= 1
    assert (await asyncio.wait_for(watch.wait_stored(), 20)).last_seq == after


async def test_a_request_that_is_on_its_way_when_a_watch_begins_is_told(
    spool: Spool, drain: Drain, arrivals: ArrivalNotifier
) -> None:
    scope = fresh_scope()
    on_its_way = batch(spool, event(scope, "on its way", spool=spool.identity, seq=spool.reserve_seqs(0)))
    days = arrivals.find_utc_days(scope, happened(1))
    watch = arrivals.watch(scope)
    await put(spool, on_its_way)
    arrivals.note_settled(scope, on_its_way.last_seq, days)
    drain.start()
    arrival = await asyncio.wait_for(watch.wait_stored(), 20)
    assert (arrival.last_seq, arrival.utc_days) == (on_its_way.last_seq, None)
    assert watch.since_seq < on_its_way.last_seq


async def test_nobody_watches_any_more(spool: Spool, arrivals: ArrivalNotifier) -> None:
    scope = fresh_scope()
    watch = arrivals.watch(scope)
    arrivals.unwatch(watch)
    await send(spool, arrivals, scope)
    assert not watch._arrivals
    assert arrivals.find_utc_days(scope, happened(1)) is None


def test_the_days_of_events(arrivals: ArrivalNotifier) -> None:
    scope = fresh_scope()
    assert arrivals.find_utc_days(scope, happened(1)) is None  # nobody asks
    arrivals.watch(scope)
    assert arrivals.find_utc_days(scope, happened(0, 20_000, 20_000, 20_001)) == frozenset({0, 20_000, 20_001})
    assert arrivals.find_utc_days(
        scope, [msgspec.structs.replace(each, timestamp_ms=NOW_MS) for each in happened(1)]
    ) == frozenset({NOW_MS // DAY_MS})
    assert arrivals.find_utc_days(Scope(scope.workspace_id, "development"), happened(1)) is None


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ({1, 2}, {2, 3}, {1, 2, 3}),
        ({1}, None, None),
        (None, {1}, None),
        (range(366), {0}, set(range(366))),
        (range(366), {366}, None),
    ],
)
async def test_the_days_of_arrivals_that_are_told_as_one(
    spool: Spool, drain: Drain, arrivals: ArrivalNotifier, one: UtcDays, other: UtcDays, both: UtcDays
) -> None:
    """Too many days to be worth naming are any."""
    scope = fresh_scope()
    watch = arrivals.watch(scope)
    for days in (one, other):
        arrivals.note_settled(scope, spool.last_seq, None if days is None else frozenset(days))
    assert (await asyncio.wait_for(watch.wait_stored(), 20)).utc_days == both


def test_a_request_that_was_refused_later_hides_none_that_was_kept() -> None:
    assert Arrival(7, 3, None).merge(Arrival(6, 3, None)).last_seq == 7
