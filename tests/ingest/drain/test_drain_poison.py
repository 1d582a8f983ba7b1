"""An event that the store can never take is found by halving, put aside, and stops nobody."""

import asyncio
from pathlib import Path

import pytest

from harness.stores.event_store import EventStore, event, fresh_scope
from harness.stores.faulty_store import LATER, NEVER, FaultyStore, stopped
from harness.stores.spool_batches import batch, look, put
from harness.suite.patience import PATIENCE
from tallyroom.core.clock import SystemClock
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import IngestBatch
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import Chunk


def poisoned(good: Chunk, *indices: int) -> Chunk:
    """The chunk with lines that no store takes at some indices."""
    found = good.body.splitlines(keepends=True)
    for index in indices:
        found.insert(index, b'["no-uuid","production",1,2,3,4,"%d","ann","","",{}]\n' % index)
    body = b"".join(found)
    return Chunk(good.month, len(found), body, len(body))


def poisoned_batch(spool: Spool, scope: Scope, good: int, *indices: int) -> IngestBatch:
    made = batch(spool, *(event(scope, f"e{number}") for number in range(good)))
    made.chunks = [poisoned(made.chunks[0], *indices)]
    return made


@pytest.mark.long
@pytest.mark.parametrize("indices", [(0, 10, 20), (0,), (20,), (3, 4, 17)])
async def test_poison_is_put_aside_line_by_line_and_stops_nobody(
    drain: Drain, spool: Spool, spool_path: Path, event_store: EventStore, indices: tuple[int, ...]
) -> None:
    scope = fresh_scope()
    made = poisoned_batch(spool, scope, 20, *indices)
    bad = [line for line in made.chunks[0].body.splitlines(keepends=True) if b"no-uuid" in line]
    await put(spool, made)
    drain.start()
    await put(spool, batch(spool, event(scope, "later")))
    assert await drain.wait_caught_up(PATIENCE)
    assert event_store.names(scope) == [f"e{number}" for number in range(20)] + ["later"]
    await stopped(drain)
    letters = look(spool_path, "SELECT line, workspace_id, environment, actor FROM dead_letter ORDER BY rowid")
    assert letters == [(line, "no-uuid", "production", "ann") for line in bad]
    assert all("UUID" in reason for (reason,) in look(spool_path, "SELECT reason FROM dead_letter"))
    assert (drain.dead_letter_count, drain.failure_reason, spool.waiting_bytes) == (len(indices), "", 0)


@pytest.mark.parametrize(
    "broken",
    [
        b'["no-uuid","produ\n',
        b'{"a":1}\n',
        *(pytest.param(each, marks=pytest.mark.long) for each in (b"[\n", b'["\xff"]\n', b'["no-uuid"]\n')),
    ],
)
async def test_a_line_that_breaks_off_is_put_aside_like_other_poison(
    drain: Drain, spool: Spool, event_store: EventStore, broken: bytes
) -> None:
    """To the store it looks like a block that was cut, which is sent again; but it was written down like that."""
    scope = fresh_scope()
    made = batch(spool, *(event(scope, f"e{number}") for number in range(3)))
    body = made.chunks[0].body + broken
    made.chunks = [Chunk(made.chunks[0].month, 4, body, len(body))]
    await put(spool, made)
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert (event_store.names(scope), drain.dead_letter_count) == (["e0", "e1", "e2"], 1)


async def test_after_poison_the_store_is_not_said_to_fail(drain: Drain, spool: Spool, event_store: EventStore) -> None:
    scope = fresh_scope()
    await put(spool, poisoned_batch(spool, scope, 1, 0, 2))  # the last insert is a refused one
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert (drain.failure_reason, drain.dead_letter_count) == ("", 2)
    assert event_store.names(scope) == ["e0"]


@pytest.mark.long
async def test_a_part_that_was_refused_never_goes_whole_again(
    drain: Drain, spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore
) -> None:
    """Not even after a restart in the middle: some of its halves may be in the store under their own tokens."""
    scope = fresh_scope()
    await put(spool, poisoned_batch(spool, scope, 7, 5))
    store.faults = [None, None, StoreError(LATER), *[StoreError(LATER)] * 10_000]
    drain.start()
    async with asyncio.timeout(5):
        while len(store.sent) < 5:  # noqa: ASYNC110 # the drain's thread sets no event of the loop
            await asyncio.sleep(0.01)
    await stopped(drain, 0)
    whole = store.sent[0][0]
    assert look(spool_path, "SELECT count(*) FROM halved") != [(0,)]
    again = FaultyStore(event_store.writer)
    second = Drain(spool, again, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    second.start()
    assert await second.wait_caught_up(PATIENCE)
    await stopped(second)
    assert whole not in {token for token, _ in again.sent}
    assert event_store.names(scope) == [f"e{number}" for number in range(7)]
    assert look(spool_path, "SELECT count(*) FROM dead_letter") == [(1,)]


async def test_a_store_that_thinks_better_of_a_part_doubles_nothing(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    """As after an update of the engine: it refused the whole, took the first half, and would now take the whole."""
    scope = fresh_scope()
    await put(spool, batch(spool, *(event(scope, f"e{number}") for number in range(4))))
    store.faults = [StoreError(NEVER), None, *[StoreError(LATER)] * 10_000]
    drain.start()
    async with asyncio.timeout(5):
        while len(store.sent) < 4:  # noqa: ASYNC110 # as above
            await asyncio.sleep(0.01)
    await stopped(drain, 0)
    assert event_store.names(scope) == ["e0", "e1"]
    second = Drain(spool, FaultyStore(event_store.writer), SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    second.start()
    assert await second.wait_caught_up(PATIENCE)
    await stopped(second)
    assert event_store.names(scope) == ["e0", "e1", "e2", "e3"]
