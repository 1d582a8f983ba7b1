"""Alerts keep their status while the event store is behind (rules/alerts#delays)."""

from collections.abc import AsyncIterator
from random import Random

import pytest

from harness.oracles.alert_rules import DAY_MS, MINUTE_MS, rule
from harness.stores.alert_evaluation import Site
from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope, stay_behind
from harness.stores.questions import Happened, insert
from harness.stores.spool_batches import batch, put
from harness.suite.patience import PATIENCE
from tallyroom.alerts.evaluation import evaluation
from tallyroom.alerts.rules.service import find_delay_start_ms
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Alert, Incident
from tallyroom.storage.spool.queue import Spool

ROWS_PER_BATCH = 500


@pytest.fixture
async def site(database: Database, event_store: EventStore) -> AsyncIterator[Site]:
    site = Site(database, event_store)
    await site.found()
    yield site
    await site.back_tests.close()


class Traffic:
    """An environment with an event a second, and one whose history arrives in any order."""

    def __init__(self, spool: Spool, steady: Scope, history: Scope, month_count: int) -> None:
        self._spool, self._steady, self._history = spool, steady, history
        self._days = range(1, 30 * month_count)
        self._random = Random(51)

    async def put_minute(self, until_ms: int) -> None:
        """Acknowledge the 60 events of the minute up to a beat."""
        rows = [event(self._steady, timestamp_ms=until_ms - second * 1000) for second in range(60)]
        await put(self._spool, batch(self._spool, *rows))

    async def put_history(self, row_count: int) -> None:
        """Acknowledge rows of all months, shuffled, in requests of 500."""
        for _ in range(row_count // ROWS_PER_BATCH):
            days = self._random.choices(self._days, k=ROWS_PER_BATCH)
            rows = [event(self._history, timestamp_ms=NOW_MS - day * DAY_MS) for day in days]
            await put(self._spool, batch(self._spool, *rows))


@pytest.mark.parametrize(
    ("row_count", "month_count", "is_held"),
    [(2_000, 6, True), pytest.param(500_000, 60, False, marks=pytest.mark.long)],
)
async def test_a_steady_stream_beside_a_long_history_causes_no_false_alarm(
    site: Site,
    drain: Drain,
    spool: Spool,
    monkeypatch: pytest.MonkeyPatch,
    row_count: int,
    month_count: int,
    is_held: bool,
) -> None:
    monkeypatch.setattr(site.store.reader, "wait_caught_up", drain.wait_caught_up)
    monkeypatch.setattr(evaluation, "_CATCH_UP_SECONDS", 0.1)
    for condition, threshold in (("below", 30), ("drops", 50), ("nodata", None)):
        await site.add(rule(condition=condition, threshold=threshold, event="opened", window_minutes=1))
    traffic = Traffic(spool, site.scope, fresh_scope(), month_count)
    for minute in (-1, 0):
        await traffic.put_minute(NOW_MS + minute * MINUTE_MS)
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    await site.evaluator.run(NOW_MS)
    assert site.evaluator.evaluated_count == 3

    async def run_beats(first_minute: int) -> None:
        for minute in range(first_minute, first_minute + 4):
            await traffic.put_history(row_count // 4)
            await traffic.put_minute(NOW_MS + minute * MINUTE_MS)
            await site.evaluator.run(NOW_MS + minute * MINUTE_MS)
            assert await site.activity() == []

    if is_held:
        with drain.held(PATIENCE):
            await run_beats(1)
        assert site.evaluator.delayed_count == 12
    else:
        await run_beats(1)
    assert await drain.wait_caught_up(PATIENCE)
    await traffic.put_minute(NOW_MS + 5 * MINUTE_MS)
    assert await drain.wait_caught_up(PATIENCE)
    await site.evaluator.run(NOW_MS + 5 * MINUTE_MS)
    assert await site.activity() == []
    assert {(alert.status, alert.evaluated_at_ms) for alert in await site.all(Alert)} == {
        ("ok", NOW_MS + 5 * MINUTE_MS)
    }


async def test_a_beat_without_the_newest_events_sends_nothing_and_ends_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reminders and recoveries wait as well as alarms."""
    await site.add(rule(threshold=2), cooldown_minutes=1)
    await site.add(rule(condition="nodata", event="b"), cooldown_minutes=1)
    insert(site.store, site.scope, [Happened("a", NOW_MS)] * 3)
    await site.evaluator.run(NOW_MS)
    assert [message.type for message in site.messages] == ["alert.fired"] * 2
    monkeypatch.setattr(site.store.reader, "wait_caught_up", stay_behind)
    for minute in range(1, 30):
        await site.evaluator.run(NOW_MS + minute * MINUTE_MS)
    assert len(site.messages) == len(await site.activity()) == 2
    alerts = await site.all(Alert)
    assert {(alert.status, alert.evaluated_at_ms) for alert in alerts} == {("firing", NOW_MS)}
    assert {find_delay_start_ms(alert) for alert in alerts} == {NOW_MS + MINUTE_MS}
    assert all(incident.resolved_at_ms is None for incident in await site.all(Incident))


async def test_the_next_beat_with_all_events_decides_by_its_window(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await site.add(rule(condition="nodata"))
    with monkeypatch.context() as patch:
        patch.setattr(site.store.reader, "wait_caught_up", stay_behind)
        await site.evaluator.run(NOW_MS)
        await site.evaluator.run(NOW_MS + MINUTE_MS)
    assert (site.evaluator.delayed_count, site.evaluator.evaluated_count) == (2, 0)
    assert site.evaluator.delay_seconds == 60
    await site.evaluator.run(NOW_MS + 2 * MINUTE_MS)
    assert await site.activity() == [(NOW_MS + 2 * MINUTE_MS, "fired", 0)]
    [alert] = await site.all(Alert)
    assert (alert.delayed_since_ms, find_delay_start_ms(alert)) == (None, None)
    assert site.evaluator.delay_seconds == 0


async def test_events_of_other_hosts_count(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await site.add(rule(condition="nodata"))
    monkeypatch.setattr(site.store.reader, "wait_peers_caught_up", stay_behind)
    await site.evaluator.run(NOW_MS)
    assert await site.activity() == []
    assert site.evaluator.delayed_count == 1


async def test_a_delay_ends_for_this_worker_when_another_goes_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await site.add(rule(condition="nodata"))
    with monkeypatch.context() as patch:
        patch.setattr(site.store.reader, "wait_caught_up", stay_behind)
        await site.evaluator.run(NOW_MS - 10 * MINUTE_MS)
        await site.evaluator.run(NOW_MS)
    assert site.evaluator.delay_seconds == 600
    site.clock.advance(121)
    assert site.evaluator.delay_seconds == 0


async def test_a_delay_begins_again_after_the_clock_was_set_back(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await site.add(rule(condition="nodata"))
    monkeypatch.setattr(site.store.reader, "wait_caught_up", stay_behind)
    for minute in (60, 0, 1):
        await site.evaluator.run(NOW_MS + minute * MINUTE_MS)
    [alert] = await site.all(Alert)
    assert find_delay_start_ms(alert) == NOW_MS


@pytest.mark.parametrize(
    ("enabled", "evaluated_at_ms", "delayed_since_ms", "delay_start_ms"),
    [
        (True, None, None, None),
        (True, None, NOW_MS, NOW_MS),
        (True, NOW_MS - 1, NOW_MS, NOW_MS),
        (True, NOW_MS, NOW_MS - 1, None),  # a worker of the version before evaluated it
        (False, NOW_MS - 1, NOW_MS, None),
    ],
)
def test_an_alert_waits_until_it_is_evaluated_or_paused(
    enabled: bool, evaluated_at_ms: int | None, delayed_since_ms: int | None, delay_start_ms: int | None
) -> None:
    alert = Alert(enabled=enabled, evaluated_at_ms=evaluated_at_ms, delayed_since_ms=delayed_since_ms)
    assert find_delay_start_ms(alert) == delay_start_ms
