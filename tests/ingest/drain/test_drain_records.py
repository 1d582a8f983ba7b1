"""The spool's own records change on the disk; each event arrives once (rules/safety#damaged-events)."""

from contextlib import closing
from pathlib import Path

import pytest

from harness.stores.event_store import EventStore, event, fresh_scope
from harness.stores.faulty_store import LATER, NEVER, FaultyStore
from harness.stores.spool_batches import batch, claim_all, look, put
from harness.suite.patience import PATIENCE
from ingest.drain.test_drain_damage import EVENTS, balance, fill, reopened
from tallyroom.core.clock import SystemClock
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk

CLAIMS = [
    "UPDATE claim SET last_id = 2",
    "UPDATE claim SET last_id = 1000000000000",
    "UPDATE claim SET first_id = 3",
    "UPDATE claim SET first_id = 9, last_id = 9",
    "UPDATE claim SET last_id = 'x'",
    "DELETE FROM claim",
]
COPY = "UPDATE claim_copy SET checksum = checksum + 1"
EVERY = [f"{chunk}-{number}" for chunk in range(4) for number in range(EVENTS)]


def damage(path: Path, *changes: str) -> None:
    with closing(open_spool_file(path)) as connection:
        for change in changes:
            connection.execute(change)


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        (CLAIMS[0],),
        (CLAIMS[4], COPY),
        *((claim,) for claim in CLAIMS[1:]),
        *((claim, COPY) for claim in CLAIMS[1:] if "'x'" not in claim),
    ],
)
@pytest.mark.parametrize("inserted", [0, 3])
async def test_of_a_range_that_changed_each_event_arrives_once(
    spool: Spool,
    spool_path: Path,
    store: FaultyStore,
    event_store: EventStore,
    changes: tuple[str, ...],
    inserted: int,
) -> None:
    """The process died between the insert of three chunks and the mark, and another chunk came; or before the insert."""
    scope = fresh_scope()
    bodies = await fill(spool, scope, 3)
    claim = spool.change(claim_all).result(PATIENCE)
    assert claim is not None
    if inserted:
        event_store.writer.insert_events(b"".join(bodies), f"{spool.identity}-1-3-202611-0-{3 * EVENTS}")
    names = [f"3-{number}" for number in range(EVENTS)]
    await put(spool, batch(spool, *(event(scope, name, spool=spool.identity) for name in names)))
    spool.close()
    damage(spool_path, *changes)
    async with reopened(spool_path, store) as drain:
        assert await drain.wait_caught_up(PATIENCE)
        assert await drain.wait_settled(PATIENCE)
        assert (drain.dead_letter_count, drain.failure_reason) == (0, "")
    assert sorted(event_store.names(scope)) == EVERY
    assert balance(spool_path) == (0, 0)
    assert look(spool_path, "SELECT value FROM number WHERE name = 'mended'") == [(1,)]


@pytest.mark.long
async def test_a_range_that_changed_after_it_was_taken_apart_arrives_once(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore
) -> None:
    """Half of it is in the store: half of the second chunk, for instance."""
    scope = fresh_scope()
    await fill(spool, scope, 3)
    store.faults = [StoreError(NEVER), None, *[StoreError(LATER)] * 10_000]
    spool.close()
    async with reopened(spool_path, store) as drain:
        assert not await drain.wait_caught_up(1)
    assert event_store.count(scope) == 3 * EVENTS // 2
    store.faults = []
    damage(spool_path, "UPDATE claim SET last_id = 'x'", COPY)
    async with reopened(spool_path, store) as drain:
        assert await drain.wait_caught_up(PATIENCE)
    assert sorted(event_store.names(scope)) == EVERY[: 3 * EVENTS]
    assert balance(spool_path) == (0, 0)


@pytest.mark.parametrize("seq", ["1", "'x'", "1000000000000"])
async def test_a_sequence_that_changed_stops_nothing(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore, seq: str
) -> None:
    scope = fresh_scope()
    await fill(spool, scope, 3)
    spool.close()
    damage(spool_path, f"UPDATE sqlite_sequence SET seq = {seq}")  # of this file
    with closing(Spool(spool_path, bytes)) as again:
        drain = Drain(again, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
        drain.start()
        try:
            assert await drain.wait_caught_up(PATIENCE)
            names = [f"3-{number}" for number in range(EVENTS)]
            await put(again, batch(again, *(event(scope, name, spool=again.identity) for name in names)))
            assert await drain.wait_settled(PATIENCE)
        finally:
            drain.stop(0)
    assert sorted(event_store.names(scope)) == EVERY
    assert balance(spool_path) == (0, 0)


async def test_ids_that_begin_again_under_a_running_server_lose_nothing(
    spool: Spool, drain: Drain, spool_path: Path, event_store: EventStore
) -> None:
    scope = fresh_scope()
    drain.start()
    await fill(spool, scope, 3)
    assert await drain.wait_settled(PATIENCE)
    damage(spool_path, "UPDATE sqlite_sequence SET seq = 0")
    names = [f"3-{number}" for number in range(EVENTS)]
    await put(spool, batch(spool, *(event(scope, name, spool=spool.identity) for name in names)))
    assert await drain.wait_settled(PATIENCE)
    assert sorted(event_store.names(scope)) == EVERY
    assert balance(spool_path) == (0, 0)


@pytest.mark.parametrize("is_mapped", [True, False])
async def test_a_size_that_changed_leaves_nothing_in_the_count(
    spool: Spool, spool_path: Path, store: FaultyStore, is_mapped: bool
) -> None:
    scope = fresh_scope()
    await fill(spool, scope, 2)
    if not is_mapped:
        made = batch(spool, event(scope, spool=spool.identity))
        made.chunks = [Chunk(UNMAPPED_MONTH, 1, b"no frame", 500)]
        await put(spool, made)
    spool.close()
    damage(spool_path, "UPDATE chunk SET bytes = 900000000")
    with closing(Spool(spool_path, bytes)) as again:
        drain = Drain(again, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
        drain.start()
        try:
            assert await drain.wait_settled(PATIENCE)
        finally:
            drain.stop(0)
        assert again.waiting_bytes == 0
    assert look(spool_path, "SELECT value FROM number WHERE name = 'mended'") == [(2 if is_mapped else 3,)]
