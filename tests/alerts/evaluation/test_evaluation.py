"""The evaluation of all alerts at a beat, with the real stores (rules/alerts#beats)."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from conftest import FakeClock
from harness.oracles.alert_rules import DAY_MS, MINUTE_MS, rule
from harness.stores.alert_evaluation import Site
from harness.stores.event_store import NOW_MS, EventStore
from harness.stores.questions import Happened, insert
from tallyroom.alerts.back_test.back_test import BackTest, BackTester
from tallyroom.alerts.evaluation import evaluation
from tallyroom.alerts.evaluation.incidents import advance_state
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.errors import Internal, RateLimited, Unavailable
from tallyroom.core.times import iso_ms
from tallyroom.queries.filters import Filter
from tallyroom.storage.event_store.errors import QuestionTooCostly
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Alert, AlertActivity, Incident


@pytest.fixture
async def site(database: Database, event_store: EventStore) -> AsyncIterator[Site]:
    site = Site(database, event_store)
    await site.found()
    yield site
    await site.back_tests.close()


@pytest.mark.long
async def test_an_alert_fires_tells_and_resolves(site: Site) -> None:
    alert_id = await site.add(rule())
    insert(site.store, site.scope, [Happened("a", NOW_MS - 30_000)] * 3)
    await site.evaluator.run(NOW_MS)
    [alert] = await site.all(Alert)
    assert (alert.status, alert.value, alert.evaluated_at_ms, alert.told_at_ms) == ("firing", 3, NOW_MS, NOW_MS)
    for minute in range(1, 7):
        await site.evaluator.run(NOW_MS + minute * MINUTE_MS)
    assert await site.activity() == [(NOW_MS, "fired", 3), (NOW_MS + 5 * MINUTE_MS, "resolved", 0)]
    [incident] = await site.all(Incident)
    assert (incident.fired_at_ms, incident.resolved_at_ms) == (NOW_MS, NOW_MS + 5 * MINUTE_MS)
    fired, resolved = site.messages
    assert (fired.type, fired.value, fired.fired_at, fired.resolved_at) == ("alert.fired", 3, iso_ms(NOW_MS), None)
    assert fired.url == f"https://tally.example.com/alerts/{alert_id}?w={site.scope.workspace_id}"
    assert fired.points[-2:] == ((NOW_MS / 1000 - 60, 0.0), (NOW_MS / 1000, 3.0))
    assert (resolved.type, resolved.value) == ("alert.resolved", 0)
    assert (resolved.fired_at, resolved.resolved_at) == (fired.fired_at, iso_ms(NOW_MS + 5 * MINUTE_MS))


async def test_an_alert_on_a_formula_tells_its_value_and_has_none_without_a_divisor(site: Site) -> None:
    formula = {
        "a": {"event": "a", "measure": "count", "filters": [{"key": "n", "op": "gt", "value": 1}]},
        "b": {"event": "a", "measure": "count"},
        "expression": "a / b * 100",
    }
    await site.add(rule(formula=formula, threshold=50))
    await site.evaluator.run(NOW_MS)
    [alert] = await site.all(Alert)
    assert (alert.status, alert.value) == ("nodata", None)
    insert(site.store, site.scope, [Happened("a", NOW_MS + 30_000, properties={"n": n}) for n in (1, 2, 3)])
    await site.evaluator.run(NOW_MS + MINUTE_MS)
    [fired] = site.messages
    assert (fired.type, fired.value, fired.formula) == ("alert.fired", 66.6666666666667, formula)
    assert (fired.event, fired.measure, fired.property) == (None, None, None)
    assert fired.points == ((NOW_MS / 1000 + 60, 66.6666666666667),)


async def test_an_alert_has_data_from_the_first_beat_whose_window_has_an_event(site: Site) -> None:
    """That nothing fires tells nothing while nothing has come: a wrong name looks the same."""
    await site.add(rule(threshold=5))
    await site.evaluator.run(NOW_MS)
    [alert] = await site.all(Alert)
    assert (alert.status, alert.value, alert.last_data_at_ms) == ("ok", 0, None)
    insert(site.store, site.scope, [Happened("a", NOW_MS + 30_000)])
    await site.evaluator.run(NOW_MS + MINUTE_MS)
    [alert] = await site.all(Alert)
    assert (alert.status, alert.value, alert.last_data_at_ms) == ("ok", 1, NOW_MS + MINUTE_MS)
    await site.evaluator.run(NOW_MS + 30 * MINUTE_MS)
    [alert] = await site.all(Alert)
    assert (alert.status, alert.value, alert.last_data_at_ms) == ("ok", 0, NOW_MS + MINUTE_MS)


async def test_a_formula_has_data_when_one_of_its_parts_has(site: Site) -> None:
    formula = {
        "a": {"event": "a", "measure": "count"},
        "b": {"event": "b", "measure": "count"},
        "expression": "a / b",
    }
    await site.add(rule(formula=formula, threshold=5))
    insert(site.store, site.scope, [Happened("a", NOW_MS - 1)])
    await site.evaluator.run(NOW_MS)
    [alert] = await site.all(Alert)
    assert (alert.value, alert.last_data_at_ms) == (None, NOW_MS)


async def test_reminders_follow_the_cooldown(site: Site) -> None:
    await site.add(rule(condition="nodata"), cooldown_minutes=2)
    for minute in range(5):
        await site.evaluator.run(NOW_MS + minute * MINUTE_MS)
    assert [each.type for each in site.messages] == ["alert.fired", "alert.reminder", "alert.reminder"]
    assert len(await site.activity()) == 1


async def test_after_a_clock_was_set_back_the_cooldown_begins_anew(site: Site) -> None:
    await site.add(rule(condition="nodata"), cooldown_minutes=2)
    minutes = [120, 60, 61, 62, 63]
    for minute in minutes:
        await site.evaluator.run(NOW_MS + minute * MINUTE_MS)
    told = [(each.type, each.timestamp) for each in site.messages]
    assert told == [
        ("alert.fired", iso_ms(NOW_MS + 120 * MINUTE_MS)),
        ("alert.reminder", iso_ms(NOW_MS + 62 * MINUTE_MS)),
    ]
    assert len(await site.activity()) == 1


async def test_a_beat_that_is_repeated_changes_nothing(site: Site) -> None:
    await site.add(rule(condition="nodata"), cooldown_minutes=1)
    for _again in range(3):
        await site.evaluator.run(NOW_MS)
    assert len(site.messages) == len(await site.activity()) == 1
    assert site.evaluator.evaluated_count == 1


@pytest.mark.long
async def test_two_evaluators_at_the_same_beat_tell_once(site: Site) -> None:
    await site.add_all(rule(condition="nodata", window_minutes=1 + number % 3) for number in range(24))
    other = site.another(site.store.reader)
    await asyncio.gather(site.evaluator.run(NOW_MS), other.run(NOW_MS))
    assert len(site.messages) == len(await site.activity()) == len(await site.all(Incident)) == 24


async def test_alerts_that_are_off_are_left_alone(site: Site) -> None:
    await site.add(rule(condition="nodata"), enabled=False, status="paused")
    await site.evaluator.run(NOW_MS)
    [alert] = await site.all(Alert)
    assert (alert.status, alert.evaluated_at_ms) == ("paused", None)


async def test_an_alert_that_was_changed_after_a_beat_waits_for_the_next(site: Site) -> None:
    """Otherwise it would seem to have fired before it was made, or before its last incident was resolved."""
    alert_id = await site.add(rule(condition="nodata"))
    for updated_ms, evaluated_ms in [
        (NOW_MS + 1, None),
        (NOW_MS + MINUTE_MS, None),
        (NOW_MS + 60 * MINUTE_MS, NOW_MS),  # the clock was set back
    ]:
        async with site.database.session(write=True) as db:
            (await db.get_one(Alert, alert_id)).updated_at_ms = updated_ms
        await site.evaluator.run(NOW_MS)
        [alert] = await site.all(Alert)
        assert alert.evaluated_at_ms == evaluated_ms


class _Slow(EventReader):
    """A reader behind another, which refuses queries over too many alerts, or does something before it answers."""

    def __init__(self, reader: EventReader) -> None:
        self._reader = reader
        self.wait_peers_caught_up = reader.wait_peers_caught_up
        self.most: int | None = None
        self.before: Any = None
        self.queries = 0

    async def catch_up(self, *arguments: Any, **kinds: Any) -> bool:
        return await self._reader.catch_up(*arguments, **kinds)

    async def fetch_rows(self, sql: str, *arguments: Any) -> Any:
        self.queries += 1
        if self.before is not None:
            await self.before()
        if self.most is not None and sql.count("AS part") > self.most:
            raise QuestionTooCostly("too much")
        return await self._reader.fetch_rows(sql, *arguments)


async def test_one_query_for_all_alerts_of_a_window(site: Site) -> None:
    await site.add_all(rule(window_minutes=1 + number % 2, event=f"e{number}") for number in range(60))
    reader = _Slow(site.store.reader)
    await site.another(reader).run(NOW_MS)
    assert reader.queries == 2


async def test_a_query_that_is_too_costly_is_asked_in_halves(site: Site) -> None:
    await site.add_all(rule(condition="nodata", event=f"e{number}") for number in range(10))
    reader = _Slow(site.store.reader)
    reader.most = 2
    evaluator = site.another(reader)
    await evaluator.run(NOW_MS)
    assert (evaluator.evaluated_count, evaluator.failed_count) == (10, 0)
    reader.most = 0
    await evaluator.run(NOW_MS + MINUTE_MS)
    assert (evaluator.evaluated_count, evaluator.failed_count) == (10, 10)


@pytest.mark.long
async def test_a_query_that_is_too_long_is_asked_in_halves(site: Site) -> None:
    """The text of a query has a limit of its own, which some dozens of alerts with very many filters exceed."""
    await site.add_all(
        rule(
            condition="nodata",
            filters=tuple(Filter(f"k{each}", "eq", f"v{number}") for each in range(100)),
            event=f"e{number}",
        )
        for number in range(60)
    )
    reader = _Slow(site.store.reader)
    evaluator = site.another(reader)
    await evaluator.run(NOW_MS)
    assert reader.queries > 1
    assert (evaluator.evaluated_count, evaluator.failed_count) == (60, 0)
    assert len(site.messages) == 60


async def test_an_alert_that_fails_does_so_alone(site: Site) -> None:
    for number in range(3):
        await site.add(rule(condition="nodata", event="broken" if number else "sound"))
    await (await site.neighbor()).add(rule(condition="nodata"))
    reader = _Slow(site.store.reader)

    async def fail(sql: str, *arguments: Any) -> Any:
        if "broken" in arguments[1].values():
            raise Internal("The query could not be answered.")
        return await site.store.reader.fetch_rows(sql, *arguments)

    reader.fetch_rows = fail  # type: ignore[method-assign] # a stand-in
    evaluator = site.another(reader)
    await evaluator.run(NOW_MS)
    assert (evaluator.evaluated_count, evaluator.failed_count) == (2, 2)


async def test_an_alert_that_cannot_be_judged_silences_no_other(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(3):
        await site.add(rule(condition="nodata", event="broken" if number == 1 else "sound"))

    def fail(broken: AlertRule, *arguments: Any) -> Any:
        if broken.event == "broken":
            raise AttributeError("a fault of this program")
        return advance_state(broken, *arguments)

    monkeypatch.setattr(evaluation, "advance_state", fail)
    await site.evaluator.run(NOW_MS)
    assert (site.evaluator.evaluated_count, site.evaluator.failed_count) == (2, 1)
    assert len(site.messages) == 2
    assert "a fault of this program" in caplog.text


async def test_a_workspace_without_an_answer_fails_no_other(site: Site) -> None:
    await site.add(rule(condition="nodata"))
    other = await site.neighbor()
    await other.add(rule(condition="nodata"))
    reader = _Slow(site.store.reader)

    async def refuse(sql: str, scope: Scope, *arguments: Any) -> Any:
        if scope == site.scope:
            raise RateLimited("Too many queries from this workspace are queued.", 1)
        return await site.store.reader.fetch_rows(sql, scope, *arguments)

    reader.fetch_rows = refuse  # type: ignore[method-assign] # a stand-in
    await site.another(reader).run(NOW_MS)
    assert len(site.messages) == 1


@pytest.mark.long
async def test_what_takes_longer_than_a_beat_goes_on_at_the_next(site: Site) -> None:
    for minutes in range(1, 9):
        await site.add(rule(condition="nodata", window_minutes=minutes))
    other = await site.neighbor()
    await other.add(rule(condition="nodata"))
    reader = _Slow(site.store.reader)

    async def take_long() -> None:
        site.clock.advance(20)

    reader.before = take_long
    evaluator = site.another(reader)
    for beat in range(6):
        await evaluator.run(NOW_MS + beat * MINUTE_MS)
        other_alert, *_ = [each for each in await site.all(Alert) if each.workspace_id == other.scope.workspace_id]
        assert other_alert.evaluated_at_ms == NOW_MS + beat * MINUTE_MS
    assert all(each.evaluated_at_ms for each in await site.all(Alert))


async def test_a_store_that_is_away_fails_the_beat_and_not_what_was_done(site: Site) -> None:
    await site.add(rule(condition="nodata"))
    await site.add(rule(condition="nodata", window_minutes=7))
    reader = _Slow(site.store.reader)

    async def go_away() -> None:
        if reader.queries == 1:
            raise Unavailable("away")

    reader.before = go_away
    evaluator = site.another(reader)
    with pytest.raises(Unavailable):
        await evaluator.run(NOW_MS)
    assert len(await site.activity()) == 1
    await evaluator.run(NOW_MS)
    assert len(await site.activity()) == 2


@pytest.mark.parametrize("deed", ["pause", "change", "delete"])
async def test_what_people_do_meanwhile_wins(site: Site, deed: str) -> None:
    alert_id = await site.add(rule(condition="nodata"))
    reader = _Slow(site.store.reader)

    async def interfere() -> None:
        async with site.database.session(write=True) as db:
            alert = await db.get_one(Alert, alert_id)
            if deed == "delete":
                await db.delete(alert)
            else:
                alert.enabled = deed != "pause"
                alert.updated_at_ms += 1

    reader.before = interfere
    await site.another(reader).run(NOW_MS)
    assert site.messages == []
    assert await site.activity() == []


RATE = {
    "a": {"event": "a", "measure": "p95", "property": "n", "filters": [{"key": "n", "op": "lt", "value": 9}]},
    "b": {"events": "all", "measure": "sum", "property": "n"},
    "c": {"event": "never", "measure": "count"},
    "expression": "a / b + c",
}
REPLAYED = [
    rule(),
    rule(condition="below", threshold=1),
    rule(measure="sum", property="n", threshold=10.5, window_minutes=15),
    rule(measure="uniq_actors", threshold=2),
    rule(measure="p95", property="n", condition="rises", threshold=10, window_minutes=10),
    rule(measure="avg", property="n", condition="drops", threshold=5),
    rule(condition="nodata", threshold=None, window_minutes=3),
    rule(formula=RATE, threshold=0.4, window_minutes=6),
    rule(formula=RATE, condition="drops", threshold=10, window_minutes=10),
    rule(formula=RATE, condition="nodata", threshold=None, window_minutes=4),
    rule(condition="anomaly", threshold=1, window_minutes=60),
]


# Of each way to look at events one rule.
SOME = [REPLAYED[at] for at in (0, 4, 6, 7, 10)]


@pytest.mark.long
@pytest.mark.usefixtures("emptied_store")
@pytest.mark.parametrize(("rules", "minutes"), [(SOME, 5), (REPLAYED, 300)], ids=["some", "each"])
async def test_what_fires_live_is_what_a_back_test_finds(site: Site, rules: list[AlertRule], minutes: int) -> None:
    chance = Random(20)
    past = [Happened("a", NOW_MS - day * DAY_MS - chance.randrange(7_200_000)) for day in range(15) for _ in range(40)]
    insert(site.store, site.scope, past)
    for each in rules:
        await site.add(each)
    beats = range(NOW_MS + MINUTE_MS, NOW_MS + (minutes + 1) * MINUTE_MS, MINUTE_MS)
    for beat in beats:
        insert(site.store, site.scope, _minute_of(beat, chance))
        await site.evaluator.run(beat)
    assert site.messages
    for alert in await site.all(Alert):
        did = [each for each in await site.all(AlertActivity) if each.alert_id == alert.id]
        live = [(each.at_ms, each.type) for each in did if each.type != "nodata"]
        of = next(each for each in rules if _is_of(alert, each))
        tests = BackTester(site.store.reader, FakeClock(beats[-1]))
        found = await tests.run(of, site.scope)
        await tests.close()
        assert sorted(live) == _within(found, beats), of


def _minute_of(beat_ms: int, chance: Random) -> list[Happened]:
    """Events of a minute: none, or some, or very many, by the hour's quarter."""
    most = [0, 1, 2, 6][beat_ms // MINUTE_MS // 11 % 4]
    moments = [beat_ms - chance.choice([0, 1, 30_000, 59_999]) for _ in range(chance.randrange(most + 1))]
    return [
        Happened("a", moment, chance.choice(["u1", "u2", "u3", ""]), {"n": chance.randrange(100) / 10})
        for moment in moments
    ]


def _is_of(alert: Alert, of: AlertRule) -> bool:
    return (alert.measure, alert.condition, alert.window_minutes) == (of.measure, of.condition, of.window_minutes)


def _within(found: BackTest, beats: range) -> list[tuple[int, str]]:
    """What a back-test says of these beats; an incident that was open before fires at the first of them."""
    ended = [each for each in found.incidents if each.resolved_at_ms is None or each.resolved_at_ms > beats[0]]
    fired = [(max(each.fired_at_ms, beats[0]), "fired") for each in ended]
    return sorted(fired + [(each.resolved_at_ms, "resolved") for each in ended if each.resolved_at_ms is not None])
