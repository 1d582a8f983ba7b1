"""A value that is exactly at the threshold makes no condition true, live and in a back-test (rules/alerts#conditions)."""

from typing import Any

import pytest

from conftest import FakeClock
from harness.oracles.alert_rules import DAY_MS, MINUTE_MS, rule
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, insert
from harness.suite.few import few
from tallyroom.alerts.back_test.back_test import BackTester
from tallyroom.alerts.evaluation.conditions import is_condition_met
from tallyroom.alerts.evaluation.observation import observe_rules
from tallyroom.alerts.rule import AlertRule
from tallyroom.queries.answer import run_query_plan
from tallyroom.storage.event_store.scope import Scope

AVERAGE: dict[str, Any] = {"measure": "avg", "property": "n"}
RATIO: dict[str, Any] = {
    "formula": {
        "a": {"event": "a", "measure": "sum", "property": "n"},
        "b": {"event": "a", "measure": "count"},
        "expression": "a / b",
    }
}
TWICE: dict[str, Any] = {"formula": {"a": {"event": "a", **AVERAGE}, "expression": "a * 2"}}
THIRDS: list[float] = [2, 3, 3]  # on average 8/3
TENTHS = [0.1, 0.1, 0.2]

CASES: list[tuple[dict[str, Any], list[float], list[float], str, float]] = [
    (AVERAGE, THIRDS, [2], "drops", 25),
    (AVERAGE, THIRDS, [1, 1, 2], "drops", 50),
    (AVERAGE, THIRDS, [3, 3, 4], "rises", 25),
    (AVERAGE, THIRDS, [2, 3, 3, 2, 3, 3], "rises", 0),
    (AVERAGE, [1, 1, 2], THIRDS, "rises", 100),
    (AVERAGE, [1, 1, 1, 1, 1, 2], [2, 2, 3], "rises", 100),
    (AVERAGE, [-2, -3, -3], [-2], "rises", 25),
    (AVERAGE, [-2, -3, -3], [-3, -3, -4], "drops", 25),
    (AVERAGE, TENTHS, [0.1], "drops", 25),
    (AVERAGE, [2**-30, 2**-30, 2**-29], [2**-30], "drops", 25),  # no decimals of six places
    (AVERAGE, [2e9, 3e9, 3e9], [2e9], "drops", 25),
    (RATIO, THIRDS, [2], "drops", 25),
    (RATIO, THIRDS, [3, 3, 4], "rises", 25),
    (TWICE, THIRDS, [2], "drops", 25),
    (TWICE, THIRDS, [3, 3, 4], "rises", 25),
    ({"measure": "sum", "property": "n"}, [0.1, 0.2], [0.15], "drops", 50),
    ({"measure": "max", "property": "n"}, [1, 1.2], [1.5], "rises", 25),
    ({"measure": "p95", "property": "n"}, [1, 2], [1.56], "drops", 20),  # 1.95, give or take a bit
    ({"measure": "count", "property": None}, [1, 1, 1, 1], [1, 1, 1], "drops", 25),
]


async def fires(store: EventStore, scope: Scope, asked: AlertRule) -> tuple[bool, bool]:
    """Whether a rule fires at the beat, live and in a back-test."""
    [seen] = await run_query_plan(observe_rules([asked], NOW_MS), store.reader, scope)
    tests = BackTester(store.reader, FakeClock(NOW_MS))
    found = await tests.run(asked, scope)
    await tests.close()
    live = is_condition_met(asked, *seen.current_sample, seen.earlier_samples, seen.get_exact_values)
    return live, any(each.fired_at_ms <= NOW_MS and each.resolved_at_ms is None for each in found.incidents)


@few(2, ("measured", "before", "now", "condition", "percent"), CASES)
async def test_a_change_of_exactly_the_threshold(
    event_store: EventStore,
    measured: dict[str, Any],
    before: list[float],
    now: list[float],
    condition: str,
    percent: float,
) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("a", NOW_MS - 5 * MINUTE_MS, properties={"n": n}) for n in before])
    insert(event_store, scope, [Happened("a", NOW_MS, properties={"n": n}) for n in now])
    at = rule(**measured, condition=condition, threshold=percent)
    assert await fires(event_store, scope, at) == (False, False)
    if percent:
        nearly = rule(**measured, condition=condition, threshold=percent * (1 - 1e-12))
        assert await fires(event_store, scope, nearly) == (True, True)


async def test_a_change_that_rounding_would_hide(event_store: EventStore) -> None:
    scope = fresh_scope()
    for number, at_ms in ((10**16, NOW_MS - 5 * MINUTE_MS), (10**16 + 2, NOW_MS)):
        insert(event_store, scope, [Happened("a", at_ms, properties={"n": number})])
    rises = rule(measure="sum", property="n", condition="rises", threshold=0)
    assert await fires(event_store, scope, rises) == (True, True)


async def test_a_distance_of_exactly_the_deviations(event_store: EventStore) -> None:
    scope = fresh_scope()
    days: list[list[float]] = [[1, 1, 2], THIRDS] * 4  # averages of 4/3 and 8/3: a mean of 2, a deviation of 2/3
    for day, numbers in enumerate(days, 1):
        insert(event_store, scope, [Happened("a", NOW_MS - day * DAY_MS, properties={"n": n}) for n in numbers])
    insert(event_store, scope, [Happened("a", NOW_MS, properties={"n": n}) for n in [3, 3, 4]])  # two of them above it
    assert await fires(event_store, scope, rule(**AVERAGE, condition="anomaly", threshold=2)) == (False, False)
    nearly = rule(**AVERAGE, condition="anomaly", threshold=2 * (1 - 1e-12))
    assert await fires(event_store, scope, nearly) == (True, True)


@pytest.mark.parametrize("condition", ["above", "below"])
async def test_the_threshold_itself_is_neither_above_nor_below(event_store: EventStore, condition: str) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("a", NOW_MS, properties={"n": n}) for n in THIRDS])
    for threshold in (8 / 3, 2.66666666666667):  # as a program and as an answer have it
        asked = rule(**AVERAGE, condition=condition, threshold=threshold)
        assert await fires(event_store, scope, asked) == (False, False)
    near = rule(**AVERAGE, condition=condition, threshold=2.6666666666666 if condition == "above" else 2.6666666666668)
    assert await fires(event_store, scope, near) == (True, True)


@few(3, "condition", ["rises", "drops", "anomaly", "above", "below"])
async def test_the_largest_numbers_do_no_harm(event_store: EventStore, condition: str) -> None:
    scope = fresh_scope()
    for day in range(15):
        events = [
            Happened("a", NOW_MS - day * DAY_MS - back, properties={"n": sign * 1.7e308})
            for back, sign in ((0, (-1) ** day), (5 * MINUTE_MS, -1))
        ]
        insert(event_store, scope, events)
    asked = rule(measure="max", property="n", condition=condition, threshold=0.5)
    live, back_test = await fires(event_store, scope, asked)
    assert live == back_test == (condition not in {"drops", "below"})
