"""Metric: each of its shapes is what plain Python computes, and the public sees no more than it may."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import strategies as st

from harness.asking import Happened, ask, assert_sql, checked, in_window, insert, insert_each, question
from harness.filtering import matching, texts_of
from harness.making import FEW, MANY, ZONES, crowds_of, drawn, happened
from harness.making import filters as some_filters
from harness.measuring import alike, change, measure
from harness.store import NOW_MS, EventStore, fresh_scope
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import RANGE_MS, RollingRange
from tallyroom.core.times import iso_ms
from tallyroom.engine.breakdown import Row
from tallyroom.engine.buckets import Point
from tallyroom.engine.config import Display
from tallyroom.engine.kinds.metric import METRIC
from tallyroom.engine.metric_answers import Categorical, Counter, Multiseries, Series
from tallyroom.store.scope import Scope

HOUR_MS = 3_600_000


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


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
    points = [{"t": f"{hour}:00:00.000Z", "value": values.get(hour, 0)} for hour in hours]
    assert found == {"kind": "timeseries", "interval": "hour", "points": points}


async def test_ten_events_over_time_beside_the_window_before(event_store: EventStore, ten: Scope) -> None:
    found = await about_ten(
        event_store, ten, {"measure": "max", "property": "price", "overTime": True, "compare": True}
    )
    assert [each["value"] for each in found["points"] if each["value"] is not None] == [41, 20, 30, 10]
    hours = [f"2026-11-18T{hour:02}" for hour in range(12, 24)] + [f"2026-11-19T{hour:02}" for hour in range(12)]
    values = {"2026-11-18T12": 0, "2026-11-19T11": 50}
    assert found["previous"] == [{"t": f"{hour}:00:00.000Z", "value": values.get(hour)} for hour in hours]


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
        ({"measure": "count"}, [("free", [1, 1, 1]), ("pro", [0, 1, 2])]),
        ({"measure": "avg", "property": "price"}, [("true", [None, 41, None]), ("free", [0, 50, 20])]),
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
            "points": [{"t": day, "value": value} for day, value in zip(days, [empty] * 5 + values, strict=True)],
        }
        for label, values in totals
    ]
    assert found == {"kind": "multiseries", "interval": "day", "series": series}


async def test_numbers_have_no_label(event_store: EventStore, ten: Scope) -> None:
    assert (await about_ten(event_store, ten, {"measure": "count", "breakdown": "price"}))["rows"] == [
        {"label": "9", "value": 1}
    ]


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


@pytest.mark.parametrize(
    ("config", "path", "reason"),
    [
        ({"measure": "sum"}, ["property"], "is required by sum"),
        ({"measure": "uniq"}, ["property"], "is required by uniq"),
        ({"measure": "count", "property": "price"}, ["property"], "is not valid with count"),
        ({"measure": "uniq_actors", "property": "price"}, ["property"], "is not valid with uniq_actors"),
        ({"measure": "avg", "property": "_actor"}, ["property"], "is not a number, which avg needs"),
        ({"measure": "count", "breakdown": "plan", "compare": True}, ["compare"], "is not valid with a breakdown"),
        (
            {"measure": "count", "filters": [{"key": "p", "op": "regex", "value": ""}]},
            ["filters", 0, "value"],
            "must be a text of at least one character for regex",
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
    display = METRIC.display(checked(METRIC, config | shown))
    assert display == Display(chart="bar", goal=10.5, good="up")


ROWS = Categorical(rows=[Row("ann", 2), Row("bob", 1)], computed_at="now")
SERIES = Multiseries(interval="day", series=[Series("ann", [Point("t", 2)]), Series("bob", [])], computed_at="now")


@pytest.mark.parametrize("breakdown", ["_actor", "_actorLabel", "_source", "team", "prop:team"])
def test_the_public_sees_neither_actors_nor_groups_nor_sources(breakdown: str) -> None:
    config = checked(METRIC, {"event": "paid", "measure": "count", "breakdown": breakdown})
    assert METRIC.published(config, ROWS, ["team"]) == Categorical(
        rows=[Row("••• 1", 2), Row("••• 2", 1)], computed_at="now"
    )
    series = [Series("••• 1", [Point("t", 2)]), Series("••• 2", [])]
    assert METRIC.published(config, SERIES, ["team"]) == Multiseries(interval="day", series=series, computed_at="now")


@pytest.mark.parametrize("breakdown", ["plan", "name", "prop:_actor", "prop:_source"])
def test_the_public_sees_other_labels(breakdown: str) -> None:
    config = checked(METRIC, {"event": "paid", "measure": "count", "breakdown": breakdown})
    assert METRIC.published(config, ROWS, ["team"]) == ROWS
    assert METRIC.published(config, SERIES, ["team"]) == SERIES


def test_a_counter_is_published_as_it_is() -> None:
    counter = Counter(value=2, previous=1, delta=1.0)
    assert METRIC.published(checked(METRIC, {"event": "paid", "measure": "count"}), counter, ["team"]) == counter


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
SHAPES = [{}, {"overTime": True}, {"overTime": True, "compare": True}]
BREAKDOWNS = ["plan", "tags", "g", "n", "absent", "_actor", "_actorLabel", "_source", "name"]
configs = st.builds(
    lambda *parts: {"event": "a"} | parts[0] | parts[1] | parts[2],
    st.sampled_from(MEASURED),
    st.one_of(
        st.sampled_from(SHAPES),
        st.fixed_dictionaries(
            {"breakdown": st.sampled_from(BREAKDOWNS), "overTime": st.booleans(), "limit": st.integers(1, 4)}
        ),
    ),
    st.fixed_dictionaries({}, optional={"filters": st.lists(some_filters, max_size=2)}),
)
ranges: st.SearchStrategy[RollingRange] = st.sampled_from(["1h", "24h", "7d", "30d", "90d"])
cases = st.tuples(events_of, configs, ranges, st.sampled_from(ZONES))


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
async def test_it_equals_plain_python(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, *_ in drawn_cases])
    for scope, events, config, range_, zone in drawn_cases:
        found = await ask(event_store, scope, METRIC, config, question(range_, timezone=zone))
        assert alike(found, Oracle(events, config, range_, zone).answer()), (events, config, range_, zone)


class Oracle:
    """A metric in plain Python."""

    def __init__(self, events: list[Happened], config: dict[str, Any], range_: RollingRange, zone: str) -> None:
        chosen = [each for each in events if each.name == config["event"]]
        self.events = matching(chosen, config.get("filters", []))
        self.config, self.range, self.zone = config, range_, ZoneInfo(zone)
        self.now = in_window(self.events, range_)
        self.from_ms = NOW_MS - RANGE_MS[range_]
        self.before_ms = self.from_ms - RANGE_MS[range_]
        self.before = [each for each in self.events if self.before_ms <= each.at_ms < self.from_ms]
        several = "breakdown" in config
        self.interval = {"1h": "minute", "24h": "hour", "7d": "day" if several else "hour"}.get(range_, "day")

    def answer(self) -> Any:
        if "breakdown" not in self.config:
            return self.timeseries() if self.config.get("overTime") else self.counter()
        ranked = self.ranked()
        if not self.config["overTime"]:
            return {"kind": "categorical", "rows": [{"label": each, "value": self.of(own)} for each, own in ranked]}
        series = [{"label": each, "points": self.points(own, self.from_ms, NOW_MS)} for each, own in ranked]
        return {"kind": "multiseries", "interval": self.interval, "series": series}

    def of(self, events: Iterable[Happened]) -> Any:
        found = measure(self.config["measure"], self.config.get("property"), events)
        return int(found) if found is not None and float(found).is_integer() else found

    def counter(self) -> Any:
        value, previous = self.of(self.now), self.of(self.before)
        delta = change(value, previous)
        return {"kind": "counter", "value": value, "previous": previous, "delta": delta}

    def timeseries(self) -> Any:
        points = self.points(self.now, self.from_ms, NOW_MS)
        found = {"kind": "timeseries", "interval": self.interval, "points": points}
        if self.config.get("compare"):
            found["previous"] = self.points(self.before, self.before_ms, self.from_ms - 1)
        return found

    def points(self, events: Iterable[Happened], from_ms: int, until_ms: int) -> Any:
        """Walks from the day before in steps of which every bucket has a whole number, and notes where each begins."""
        step = 60_000 if self.interval == "minute" else HOUR_MS // 4
        begins: dict[Any, int] = {}
        for at in range((from_ms - 26 * HOUR_MS) // step * step, until_ms + 1, step):
            begins.setdefault(self.bucket(at), at)
        own: dict[Any, list[Happened]] = {each: [] for each in begins if each >= self.bucket(from_ms)}
        for event in events:
            own[self.bucket(event.at_ms)].append(event)
        return [{"t": iso_ms(begins[each]), "value": self.of(found)} for each, found in own.items()]

    def bucket(self, at_ms: int) -> Any:
        if self.interval == "day":
            return datetime.fromtimestamp(at_ms / 1000, self.zone).date()
        return at_ms // (60_000 if self.interval == "minute" else HOUR_MS)

    def ranked(self) -> list[tuple[str, list[Happened]]]:
        labelled: dict[str, list[Happened]] = defaultdict(list)
        for each in self.now:
            for label in texts_of(self.config["breakdown"], each):
                labelled[label].append(each)

        def place(entry: tuple[str, list[Happened]]) -> tuple[bool, float, bytes]:
            value = self.of(entry[1])
            return value is None, -(value or 0), entry[0].encode()

        return sorted(labelled.items(), key=place)[: self.config.get("limit", 10)]
