"""A back-test is what plain Python finds minute by minute (rules/alerts#preview)."""

import asyncio
import threading
from typing import Any

import pytest
from hypothesis import strategies as st

from conftest import FakeClock
from harness.builders.events import crowds_of, drawn, happened
from harness.oracles.alert_rules import DAY_MS, MINUTE_MS, Oracle, incidents_of, rule, rules
from harness.oracles.measures import alike
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, insert, insert_each
from harness.suite.patience import PATIENCE
from tallyroom.alerts.back_test.back_test import BACK_TEST_DAYS, MAX_INCIDENTS, BackTest, BackTester
from tallyroom.alerts.rule import AlertRule
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.storage.event_store.scope import Scope

BEATS = range(NOW_MS - BACK_TEST_DAYS * DAY_MS + MINUTE_MS, NOW_MS + 1, MINUTE_MS)

_AGES = st.one_of(
    st.tuples(st.integers(0, 45), st.integers(0, 90), st.sampled_from([0, 1, 59_999, 30_000])).map(
        lambda age: age[0] * DAY_MS + age[1] * MINUTE_MS + age[2]
    ),
    st.integers(0, 60 * 24 * 60).map(lambda seconds: seconds * 1000),
    st.sampled_from([-1, 0, BACK_TEST_DAYS * DAY_MS, BACK_TEST_DAYS * DAY_MS + 1, BACK_TEST_DAYS * DAY_MS - 1]),
)
CROWDS = crowds_of(happened(_AGES.map(lambda age: NOW_MS - age)))


async def outcome_of(store: EventStore, asked: AlertRule, scope: Scope, now_ms: int = NOW_MS) -> BackTest:
    tests = BackTester(store.reader, FakeClock(now_ms))
    try:
        return await tests.run(asked, scope)
    finally:
        await tests.close()


def shown(found: BackTest) -> list[list[Any]]:
    return [list(each) for each in found.incidents]


async def check(store: EventStore, asked: AlertRule, events: list[Happened], scope: Scope) -> None:
    found = await outcome_of(store, asked, scope)
    oracle = Oracle(asked, events)
    assert alike(shown(found), [list(each) for each in incidents_of(oracle, BEATS)][:MAX_INCIDENTS]), (asked, events)
    assert found.fired_count == len(incidents_of(oracle, BEATS))
    points = [[at, value] for at, value in found.points]
    assert alike(points, [[at, oracle.window(at)[1]] for at in BEATS[59::60]]), (asked, events)
    values = [value for value, length in zip(*found.minutes, strict=True) for _ in range(length)]
    assert len(values) == len(BEATS)
    assert values[59::60] == [value for _, value in found.points]


@pytest.mark.long
@pytest.mark.parametrize("count", [2, 400])
async def test_random_rules_over_random_events(event_store: EventStore, count: int) -> None:
    cases = drawn(st.tuples(CROWDS, rules([1, 2, 60, 1440])), count)
    scopes = [fresh_scope() for _ in cases]
    insert_each(event_store, [(scope, events) for scope, (events, _) in zip(scopes, cases, strict=True)])
    for scope, (events, asked) in zip(scopes, cases, strict=True):
        await check(event_store, asked, events, scope)


async def test_an_open_incident_and_the_ends_of_the_time(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("a", NOW_MS - 30_000)] * 3)
    found = await outcome_of(event_store, rule(), scope, NOW_MS + 59_999)
    assert (found.from_ms, found.until_ms) == (NOW_MS - 30 * DAY_MS, NOW_MS)
    assert shown(found) == [[NOW_MS, None, 3]]
    assert len(found.points) == 720
    assert found.points[-1] == (NOW_MS, 3)


async def test_the_minutes_have_every_value_once_as_long_as_it_stays(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("a", NOW_MS - age * MINUTE_MS) for age in (40_000, 3, 1)])
    found = await outcome_of(event_store, rule(window_minutes=2), scope)
    assert found.minutes.values == [0, 1, 0, 1]
    assert found.minutes.lengths == [3_199, 2, 39_995, 4]


async def test_at_most_500_incidents_are_listed_and_all_are_counted(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("a", NOW_MS - 2 * number * MINUTE_MS) for number in range(1, 801)])
    found = await outcome_of(event_store, rule(threshold=0, window_minutes=1), scope)
    assert found.fired_count == 800
    assert len(found.incidents) == MAX_INCIDENTS
    assert found.incidents[-1].resolved_at_ms == found.incidents[-1].fired_at_ms + MINUTE_MS


async def test_another_threshold_needs_no_other_read(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("e", NOW_MS - DAY_MS)])
    kept_answers = KeptAnswers(event_store.reader, 1_000_000, int)
    tests = BackTester(event_store.reader, FakeClock(NOW_MS), kept_answers)
    back_tests = [await tests.run(rule(threshold=threshold), scope) for threshold in (1, 2)]
    await tests.close()
    assert [back_test.points for back_test in back_tests] == [back_tests[0].points] * 2
    assert (kept_answers.cache.hit_count, kept_answers.cache.miss_count) == (1, 1)


async def test_what_alerts_tell_waits_for_no_back_test(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope, over = fresh_scope(), threading.Event()
    monkeypatch.setattr("tallyroom.alerts.back_test.back_test.run_back_test", lambda *_: over.wait(PATIENCE))
    tests = BackTester(event_store.reader, FakeClock(NOW_MS))
    waiting = [asyncio.create_task(tests.run(rule(), scope)) for _ in range(3)]
    try:
        values = await tests.list_recent_values(rule(window_minutes=2), scope, NOW_MS)
        assert not any(each.done() for each in waiting)
    finally:
        over.set()
        await asyncio.gather(*waiting)
        await tests.close()
    assert values == [(NOW_MS - MINUTE_MS, 0), (NOW_MS, 0)]
