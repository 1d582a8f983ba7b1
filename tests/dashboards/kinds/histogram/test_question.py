"""Histogram: each bucket is what counting the values between its edges gives."""

import math
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, crowds, drawn
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, in_window, insert, insert_each, question
from harness.suite.few import few
from tallyroom.core.errors import ValidationFailed
from tallyroom.dashboards.kinds.histogram.kind import HISTOGRAM
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.storage.event_store.scope import Scope

CONFIG = {"event": "paid", "property": "amount", "buckets": 4}


def paid(amount: Any, at_ms: int = NOW_MS) -> Happened:
    return Happened("paid", at_ms, properties={"amount": amount})


async def test_ten_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    events = [
        paid(0),
        paid(1),
        paid(2),  # an edge belongs to the bucket that begins there
        paid(3.5),
        paid(4),
        paid(7.9),
        paid(8),  # the last bucket has its end as well
        paid("5"),  # a text is no number
        paid(5, NOW_MS + 1),  # behind the window
        Happened("refunded", properties={"amount": 100}),
    ]
    insert(event_store, scope, events)
    assert await ask(event_store, scope, HISTOGRAM, CONFIG, question()) == {
        "kind": "histogram",
        "buckets": [
            {"from": 0, "to": 2, "count": 2},
            {"from": 2, "to": 4, "count": 2},
            {"from": 4, "to": 6, "count": 1},
            {"from": 6, "to": 8, "count": 2},
        ],
    }


async def test_nothing_happened(event_store: EventStore) -> None:
    for config in (CONFIG, CONFIG | {"percentiles": True}):
        answer = await ask(event_store, fresh_scope(), HISTOGRAM, config, question())
        assert answer == {"kind": "histogram", "buckets": []}


@few(3, "amounts", [[7], [1, 2], [0.5, 3, 3, 9.25], [*range(100)], [-1e300, 1e300, 0.1]])
async def test_percentiles_are_those_of_a_metric(event_store: EventStore, amounts: list[float]) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [*map(paid, amounts), paid("a text"), paid(1e9, NOW_MS + 1)])
    answer = await ask(event_store, scope, HISTOGRAM, CONFIG | {"percentiles": True}, question())
    for measure in ("median", "p95"):
        config = {"event": "paid", "property": "amount", "measure": measure}
        alone = await ask(event_store, scope, METRIC, config, question())
        assert answer["percentiles"][measure] == alone["value"]
    assert sum(bucket["count"] for bucket in answer["buckets"]) == len(amounts)


@pytest.mark.parametrize("amount", [0, -7, 2.5, 1e300])
async def test_all_values_are_the_same(event_store: EventStore, amount: float) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [paid(amount), paid(amount), paid(amount)])
    answer = await ask(event_store, scope, HISTOGRAM, CONFIG, question())
    assert answer["buckets"] == [{"from": amount, "to": amount, "count": 3}]


@few(
    2,
    ("least", "greatest"),
    [
        (-1.7e308, 1.7e308),  # the distance is no double
        (1.0, math.nextafter(1.0, 2)),  # nothing lies between
        (0.1, 0.3),
        (-5e-324, 5e-324),
    ],
)
async def test_edges_of_doubles(event_store: EventStore, least: float, greatest: float) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [paid(least), paid(greatest), paid(greatest)])
    buckets = (await ask(event_store, scope, HISTOGRAM, CONFIG, question()))["buckets"]
    assert [buckets[0]["from"], buckets[-1]["to"]] == [least, greatest]
    assert [buckets[0]["count"], buckets[-1]["count"]] in ([1, 2], [3, 3])
    assert sum(bucket["count"] for bucket in buckets) == 3


def test_sql() -> None:
    config = CONFIG | {"filters": [{"key": "plan", "op": "neq", "value": "free"}]}
    assert_sql("histogram", HISTOGRAM, config, question(), [SimpleNamespace(least=0.0, greatest=8.0)])


@pytest.mark.parametrize(
    ("config", "path"),
    [
        (CONFIG | {"property": "_actor"}, ["config", "property"]),
        (CONFIG | {"filters": [{"key": "plan", "op": "gt", "value": "x"}]}, ["config", "filters", 0, "value"]),
    ],
)
def test_refusals(config: dict[str, Any], path: list[str]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(HISTOGRAM, config)
    assert refused.value.details[0].path == path


cases = st.tuples(crowds, st.integers(2, 50))


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
async def test_it_equals_a_plain_count(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, _ in drawn_cases])
    for scope, events, buckets in drawn_cases:
        await compare(event_store, scope, events, buckets)


async def compare(store: EventStore, scope: Scope, events: list[Happened], buckets: int) -> None:
    config = {"event": "a", "property": "n", "buckets": buckets}
    answered = (await ask(store, scope, HISTOGRAM, config, question("30d")))["buckets"]
    values = sorted(numbers(each.properties.get("n") for each in in_window(events, "30d") if each.name == "a"))
    if not values:
        assert answered == []
        return
    assert (answered[0]["from"], answered[-1]["to"]) == (values[0], values[-1])
    assert len(answered) == (buckets if (values[-1] - values[0]) / buckets else 1)
    for index, bucket in enumerate(answered):
        last = index == len(answered) - 1
        inside = [each for each in values if bucket["from"] <= each and (each < bucket["to"] or last)]
        assert bucket["count"] == len(inside)
        assert bucket["from"] == pytest.approx(
            values[0] + (values[-1] - values[0]) * index / buckets, rel=1e-12, abs=1e-6
        )


def numbers(values: Iterable[Any]) -> list[float]:
    return [float(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
