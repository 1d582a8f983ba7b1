"""What is durable reaches the store once, in order; who waits for it is told; a stop keeps the rest."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.stores.event_store import EventStore, event, fresh_scope
from harness.stores.faulty_store import LATER, FaultyStore, stopped
from harness.stores.spool_batches import batch, look, put
from harness.suite.patience import PATIENCE
from tallyroom.core.clock import SystemClock
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.spool.queue import Spool


@pytest.mark.long
async def test_everything_is_drained_once_and_leaves_the_spool(
    drain: Drain, spool: Spool, spool_path: Path, event_store: EventStore
) -> None:
    scope = fresh_scope()
    rows = [event(scope, f"e{number}", timestamp_ms=number % 3 * 2_678_400_000) for number in range(60)]
    await asyncio.gather(*(put(spool, batch(spool, *rows[at : at + 5])) for at in range(0, 30, 5)))
    assert spool.waiting_bytes > 0
    drain.start()
    await asyncio.gather(*(put(spool, batch(spool, *rows[at : at + 5])) for at in range(30, 60, 5)))
    assert await drain.wait_caught_up(PATIENCE)
    assert event_store.names(scope) == [row.name for row in rows]
    await stopped(drain)
    assert look(spool_path, "SELECT count(*) FROM chunk") == look(spool_path, "SELECT count(*) FROM claim") == [(0,)]
    assert (drain.drained_count, spool.waiting_bytes, drain.dead_letter_count, drain.failure_reason) == (60, 0, 0, "")


async def test_caught_up_counts_what_was_acknowledged_before_it(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    assert await drain.wait_caught_up(0)
    store.blames = lambda _: StoreError(LATER)
    drain.start()
    await put(spool, batch(spool, event(scope)))
    assert not await drain.wait_caught_up(0.05)
    waiting = asyncio.create_task(drain.wait_caught_up(PATIENCE))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    assert drain.failure_reason == LATER
    store.blames = lambda _: None
    assert await waiting
    assert event_store.count(scope) == 1
    assert drain.failure_reason == ""


@pytest.mark.long
async def test_a_stop_is_in_time_and_the_next_start_goes_on(
    drain: Drain, spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.blames = lambda _: StoreError(LATER)
    await put(spool, batch(spool, event(scope)))
    drain.start()
    await stopped(drain, 0.2)
    assert look(spool_path, "SELECT count(*) FROM chunk") == look(spool_path, "SELECT count(*) FROM claim") == [(1,)]
    again = FaultyStore(event_store.writer)
    second = Drain(spool, again, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    await put(spool, batch(spool, event(scope)))
    second.start()
    await stopped(second)
    assert again.sent[0] == store.sent[0]
    assert event_store.count(scope) == 2


async def test_a_stop_drains_what_it_can(drain: Drain, spool: Spool, event_store: EventStore) -> None:
    scope = fresh_scope()
    drain.start()
    for _ in range(5):
        await put(spool, batch(spool, event(scope)))
    await stopped(drain)
    assert event_store.count(scope) == 5


async def test_a_drained_spool_is_caught_up_at_once(spool: Spool, store: FaultyStore, drain: Drain) -> None:
    drain.start()
    await put(spool, batch(spool, event(fresh_scope())))
    await stopped(drain)
    second = Drain(spool, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    assert second.drained_chunk_id == spool.last_id
    assert await second.wait_caught_up(0)
    second.stop(0)


async def test_the_rows_of_one_insert_are_of_one_month(drain: Drain, spool: Spool, store: FaultyStore) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, event(scope), event(scope, timestamp_ms=0), event(scope)))
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    months: list[set[Any]] = []
    for _, body in store.sent:
        months.append({msgspec.json.decode(line)[2] // 10**12 for line in body.splitlines()})
    assert sorted(map(sorted, months)) == [[0], [1]]
    assert len({token for token, _ in store.sent}) == 2
