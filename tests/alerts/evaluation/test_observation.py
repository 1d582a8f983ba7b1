"""What alerts see at a beat, many with one query, is what plain Python counts (rules/alerts#conditions)."""

import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, crowds_of, drawn, happened
from harness.oracles.alert_rules import DAY_MS, MINUTE_MS, Oracle, rule, rules
from harness.oracles.measures import alike
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, insert, insert_each
from tallyroom.alerts.evaluation.observation import observe_rules
from tallyroom.queries.answer import run_query_plan

WINDOW = 60

_AGES = st.one_of(
    st.integers(0, 3 * WINDOW).map(lambda minutes: minutes * MINUTE_MS),
    st.tuples(st.integers(0, 15), st.integers(0, 2 * WINDOW)).map(lambda age: age[0] * DAY_MS + age[1] * MINUTE_MS),
    st.sampled_from([-1, 0, 1, WINDOW * MINUTE_MS - 1, WINDOW * MINUTE_MS, DAY_MS, DAY_MS + WINDOW * MINUTE_MS]),
)
CROWDS = crowds_of(happened(_AGES.map(lambda age: NOW_MS - age)))


async def test_the_edges_of_the_windows(event_store: EventStore) -> None:
    scope = fresh_scope()
    ages = [-1, 0, 5 * MINUTE_MS - 1, 5 * MINUTE_MS, 10 * MINUTE_MS - 1, 10 * MINUTE_MS]
    insert(event_store, scope, [Happened("a", NOW_MS - age) for age in ages])
    [seen] = await run_query_plan(observe_rules([rule(condition="rises")], NOW_MS), event_store.reader, scope)
    assert seen.current_sample.event_count == seen.current_sample.value == 2
    assert [sample.value for sample in seen.earlier_samples] == [2]


async def test_no_events_at_all(event_store: EventStore) -> None:
    asked = [rule(), rule(measure="avg", property="n"), rule(measure="sum", property="n", condition="anomaly")]
    first, second, third = await run_query_plan(observe_rules(asked, NOW_MS), event_store.reader, fresh_scope())
    assert first.current_sample == (0, 0)
    assert second.current_sample == (0, None)
    assert third.current_sample == (0, 0)
    assert list(third.earlier_samples) == [(0, 0)] * 14


@pytest.mark.parametrize("count", [FEW // 8, pytest.param(MANY // 4, marks=pytest.mark.long)])
async def test_random_rules_over_random_events(event_store: EventStore, count: int) -> None:
    cases = drawn(st.tuples(CROWDS, st.lists(rules([WINDOW]), min_size=1, max_size=12)), count)
    scopes = [fresh_scope() for _ in cases]
    insert_each(event_store, [(scope, events) for scope, (events, _) in zip(scopes, cases, strict=True)])
    for scope, (events, asked) in zip(scopes, cases, strict=True):
        found = await run_query_plan(observe_rules(asked, NOW_MS), event_store.reader, scope)
        for each, seen in zip(asked, found, strict=True):
            oracle = Oracle(each, events)
            steps = {"anomaly": [DAY_MS * day for day in range(15)], "rises": [0, WINDOW * MINUTE_MS]}
            back = steps.get(each.condition.replace("drops", "rises"), [0])
            wanted = [list(oracle.window(NOW_MS - ago)) for ago in back]
            assert alike([list(seen.current_sample), *map(list, seen.earlier_samples)], wanted), (each, events)
