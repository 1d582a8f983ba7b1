"""ingest.drain: what is durable reaches the store exactly once, in order, whatever the store does."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.spooled import MONTH, batch, look, put
from harness.store import EventStore, event, fresh_scope
from tallyroom.core.clock import SystemClock
from tallyroom.ingest import drain as drain_module
from tallyroom.ingest.drain import Drain
from tallyroom.spool.claim import take_claim
from tallyroom.spool.group import Batch
from tallyroom.spool.queue import Spool
from tallyroom.spool.row import Chunk
from tallyroom.store.connection import Writer
from tallyroom.store.errors import StoreError
from tallyroom.store.scope import Scope

LATER = "Code: 252. DB::Exception: Too many parts"
UNKNOWN = "Code: 49. DB::Exception: Logical error"


class Store:
    """A writer whose answers a test chooses.

    Args:
        writer: the real one.
        faults: what the first inserts raise; None passes.
    """

    def __init__(self, writer: Writer, faults: list[Exception | None] | None = None) -> None:
        self.real = writer.insert
        self.has = writer.has
        self.burned: set[str] = set()
        self.burns = False
        self.faults = faults or []
        self.after: list[Exception] = []
        self.blames: Callable[[bytes], Exception | None] = lambda _: None
        self.sent: list[tuple[str, bytes]] = []

    def insert(self, body: bytes, token: str) -> None:
        self.sent.append((token, body))
        if self.faults and (fault := self.faults.pop(0)):
            if self.burns:
                self.burned.add(token)
            raise fault
        if fault := self.blames(body):
            raise fault
        if token in self.burned:
            return
        self.real(body, token)
        if self.after:
            raise self.after.pop()


@pytest.fixture
def store(event_store: EventStore) -> Store:
    return Store(event_store.writer)


@pytest.fixture
def drain(spool: Spool, store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Drain]:
    monkeypatch.setattr(drain_module, "_FIRST_BACKOFF", 0.001)
    monkeypatch.setattr(drain_module, "_LONGEST_BACKOFF", 0.01)
    drain = Drain(spool, store, SystemClock())  # type: ignore[arg-type]
    yield drain
    if not drain._stop.is_set():
        drain.stop(0)


def names(event_store: EventStore, scope: Scope) -> list[str]:
    return [name for (name,) in event_store.select("SELECT name FROM events WHERE {scope} ORDER BY seq", scope)]


def poisoned(good: Chunk, *places: int) -> Chunk:
    """The chunk with lines that no store takes at some places."""
    found = good.body.splitlines(keepends=True)
    for place in places:
        found.insert(place, b'["no-uuid","production",1,2,3,4,"%d","ann","","",{}]\n' % place)
    return Chunk(good.month, len(found), b"".join(found))


def poisoned_batch(spool: Spool, scope: Scope, good: int, *places: int) -> Batch:
    made = batch(spool, *(event(scope, f"e{number}") for number in range(good)))
    made.chunks = [poisoned(made.chunks[0], *places)]
    return made


async def stopped(drain: Drain, seconds: float = 5) -> None:
    await asyncio.to_thread(drain.stop, seconds)


async def test_everything_is_drained_once_and_leaves_the_spool(
    drain: Drain, spool: Spool, spool_path: Path, event_store: EventStore
) -> None:
    scope = fresh_scope()
    rows = [event(scope, f"e{number}", timestamp_ms=number % 3 * 2_678_400_000) for number in range(60)]
    await asyncio.gather(*(put(spool, batch(spool, *rows[at : at + 5])) for at in range(0, 30, 5)))
    assert spool.waiting_bytes > 0
    drain.start()
    await asyncio.gather(*(put(spool, batch(spool, *rows[at : at + 5])) for at in range(30, 60, 5)))
    assert await drain.caught_up(5)
    assert names(event_store, scope) == [row.name for row in rows]
    await stopped(drain)
    assert look(spool_path, "SELECT count(*) FROM chunk") == look(spool_path, "SELECT count(*) FROM claim") == [(0,)]
    assert (drain.stored, spool.waiting_bytes, drain.dead_letters, drain.failing) == (60, 0, 0, "")


async def test_caught_up_counts_what_was_acknowledged_before_it(
    drain: Drain, spool: Spool, store: Store, event_store: EventStore
) -> None:
    scope = fresh_scope()
    assert await drain.caught_up(0)
    store.blames = lambda _: StoreError(LATER)
    drain.start()
    await put(spool, batch(spool, event(scope)))
    assert not await drain.caught_up(0.05)
    waiting = asyncio.create_task(drain.caught_up(5))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    assert drain.failing == LATER
    store.blames = lambda _: None
    assert await waiting
    assert event_store.count(scope) == 1
    assert drain.failing == ""


async def test_a_store_that_is_away_gets_the_same_bytes_under_the_same_token(
    drain: Drain, spool: Spool, store: Store, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.faults = [StoreError(LATER)] * 12
    await put(spool, batch(spool, event(scope), event(scope)))
    drain.start()
    assert await drain.caught_up(5)
    assert len(store.sent) == 13
    assert len(set(store.sent)) == 1
    assert event_store.count(scope) == 2
    assert drain.dead_letters == 0


async def test_an_answer_that_was_lost_doubles_nothing(
    drain: Drain, spool: Spool, store: Store, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.after = [StoreError(LATER), RuntimeError("not the store's"), StoreError(UNKNOWN)]
    await put(spool, batch(spool, event(scope)))
    drain.start()
    assert await drain.caught_up(5)
    assert len(store.sent) == 4
    assert event_store.count(scope) == 1


@pytest.mark.parametrize("places", [(0,), (20,), (3, 4, 17), (0, 10, 20)])
async def test_poison_is_put_aside_line_by_line_and_stops_nobody(
    drain: Drain, spool: Spool, spool_path: Path, event_store: EventStore, places: tuple[int, ...]
) -> None:
    scope = fresh_scope()
    made = poisoned_batch(spool, scope, 20, *places)
    bad = [line for line in made.chunks[0].body.splitlines(keepends=True) if b"no-uuid" in line]
    await put(spool, made)
    drain.start()
    await put(spool, batch(spool, event(scope, "later")))
    assert await drain.caught_up(10)
    assert names(event_store, scope) == [f"e{number}" for number in range(20)] + ["later"]
    await stopped(drain)
    letters = look(spool_path, "SELECT line, workspace_id, environment, actor FROM dead_letter ORDER BY rowid")
    assert letters == [(line, "no-uuid", "production", "ann") for line in bad]
    assert all("UUID" in reason for (reason,) in look(spool_path, "SELECT reason FROM dead_letter"))
    assert (drain.dead_letters, drain.failing, spool.waiting_bytes) == (len(places), "", 0)


async def test_a_part_that_was_refused_never_goes_whole_again(
    drain: Drain, spool: Spool, spool_path: Path, store: Store, event_store: EventStore
) -> None:
    """Not even after a restart in the middle: some of its halves may be in the store under their own tokens."""
    scope = fresh_scope()
    await put(spool, poisoned_batch(spool, scope, 7, 5))
    store.faults = [None, None, StoreError(LATER), *[StoreError(LATER)] * 10_000]
    drain.start()
    while len(store.sent) < 5:  # noqa: ASYNC110 # the drain's thread sets no event of the loop
        await asyncio.sleep(0.01)
    await stopped(drain, 0)
    whole = store.sent[0][0]
    assert look(spool_path, "SELECT count(*) FROM halved") != [(0,)]
    again = Store(event_store.writer)
    second = Drain(spool, again, SystemClock())  # type: ignore[arg-type]
    second.start()
    assert await second.caught_up(5)
    await stopped(second)
    assert whole not in {token for token, _ in again.sent}
    assert names(event_store, scope) == [f"e{number}" for number in range(7)]
    assert look(spool_path, "SELECT count(*) FROM dead_letter") == [(1,)]


async def test_an_unknown_refusal_blames_the_store_and_never_the_rows(
    drain: Drain, spool: Spool, store: Store, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.faults = [StoreError(UNKNOWN), StoreError("the disk broke")] * 10
    await put(spool, batch(spool, event(scope), event(scope)))
    drain.start()
    assert await drain.caught_up(5)
    assert (event_store.count(scope), drain.dead_letters) == (2, 0)
    assert len(set(store.sent)) == 1


async def test_a_token_that_a_failure_burned_gets_a_successor(
    drain: Drain, spool: Spool, store: Store, event_store: EventStore
) -> None:
    """On a disk that fills up the store may remember the token of a part that it then could not write."""
    scope = fresh_scope()
    store.faults, store.burns = [StoreError(LATER), None, StoreError(LATER)], True
    await put(spool, batch(spool, event(scope), event(scope)))
    drain.start()
    assert await drain.caught_up(5)
    assert event_store.count(scope) == 2
    assert len({token for token, _ in store.sent}) == 3


async def test_a_range_found_at_the_start_is_looked_for_after_its_insert(
    drain: Drain, spool: Spool, store: Store, event_store: EventStore
) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, event(scope)))
    claim = spool.change(take_claim).result(5)
    assert claim is not None
    store.burned = {f"{spool.identity}-{claim.first_id}-{claim.last_id}-{MONTH}-0-1"}
    drain.start()
    assert await drain.caught_up(5)
    assert event_store.count(scope) == 1


async def test_the_drain_survives_an_error_that_is_not_the_stores(
    drain: Drain, spool: Spool, store: Store, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.faults = [ZeroDivisionError(), None]
    await put(spool, batch(spool, event(scope)))
    drain.start()
    assert await drain.caught_up(5)
    assert event_store.count(scope) == 1


async def test_a_stop_is_in_time_and_the_next_start_goes_on(
    drain: Drain, spool: Spool, spool_path: Path, store: Store, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.blames = lambda _: StoreError(LATER)
    await put(spool, batch(spool, event(scope)))
    drain.start()
    began = time.monotonic()
    await stopped(drain, 0.2)
    assert 0.1 < time.monotonic() - began < 2
    assert look(spool_path, "SELECT count(*) FROM chunk") == look(spool_path, "SELECT count(*) FROM claim") == [(1,)]
    again = Store(event_store.writer)
    second = Drain(spool, again, SystemClock())  # type: ignore[arg-type]
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


async def test_a_drained_spool_is_caught_up_at_once(spool: Spool, store: Store, drain: Drain) -> None:
    drain.start()
    await put(spool, batch(spool, event(fresh_scope())))
    await stopped(drain)
    second = Drain(spool, store, SystemClock())  # type: ignore[arg-type]
    assert second.drained_id == spool.last_id
    assert await second.caught_up(0)
    second.stop(0)


async def test_the_rows_of_one_insert_are_of_one_month(drain: Drain, spool: Spool, store: Store) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, event(scope), event(scope, timestamp_ms=0), event(scope)))
    drain.start()
    assert await drain.caught_up(5)
    months: list[set[Any]] = []
    for _, body in store.sent:
        months.append({msgspec.json.decode(line)[2] // 10**12 for line in body.splitlines()})
    assert sorted(map(sorted, months)) == [[0], [1]]
    assert len({token for token, _ in store.sent}) == 2
