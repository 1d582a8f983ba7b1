"""Metric: each shape is what plain Python computes, and the public sees no more than it may (rules/questions#total)."""

from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, ZONES, crowds_of, drawn, happened
from harness.builders.events import filters as some_filters
from harness.builders.moments import ms
from harness.oracles.measures import alike
from harness.oracles.metrics import TOLD_BY_BUCKETS, Charted
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, insert, insert_each, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.notices import Notice
from tallyroom.core.ranges import RollingRange
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.buckets import TimePoint
from tallyroom.queries.config import Display
from tallyroom.queries.exact_sums import SumParts
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Series
from tallyroom.storage.event_store.scope import Scope

HOUR_MS = 3_600_000


def paid(day: str, actor: str, **properties: Any) -> Happened:
    return Happened("paid", ms(f"2026-11-{day}"), actor, properties)


# 2026-11-20T12:00 is now. The window of 24h begins on the 19th at 12:00, the one before on the 18th at 12:00.
TEN = [
    paid("20T12:00:00.000", "u1", price=10, plan="pro", tags=["x", "y", "x"]),  # the last moment of the window
    paid("20T11:59:59.999", "u1", price=30, plan="pro", tags=["x"]),
    paid("20T01:00:00.000", "u2", price=20, plan="free"),
    paid("19T23:30:00.000", "", price=41, plan=True, tags=[]),
    paid("19T12:00:00.000", "u3", price="9", plan=["pro", "team"], tags=["y"]),  # the first moment; the price is text
    paid("19T11:59:59.999", "u3", price=50, plan="free"),  # the last moment of the window before
    paid("18T12:00:00.000", "u3", price=0, plan="free"),  # its first
    paid("18T11:59:59.999", "u3", price=7),  # before both
    paid("20T12:00:00.001", "u4", price=7),  # behind both
    Happened("seen", ms("2026-11-20T11:00"), "u5", {"price": 7, "plan": "pro"}),
]


@pytest.fixture(scope="module")
def ten(event_store: EventStore) -> Scope:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    return scope


async def about_ten(store: EventStore, ten: Scope, config: dict[str, Any], asked: Any = None) -> Any:
    return await ask(store, ten, METRIC, {"event": "paid"} | config, asked or question("24h"))


async def answer(store: EventStore, events: Iterable[Happened], config: dict[str, Any], asked: Any = None) -> Any:
    scope = fresh_scope()
    insert(store, scope, events)
    return await ask(store, scope, METRIC, {"event": "paid"} | config, asked or question("24h"))


COUNTERS = {
    "count": (5, 2, 1.5),
    "sum": (101, 50, 1.02),
    "avg": (25.25, 25, 0.01),
    "min": (10, 0, None),
    "max": (41, 50, -0.18),
    "uniq": (5, 2, 1.5),
    "uniq_actors": (3, 1, 2.0),
    "median": (25, 25, 0.0),
    "p95": (39.35, 47.5, (39.35 - 47.5) / 47.5),
    "p99": (40.67, 49.5, (40.67 - 49.5) / 49.5),
}


@pytest.mark.parametrize("name", COUNTERS)
async def test_ten_events_as_a_counter(event_store: EventStore, ten: Scope, name: str) -> None:
    config = {"measure": name} if name in {"count", "uniq_actors"} else {"measure": name, "property": "price"}
    value, previous, delta = COUNTERS[name]
    wanted = {"kind": "counter", "value": value, "previous": previous, "delta": delta}
    assert alike(await about_ten(event_store, ten, config), wanted)


