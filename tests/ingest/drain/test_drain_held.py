"""While somebody holds the drain, every event is either in the store and marked, or waits in the spool."""

import asyncio
from pathlib import Path

import pytest

from harness.stores.event_store import EventStore, event, fresh_scope
from harness.stores.faulty_store import LATER, FaultyStore, stopped
from harness.stores.spool_batches import batch, claim_all, look, put
from harness.suite.patience import PATIENCE
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import Unavailable
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.spool.queue import Spool


async def test_nothing_is_inserted_and_everything_is_acknowledged_while_it_is_held(
    drain: Drain, spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    drain.start()
    with drain.held(5):
        for number in range(3):
            await put(spool, batch(spool, event(scope, f"e{number}")))
        assert not await drain.wait_caught_up(0.1)
        assert store.sent == []
        assert look(spool_path, "SELECT sum(events) FROM chunk") == [(3,)]
    assert await drain.wait_caught_up(PATIENCE)
    assert event_store.count(scope) == 3


async def test_two_may_hold_it_at_once(drain: Drain, spool: Spool, event_store: EventStore) -> None:
    scope = fresh_scope()
    drain.start()
    with drain.held(5):
        with drain.held(5):
            await put(spool, batch(spool, event(scope)))
        assert not await drain.wait_caught_up(0.1)
    assert await drain.wait_caught_up(PATIENCE)


async def test_a_range_that_the_store_does_not_take_cannot_be_held(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.blames = lambda _: StoreError(LATER)
    drain.start()
    await put(spool, batch(spool, event(scope)))
    assert not await drain.wait_caught_up(0.05)
    with pytest.raises(Unavailable), drain.held(0.05):
        pass
    store.blames = lambda _: None
    assert await drain.wait_caught_up(PATIENCE)
    with drain.held(5):
        assert event_store.count(scope) == 1


async def test_a_range_that_a_crash_left_is_brought_to_its_end_first(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, event(scope)))
    spool.change(claim_all).result()
    drain = Drain(spool, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    with pytest.raises(Unavailable), drain.held(0.05):
        pass
    drain.start()
    with drain.held(5):
        assert event_store.count(scope) == 1
        assert look(spool_path, "SELECT count(*) FROM claim") == [(0,)]
    await stopped(drain)


async def test_a_held_drain_stops(drain: Drain, spool: Spool, spool_path: Path, store: FaultyStore) -> None:
    drain.start()
    with drain.held(5):
        await put(spool, batch(spool, event(fresh_scope())))
        assert not await drain.wait_caught_up(0.1)
        await stopped(drain, 0)
        assert not drain._thread.is_alive()
    assert store.sent == []
    assert look(spool_path, "SELECT sum(events) FROM chunk") == [(1,)]


async def test_it_can_be_held_under_load(drain: Drain, spool: Spool, event_store: EventStore, spool_path: Path) -> None:
    scope = fresh_scope()
    drain.start()
    sent = 0
    for _ in range(5):
        await asyncio.gather(*(put(spool, batch(spool, event(scope))) for _ in range(20)))
        sent += 20
        with drain.held(5):
            [(waiting,)] = look(spool_path, "SELECT coalesce(sum(events), 0) FROM chunk")
            assert event_store.count(scope) + waiting == sent
    assert await drain.wait_caught_up(PATIENCE)
