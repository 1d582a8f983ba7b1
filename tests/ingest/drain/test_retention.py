"""An event is never deleted early, and what is deleted is accounted for."""

import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from harness.stores.faulty_store import FaultyStore, stopped
from harness.stores.spool_batches import batch, put
from tallyroom.core.errors import Unavailable
from tallyroom.ingest.drain import retention as retention_module
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.retention import RetentionEraser
from tallyroom.storage.spool.dead_letters import DeadLetter, add_dead_letter
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import SpoolRow, split_lines

pytestmark = pytest.mark.usefixtures("emptied_store")

DAY = 86_400_000
MIDNIGHT = NOW_MS - NOW_MS % DAY


async def test_events_and_dead_letters_are_counted_as_erased(
    spool: Spool, drain: Drain, event_store: EventStore
) -> None:
    scope = fresh_scope()

    def row(age: int) -> SpoolRow:
        return event(scope, timestamp_ms=NOW_MS - age * DAY, spool=spool.identity, seq=spool.last_seq + 1)

    drain.start()
    for age in (3, 2, 1):
        await put(spool, batch(spool, row(age)))
    retention = RetentionEraser(spool, drain, event_store.writer)
    last_seq = await retention.wait_for_drained_seq()
    for token, age, line in (("a", 3, None), ("b", 1, None), ("c", 3, b"no line"), ("d", 1, b"\xff")):
        text = line or split_lines(batch(spool, row(age)).chunks[0].body)[0]
        letter = DeadLetter(token, scope.workspace_id, scope.environment, "", "why", NOW_MS - age * DAY, text)
        spool.change(lambda connection, letter=letter: add_dead_letter(connection, letter)).result()  # type: ignore[misc] # mypy infers no default
    assert await retention.expire(scope, NOW_MS - 2 * DAY, last_seq) == 3
    assert await retention.expire(scope, NOW_MS - 2 * DAY, last_seq) == 0
    assert event_store.count(scope) == 2
    with spool.open_reader() as reader:
        numbers = read_spool_counts(reader)
    assert (numbers.erased, numbers.dead_letters, numbers.erasing) == (3, 2, 0)
    await stopped(drain)


async def test_nothing_is_deleted_while_events_wait(
    spool: Spool, drain: Drain, store: FaultyStore, monkeypatch: pytest.MonkeyPatch, event_store: EventStore
) -> None:
    monkeypatch.setattr(retention_module, "_DRAIN_TIMEOUT_SECONDS", 0.05)
    await put(spool, batch(spool, event(fresh_scope())))  # and the drain does not run
    with pytest.raises(Unavailable):
        await RetentionEraser(spool, drain, event_store.writer).wait_for_drained_seq()