async def test_a_counter_that_is_not_compared(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(event_store, ten, {"measure": "count", "compare": False})
    assert found == {"kind": "counter", "value": 5, "previous": None, "delta": None}


@pytest.mark.parametrize("name", COUNTERS)
async def test_nothing_happened(event_store: EventStore, name: str) -> None:
    config = {"measure": name} if name in {"count", "uniq_actors"} else {"measure": name, "property": "price"}
    empty = 0 if name in {"count", "sum", "uniq", "uniq_actors"} else None
    found = await answer(event_store, [], config)
    assert found == {"kind": "counter", "value": empty, "previous": empty, "delta": None}


async def test_ten_events_over_time(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(event_store, ten, {"measure": "sum", "property": "price", "overTime": True})
    values = {"2026-11-19T23": 41, "2026-11-20T01": 20, "2026-11-20T11": 30, "2026-11-20T12": 10}
    hours = [f"2026-11-19T{hour:02}" for hour in range(12, 24)] + [f"2026-11-20T{hour:02}" for hour in range(13)]
    points: list[Any] = [{"t": f"{hour}:00:00.000Z", "value": values.get(hour, 0)} for hour in hours]
    points[-1]["partial"] = True  # the window has only the first millisecond of 12:00
    assert found == {"kind": "timeseries", "interval": "hour", "points": points, "total": 101}


@pytest.mark.parametrize("name", COUNTERS)
async def test_the_total_is_what_a_counter_shows_or_is_not_there(
    event_store: EventStore, ten: Scope, name: str
) -> None:
    config = {"measure": name} if name in {"count", "uniq_actors"} else {"measure": name, "property": "price"}
    found = await about_ten(event_store, ten, config | {"overTime": True, "compare": True})
    told = {field: found[field] for field in ("total", "comparedTotal") if field in found}
    value, previous, _ = COUNTERS[name]
    assert alike(told, {"total": value, "comparedTotal": previous} if name in TOLD_BY_BUCKETS else {})


@pytest.mark.parametrize("name", COUNTERS)
async def test_the_total_of_a_label_is_what_it_is_ranked_by(event_store: EventStore, ten: Scope, name: str) -> None:
    config = {"measure": name} if name in {"count", "uniq_actors"} else {"measure": name, "property": "price"}
    rows = await about_ten(event_store, ten, config | {"breakdown": "plan"})
    found = await about_ten(event_store, ten, config | {"breakdown": "plan", "overTime": True})
    assert [{"label": each["label"], "value": each["total"]} for each in found["series"]] == rows["rows"]


async def test_ten_events_over_time_beside_the_window_before(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(
        event_store, ten, {"measure": "max", "property": "price", "overTime": True, "compare": True}
    )
    assert [each["value"] for each in found["points"] if each["value"] is not None] == [41, 20, 30, 10]
    hours = [f"2026-11-18T{hour:02}" for hour in range(12, 24)] + [f"2026-11-19T{hour:02}" for hour in range(12)]
    values = {"2026-11-18T12": 0, "2026-11-19T11": 50}
    assert found["compared"] == [{"t": f"{hour}:00:00.000Z", "value": values.get(hour)} for hour in hours]


async def test_ten_events_by_a_property(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(event_store, ten, {"measure": "count", "breakdown": "plan"})
    rows = [("pro", 3), ("free", 1), ("team", 1), ("true", 1)]
    assert found == {"kind": "categorical", "rows": [{"label": label, "value": value} for label, value in rows]}


async def test_an_element_counts_once_for_each_event(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(event_store, ten, {"measure": "sum", "property": "price", "breakdown": "tags"})
    assert found["rows"] == [{"label": "x", "value": 40}, {"label": "y", "value": 10}]


async def test_labels_without_a_value_come_last(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(event_store, ten, {"measure": "max", "property": "price", "breakdown": "plan"})
    rows = [("true", 41), ("pro", 30), ("free", 20), ("team", None)]
    assert found["rows"] == [{"label": label, "value": value} for label, value in rows]


async def test_ten_events_by_actor(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(event_store, ten, {"measure": "count", "breakdown": "_actor", "limit": 2})
    assert found["rows"] == [{"label": "u1", "value": 2}, {"label": "u2", "value": 1}]


@pytest.mark.parametrize(
    ("config", "totals"),
    [
        ({"measure": "count"}, [("free", [1, 1, 1], 3), ("pro", [0, 1, 2], 3)]),
        (
            {"measure": "avg", "property": "price"},
            [("true", [None, 41, None], 41), ("free", [0, 50, 20], 23.3333333333333)],
        ),
    ],
)
async def test_ten_events_over_time_by_a_property(
    event_store: EventStore, ten: Scope, config: dict[str, Any], totals: list[Any]
) -> None:
    asked = question("7d")
    found = await about_ten(event_store, ten, config | {"overTime": True, "breakdown": "plan", "limit": 2}, asked)
    days = [f"2026-11-{day}T00:00:00.000Z" for day in range(13, 21)]
    empty = 0 if config["measure"] == "count" else None
    series = [
        {
            "label": label,
            "points": [
                {"t": day, "value": value} | ({"partial": True} if day in {days[0], days[-1]} else {})
                for day, value in zip(days, [empty] * 5 + values, strict=True)
            ],
        }
        | {"total": total}
        for label, values, total in totals
    ]
    assert found == {"kind": "multiseries", "interval": "day", "series": series}


async def test_a_number_is_a_label_as_json_writes_it(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(event_store, ten, {"measure": "count", "breakdown": "price"})
    assert [row["label"] for row in found["rows"]] == ["10", "20", "30", "41", "9"]


async def test_by_group(event_store: EventStore, ten: Scope) -> None:
    config = {"measure": "count", "breakdown": "_group", "rest": "none"}
    found = await about_ten(event_store, ten, config, question("24h", group_key="plan"))
    rows = [("pro", 2), ("free", 1)]
    assert found["rows"] == [{"label": label, "value": value} for label, value in rows] + [
        {"label": None, "value": 2, "kind": "none"}
    ]


@pytest.mark.parametrize("over_time", [True, False])
def test_groups_that_are_not_there(over_time: bool) -> None:  # a parameter of the test
    config = checked(METRIC, {"event": "e", "measure": "count", "breakdown": "_group", "overTime": over_time})
    with pytest.raises(ValidationFailed) as refused:
        METRIC.build_query_plan(config, question("24h"))
    [detail] = refused.value.details
    assert detail.path == ["config", "breakdown"]
    assert "no default group key" in detail.message


async def test_days_are_those_of_the_workspace(event_store: EventStore, ten: Scope) -> None:
    asked = question("30d", timezone="Europe/Berlin")
    found = await about_ten(event_store, ten, {"measure": "count", "overTime": True}, asked)
    days = {each["t"]: each["value"] for each in found["points"]}
    assert days["2026-11-18T23:00:00.000Z"] == 2  # the 19th; at 23:30 UTC the 20th had begun
    assert days["2026-11-19T23:00:00.000Z"] == 4
    assert found["interval"] == "day"
    assert "2026-10-24T22:00:00.000Z" in days  # summer time
    assert "2026-10-25T23:00:00.000Z" in days  # a day of 25 hours later


SHOWN: list[tuple[dict[str, Any], Any]] = [
    ({}, lambda found: found["value"]),
    ({"overTime": True}, lambda found: found["points"][-1]["value"]),
    ({"breakdown": "plan"}, lambda found: found["rows"][0]["value"]),
    ({"breakdown": "plan", "overTime": True}, lambda found: found["series"][0]["points"][-1]["value"]),
]


@pytest.mark.parametrize(
    ("names", "values"),
    [
        (["sum"], [1.7e308, 1.7e308]),
        (["sum"], [-1.7e308, -1.7e308]),
        (["median", "p95"], [-1.7e308, 1.7e308]),
    ],
)
async def test_a_value_beyond_the_range_of_a_double_is_null(
    event_store: EventStore, names: list[str], values: list[float]
) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [paid("20T12:00", "u1", price=value, plan="pro") for value in values])
    for name in names:
        for config, shown in SHOWN:
            asked = {"measure": name, "property": "price"} | config
            assert shown(await about_ten(event_store, scope, asked)) is None, asked


async def test_a_sum_of_more_digits_than_a_whole_number_holds(event_store: EventStore) -> None:
    events = [Happened("paid", NOW_MS, properties={"price": 1e20})] * 3
    assert (await answer(event_store, events, {"measure": "sum", "property": "price"}))["value"] == 3e20


@pytest.mark.parametrize(
    ("now", "before", "delta"),
    [(3, 0, None), (3, None, None), (None, 3, None), (-5, -10, 0.5), (-10, -5, -1), (1e308, 1e-300, None)],
)
async def test_the_change_since_the_window_before(
    event_store: EventStore, now: float | None, before: float | None, delta: float | None
) -> None:
    moments = {NOW_MS: now, NOW_MS - 30 * HOUR_MS: before}
    events = [Happened("paid", at, properties={"n": value}) for at, value in moments.items() if value is not None]
    found = await answer(event_store, events, {"measure": "max", "property": "n"})
    assert found == {"kind": "counter", "value": now, "previous": before, "delta": delta}


async def test_a_segment_narrows_every_shape(event_store: EventStore, ten: Scope) -> None:
    segment = [{"key": "plan", "op": "eq", "value": "pro"}]
    asked = question("24h", filters=segment)
    config = {"measure": "count", "filters": [{"key": "price", "op": "gt", "value": 10}]}
    assert (await about_ten(event_store, ten, config, asked))["value"] == 1
    assert (await about_ten(event_store, ten, config | {"breakdown": "_actor"}, asked))["rows"] == [
        {"label": "u1", "value": 1}
    ]


SQL: dict[str, dict[str, Any]] = {
    "metric_counter": {"measure": "median", "property": "price"},
    "metric_timeseries": {"measure": "uniq_actors", "overTime": True},
    "metric_categorical": {"measure": "avg", "property": "price", "breakdown": "plan"},
    "metric_multiseries": {"measure": "p95", "property": "price", "breakdown": "plan", "overTime": True},
    "metric_multiseries_count": {"measure": "count", "breakdown": "_actor", "overTime": True},
    "metric_uniq": {"measure": "uniq", "property": "plan"},
}


@pytest.mark.parametrize("name", SQL)
def test_sql(name: str) -> None:
    config = {"event": "paid", "filters": [{"key": "plan", "op": "eq", "value": "pro"}]} | SQL[name]
    assert_sql(name, METRIC, config, question("30d", timezone="Europe/Berlin"))


def test_sql_of_the_rest_and_of_the_window_before() -> None:
    config = {"event": "paid", "measure": "sum", "property": "price", "breakdown": "plan", "rest": "both"}
    over_time = {"overTime": True, "compare": True, "interval": "month"}
    found = [SimpleNamespace(label=label, points=[], total=SumParts(0, {})) for label in ("pro", "free")]
    assert_sql("metric_rest", METRIC, config | over_time, question("30d"), found, [])


@pytest.mark.parametrize(
    ("config", "path", "reason"),
    [
        ({"measure": "sum"}, ["property"], "is required by sum"),
        ({"measure": "uniq"}, ["property"], "is required by uniq"),
        ({"measure": "count", "property": "price"}, ["property"], "is not valid with count"),
        ({"measure": "uniq_actors", "property": "price"}, ["property"], "is not valid with uniq_actors"),
        ({"measure": "avg", "property": "_actor"}, ["property"], "is not a number, but avg needs one"),
        (
            {"measure": "count", "breakdown": "plan", "compare": True},
            ["compare"],
            "is not valid with a breakdown unless overTime is true",
        ),
        ({"measure": "count", "rest": "both"}, ["rest"], "is only valid with a breakdown"),
        (
            {"measure": "count", "filters": [{"key": "p", "op": "regex", "value": ""}]},
            ["filters", 0, "value"],
            "must be a non-empty string for regex",
        ),
    ],
)
def test_fields_that_do_not_fit_together(config: dict[str, Any], path: list[Any], reason: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(METRIC, {"event": "paid"} | config)
    [detail] = refused.value.details
    assert (detail.path, detail.message) == (["config", *path], reason)


@pytest.mark.parametrize(
    "config",
    [
        {"measure": "mode"},
        {"measure": "count", "event": ""},
        {"measure": "count", "limit": 0},
        {"measure": "count", "limit": 51},
        {"measure": "count", "breakdown": ""},
        {"measure": "count", "breakdown": "plan", "rest": "all"},
        {"measure": "count", "chart": "radar"},
        {"measure": "count", "good": "sideways"},
        {"measure": "count", "goal": "10"},
        {"measure": "count", "overTime": "yes"},
        {"measure": "count", "sample": 0.1},
        {"measure": "count", "filters": [{"key": "p", "op": "exists"}] * 21},
        {},
    ],
)
def test_fields_of_another_type_or_out_of_range(config: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        checked(METRIC, {"event": "paid"} | config)


def test_what_the_public_may_know_of_a_config() -> None:
    filters = [{"key": "secret", "op": "eq", "value": "secret"}]
    shown = {"chart": "bar", "goal": 10.5, "good": "up"}
    config = {"event": "secret", "measure": "sum", "property": "secret", "breakdown": "secret", "filters": filters}
    display = METRIC.build_display(checked(METRIC, config | shown))
    assert display == Display(chart="bar", goal=10.5, good="up", adds_up=True)
    assert METRIC.build_display(checked(METRIC, config | {"measure": "p95"})) == Display()


NOTICES = [Notice("not_up_to_date", "Try again.")]
ROWS = Categorical(
    rows=[LabelRow("ann", 2), LabelRow("bob", 1), LabelRow(None, 3, "none"), LabelRow(None, 4, "other")],
    computed_at="now",
    notices=NOTICES,
)
SERIES = Multiseries(
    interval="day",
    series=[Series("ann", [TimePoint("t", 2)], [TimePoint("s", 1)]), Series("bob", []), Series(None, [], kind="other")],
    computed_at="now",
    notices=NOTICES,
)


@pytest.mark.parametrize("breakdown", ["_actor", "_actorLabel", "_source", "_group", "team", "prop:team"])
def test_the_public_sees_neither_actors_nor_groups_nor_sources(breakdown: str) -> None:
    config = checked(METRIC, {"event": "paid", "measure": "count", "breakdown": breakdown})
    rows, series = (METRIC.build_public_result(config, answer, ["team"]) for answer in (ROWS, SERIES))
    assert rows == msgspec.structs.replace(ROWS, rows=[LabelRow("••• 1", 2), LabelRow("••• 2", 1), *ROWS.rows[2:]])
    masked = [Series("••• 1", [TimePoint("t", 2)], [TimePoint("s", 1)]), Series("••• 2", []), SERIES.series[2]]
    assert series == msgspec.structs.replace(SERIES, series=masked)


@pytest.mark.parametrize("breakdown", ["plan", "name", "prop:_actor", "prop:_source", "prop:_group"])
def test_the_public_sees_other_labels(breakdown: str) -> None:
    config = checked(METRIC, {"event": "paid", "measure": "count", "breakdown": breakdown})
    assert METRIC.build_public_result(config, ROWS, ["team"]) == ROWS
    assert METRIC.build_public_result(config, SERIES, ["team"]) == SERIES


def test_a_counter_is_published_as_it_is() -> None:
    counter = Counter(value=2, previous=1, delta=1.0)
    config = checked(METRIC, {"event": "paid", "measure": "count"})
    assert METRIC.build_public_result(config, counter, ["team"]) == counter


def exact(event: Happened, label: str) -> Happened:
    """`event` with a number that any order of adding gives the same sum of, so that equal labels rank equal."""
    number = event.properties.get("n")
    if isinstance(number, float | int) and not isinstance(number, bool):
        number = round(min(number, 2**40) * 4) / 4
    return replace(event, label=label, properties={**event.properties, "n": number})


events_of = crowds_of(st.builds(exact, happened(), st.sampled_from(["", "Ann", "Bob"])))
MEASURED = [
    *({"measure": name} for name in ("count", "uniq_actors")),
    *({"measure": name, "property": "n"} for name in COUNTERS if name not in {"count", "uniq_actors"}),
    *({"measure": "uniq", "property": key} for key in ("plan", "tags", "g", "_source", "_actorLabel")),
]
COMPARED = [True, False, "previous", *({"shift": each} for each in ("1d", "7d", "28d", "1mo", "1y"))]
BREAKDOWNS = ["plan", "tags", "g", "n", "absent", "prop:_group", "_group", "_actor", "_actorLabel", "_source", "name"]
intervals = st.sampled_from(["auto", "day", "week", "month"])
over_time = st.fixed_dictionaries(
    {"overTime": st.just(value=True)}, optional={"interval": intervals, "compare": st.sampled_from(COMPARED)}
)
broken_down = st.fixed_dictionaries(
    {"breakdown": st.sampled_from(BREAKDOWNS), "limit": st.sampled_from([1, 2, 3, 4, 50])},
    optional={"rest": st.sampled_from(["none", "other", "both"])},
)
shapes = st.one_of(
    st.fixed_dictionaries({}, optional={"compare": st.sampled_from(COMPARED)}),
    over_time,
    broken_down.map(lambda parts: {"overTime": False} | parts),
    st.builds(lambda *parts: parts[0] | parts[1], over_time, broken_down),
)
configs = st.builds(
    lambda *parts: {"event": "a"} | parts[0] | parts[1] | parts[2],
    st.sampled_from(MEASURED),
    shapes,
    st.fixed_dictionaries({}, optional={"filters": st.lists(some_filters, max_size=2)}),
)
ranges: st.SearchStrategy[RollingRange] = st.sampled_from(["1h", "24h", "7d", "30d", "90d"])
cases = st.tuples(events_of, configs, ranges, st.sampled_from(ZONES))


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
async def test_it_equals_plain_python(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, *_ in drawn_cases])
    for scope, events, config, range_, zone in drawn_cases:
        found = await ask(event_store, scope, METRIC, config, question(range_, timezone=zone, group_key="g"))
        assert alike(found, Charted(events, config, range_, zone, "g").answer()), (events, config, range_, zone)
