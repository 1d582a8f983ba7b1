"""What was erased while it waited is never sent, and everything is sent once."""

import asyncio
from random import Random

import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope, lines
from harness.stores.faulty_store import LATER, FaultyStore, stopped
from harness.stores.spool_batches import batch, omission, put
from harness.suite.patience import PATIENCE
from tallyroom.core.clock import SystemClock
from tallyroom.core.times import DAY_MS
from tallyroom.ingest.drain import insert as insert_module
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.range_rows import OmissionFilter, Rows
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.omissions import OmissionSpan, begin_omissions
from tallyroom.storage.spool.queue import Spool

SCOPE = fresh_scope()


def remaining(erased: Omission, rows: Rows, chunk_id: int = 2) -> tuple[Rows, int]:
    omissions = OmissionFilter([OmissionSpan(erased, 2, 3)])
    return omissions.filter_rows(chunk_id, rows), omissions.omitted_count_by_erasure_id.total()


@pytest.mark.parametrize(
    ("erased", "left"),
    [
        (omission(SCOPE, "ann"), ["ben", "old", ""]),
        (omission(SCOPE), []),
        (omission(SCOPE, before_ms=NOW_MS - DAY_MS), ["ann", "ben", ""]),
        (omission(SCOPE, "nobody"), ["ann", "ben", "old", ""]),
        (omission(Scope(SCOPE.workspace_id, "staging")), ["ann", "ben", "old", ""]),
        (omission(fresh_scope()), ["ann", "ben", "old", ""]),
    ],
)
def test_an_actor_an_environment_or_an_age_is_left_out(erased: Omission, left: list[str]) -> None:
    ages = {"old": 2 * DAY_MS}
    events = {
        actor: event(SCOPE, actor=actor, timestamp_ms=NOW_MS - ages.get(actor, 0))
        for actor in ("ann", "ben", "old", "")
    }
    rows = Rows(4, lines(events.values()))
    kept = Rows(len(left), lines([events[actor] for actor in left]))
    assert remaining(erased, rows) == (kept, 4 - len(left))
    assert remaining(erased, rows, chunk_id=1) == (rows, 0), "it was on its way before"
    assert remaining(erased, rows, chunk_id=4) == (rows, 0), "it came later"


def test_what_changed_while_it_waited_stays_in_its_place() -> None:
    body = [lines([event(SCOPE, actor=actor)]) for actor in ("ann", "ann", "ben", "ann")]
    rows = Rows(4, b"".join(body), (1, 2))
    assert remaining(omission(SCOPE, "ann"), rows) == (Rows(2, body[1] + body[2], (0, 1)), 2)


async def test_what_waits_of_an_actor_is_never_sent(
    drain: Drain, spool: Spool, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, *(event(scope, actor=actor) for actor in ("ann", "ben", "ann"))))
    await put(spool, batch(spool, event(scope, actor="ann")))
    spool.change(lambda connection: begin_omissions(connection, [omission(scope, "ann")])).result(5)
    await put(spool, batch(spool, event(scope, "later", actor="ann")))
    drain.start()
    assert await drain.wait_settled(PATIENCE)
    assert b'"ann"' not in b"".join(body for _, body in store.sent if b'"later"' not in body)
    assert sorted(event_store.names(scope)) == ["later", "opened"]
    numbers = read_spool_counts(spool.open_reader())
    assert (numbers.left_spool, numbers.erased, numbers.expected_in_store) == (5, 3, 2)


async def test_where_nothing_is_left_nothing_is_sent(drain: Drain, spool: Spool, store: FaultyStore) -> None:
    scope = fresh_scope()
    await put(spool, batch(spool, event(scope, actor="ann")))
    spool.change(lambda connection: begin_omissions(connection, [omission(scope)])).result(5)
    drain.start()
    assert await drain.wait_settled(PATIENCE)
    assert store.sent == []
    assert read_spool_counts(spool.open_reader()).expected_in_store == 0


@pytest.mark.parametrize("seed", range(6))
async def test_a_range_that_was_interrupted_leaves_out_the_same(
    spool: Spool, store: FaultyStore, event_store: EventStore, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whether the interrupted insert arrived or not: nothing is doubled, nothing is lost."""
    monkeypatch.setattr(insert_module, "_MAX_BACKOFF_SECONDS", 0.01)
    chance, scope = Random(seed), fresh_scope()
    actors = [chance.choice(("ann", "ben")) for _ in range(chance.randint(2, 12))]
    await put(spool, batch(spool, *(event(scope, actor=actor) for actor in actors)))
    spool.change(lambda connection: begin_omissions(connection, [omission(scope, "ann")])).result(5)
    first = Drain(spool, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    if chance.random() < 0.5:
        store.after = [StoreError(LATER)] * 1000
    else:
        store.faults = [StoreError(LATER)] * 1000
    first.start()
    await asyncio.sleep(0.1)
    await stopped(first, 0)
    store.after, store.faults = [], []
    second = Drain(spool, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    second.start()
    assert await second.wait_settled(PATIENCE)
    assert event_store.count(scope) == actors.count("ben") == read_spool_counts(spool.open_reader()).expected_in_store
    await stopped(second)
