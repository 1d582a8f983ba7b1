"""A store that is away, forgets its answer or burns a token loses nothing and doubles nothing."""

import pytest

from harness.stores.event_store import EventStore, event, fresh_scope
from harness.stores.faulty_store import LATER, UNKNOWN, FaultyStore, stopped
from harness.stores.peers import FewPeers
from harness.stores.spool_batches import MONTH, batch, claim_all, put
from harness.suite.few import few
from harness.suite.patience import PATIENCE
from tallyroom.core.clock import SystemClock
from tallyroom.ingest.drain import insert as insert_module
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.spool.queue import Spool


async def test_a_store_that_is_away_gets_the_same_bytes_under_the_same_token(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.faults = [StoreError(LATER)] * 12
    await put(spool, batch(spool, event(scope), event(scope)))
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert len(store.sent) == 13
    assert len(set(store.sent)) == 1
    assert event_store.count(scope) == 2
    assert drain.dead_letter_count == 0


async def test_an_answer_that_was_lost_doubles_nothing(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.after = [RuntimeError("not the store's"), StoreError(LATER), StoreError(UNKNOWN)]
    await put(spool, batch(spool, event(scope)))
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    looks_each_time = event_store.backend.inserts_late  # in this process, only after the drain has begun anew
    assert len(store.sent) == (1 if looks_each_time else 3)
    assert event_store.count(scope) == 1


async def test_a_worker_whose_place_is_taken_delivers_nothing(
    spool: Spool, store: FaultyStore, event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(insert_module, "_MAX_BACKOFF_SECONDS", 0.01)
    scope, peers = fresh_scope(), FewPeers(objection="Another process has replaced this worker.")
    drain = Drain(spool, store, SystemClock(), peers)  # type: ignore[arg-type] # all that it asks of a store
    await put(spool, batch(spool, event(scope)))
    drain.start()
    assert not await drain.wait_caught_up(0.3)
    assert (store.sent, drain.failure_reason) == ([], peers.objection)
    peers.objection = ""
    assert await drain.wait_caught_up(PATIENCE)
    assert (event_store.count(scope), drain.failure_reason) == (1, "")
    await stopped(drain)


async def test_an_unknown_refusal_blames_the_store_and_never_the_rows(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.faults = [StoreError(UNKNOWN), StoreError("the disk broke")] * 10
    await put(spool, batch(spool, event(scope), event(scope)))
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert (event_store.count(scope), drain.dead_letter_count) == (2, 0)
    assert len(set(store.sent)) == 1


CUT = [
    "Code: 32. DB::Exception: Attempt to read after eof",
    "Code: 33. DB::Exception: Cannot read all data. Bytes read: 10. Bytes expected: 20.",
    "Code: 27. DB::Exception: Cannot parse input: expected ']' at end of stream: Buffer has gone, cannot extract",
    "Code: 209. DB::NetException: Timeout exceeded while reading from socket",
    "Code: 210. DB::NetException: Connection reset by peer",
]


@few(3, "message", CUT)
async def test_a_block_that_was_cut_on_its_way_goes_again_whole(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore, message: str
) -> None:
    scope = fresh_scope()
    store.faults = [StoreError(message)] * 2
    await put(spool, batch(spool, event(scope), event(scope)))
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert (event_store.count(scope), drain.dead_letter_count) == (2, 0)
    assert (len(store.sent), len(set(store.sent))) == (3, 1)


async def test_a_token_that_a_failure_burned_gets_a_successor(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    """On a disk that fills up the store may remember the token of a part that it then could not write."""
    scope = fresh_scope()
    store.faults, store.burns = [StoreError(LATER), None, StoreError(LATER)], True
    await put(spool, batch(spool, event(scope), event(scope)))
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert event_store.count(scope) == 2
    assert len({token for token, _ in store.sent}) == 3


async def test_a_range_found_at_the_start_is_looked_for_after_its_insert(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, event(scope)))
    claim = spool.change(claim_all).result(5)
    assert claim is not None
    store.burned = {f"{spool.identity}-{claim.chunks.name}-{MONTH}-0-1"}
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert event_store.count(scope) == 1


@pytest.mark.parametrize("there", [[1], *(pytest.param(each, marks=pytest.mark.long) for each in ([0], [0, 1]))])
async def test_what_a_run_before_inserted_counts_once_though_the_store_forgot_its_token(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore, there: list[int]
) -> None:
    """After a power cut the store has the part and neither its token nor its labels; `there` are months of the range."""
    scope = fresh_scope()
    rows = [
        event(scope, actor="ann", label="Ann", spool=spool.identity),
        event(scope, actor="bob", label="Bob", spool=spool.identity, timestamp_ms=0),
    ]
    made = batch(spool, *rows)
    await put(spool, made)
    assert spool.change(claim_all).result(5) is not None
    for month in there:
        event_store.writer.insert_events(made.chunks[month].body, f"forgotten-{spool.identity}-{month}")
    event_store.writer.command(f"ALTER TABLE actor_labels DELETE WHERE workspace_id = '{scope.workspace_id}'")
    restarted = Drain(spool, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    restarted.start()
    assert await restarted.wait_caught_up(PATIENCE)
    await stopped(restarted)
    assert event_store.count(scope) == 2
    assert len(store.sent) == 2 - len(there)
    labels = event_store.select("SELECT newest.label FROM actor_labels FINAL WHERE {scope} ORDER BY actor", scope)
    assert labels == [["Ann"], ["Bob"]]


async def test_the_drain_survives_an_error_that_is_not_the_stores(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    store.faults = [ZeroDivisionError(), None]
    await put(spool, batch(spool, event(scope)))
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert event_store.count(scope) == 1
