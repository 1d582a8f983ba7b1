"""Formula: each of its shapes is what plain Python computes from its parts (rules/questions#formula, rules/questions#total)."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, ZONES, crowds_of, drawn, happened
from harness.builders.events import filters as some_filters
from harness.oracles.calendar_walk import start_of_hour
from harness.oracles.filters import labels_of, matching
from harness.oracles.formulas import fraction, shown
from harness.oracles.measures import change, measure
from harness.oracles.metrics import TOLD_BY_BUCKETS
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, in_window, insert, insert_each, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import RANGE_DURATION_MS, RollingRange
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.kinds.formula.kind import FORMULA
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.config import Display
from tallyroom.queries.formula import PartName, parse_expression
from tallyroom.queries.metric_answers import Categorical
from tallyroom.queries.values import Value
from tallyroom.storage.event_store.scope import Scope

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS

ORDERS: dict[str, Any] = {"event": "order", "measure": "count"}
REFUNDS: dict[str, Any] = {"event": "refund", "measure": "count"}
REVENUE: dict[str, Any] = {"event": "order", "measure": "sum", "property": "total"}
RATE: dict[str, Any] = {"a": REFUNDS, "b": ORDERS, "expression": "a / b * 100"}


def order(ago_ms: int, plan: str, total: float, name: str = "order") -> Happened:
    return Happened(name, NOW_MS - ago_ms, "u1", {"plan": plan, "total": total})


SHOP = [
    *(order(hours * HOUR_MS, "pro", 10.1) for hours in (0, 1, 2, 30)),
    *(order(hours * HOUR_MS, "free", 0.1) for hours in (0, 25, 47)),
    order(HOUR_MS, "team", 5),
    order(HOUR_MS, "pro", 10.1, "refund"),
    order(26 * HOUR_MS, "free", 0.1, "refund"),
    order(2 * HOUR_MS, "gone", 1, "refund"),
]


@pytest.fixture(scope="module")
def shop(event_store: EventStore) -> Scope:
    scope = fresh_scope()
    insert(event_store, scope, SHOP)
    return scope


async def test_a_rate_beside_that_of_the_window_before(event_store: EventStore, shop: Scope) -> None:
    found = await ask(event_store, shop, FORMULA, RATE, question("24h"))
    assert found == {"kind": "counter", "value": 40, "previous": 33.3333333333333, "delta": pytest.approx(0.2)}
    alone = await ask(event_store, shop, FORMULA, RATE | {"compare": False}, question("24h"))
    assert alone == {"kind": "counter", "value": 40, "previous": None, "delta": None}


async def test_sums_are_the_decimals_that_people_see(event_store: EventStore, shop: Scope) -> None:
    config = {"a": REVENUE, "b": ORDERS, "expression": "a - 30.4 - b + 5"}  # 35.4 = 10.1 + 10.1 + 10.1 + 0.1 + 5
    found = await ask(event_store, shop, FORMULA, config, question("24h"))
    assert found["value"] == 5
    zero = await ask(event_store, shop, FORMULA, config | {"expression": "b / (a - 35.4)"}, question("24h"))
    assert zero["value"] is None


async def test_a_rate_over_time_is_null_where_the_divisor_is_zero(event_store: EventStore, shop: Scope) -> None:
    found = await ask(event_store, shop, FORMULA, RATE | {"overTime": True, "compare": True}, question("24h"))
    values = [each["value"] for each in found["points"]]
    assert values == [None] * 22 + [100, 50, 0]  # one refund of one order, one of two, none of two
    assert [each["value"] for each in found["compared"] if each["value"] is not None] == [0, 0, 0]


async def test_labels_by_the_value_of_the_formula(event_store: EventStore, shop: Scope) -> None:
    found = await ask(event_store, shop, FORMULA, RATE | {"breakdown": "plan"}, question("7d"))
    rows = [("free", 33.3333333333333), ("pro", 25), ("team", 0), ("gone", None)]
    assert found == {"kind": "categorical", "rows": [{"label": label, "value": value} for label, value in rows]}
    least = RATE | {"breakdown": "plan", "limit": 2, "expression": "0 - a / b"}
    assert (await ask(event_store, shop, FORMULA, least, question("7d")))["rows"] == [
        {"label": "team", "value": 0},
        {"label": "pro", "value": -0.25},
    ]


async def test_labels_by_the_value_of_the_whole_window_over_time(event_store: EventStore, shop: Scope) -> None:
    config = RATE | {"breakdown": "plan", "overTime": True, "limit": 2, "compare": {"shift": "1d"}}
    found = await ask(event_store, shop, FORMULA, config, question("7d"))
    assert [each["label"] for each in found["series"]] == ["free", "pro"]
    assert [each["value"] for each in found["series"][1]["points"]] == [None] * 6 + [0, 33.3333333333333]
    assert [each["value"] for each in found["series"][1]["compared"]] == [None] * 7 + [0]


@pytest.mark.long
async def test_labels_that_differ_by_nothing_but_noise_are_ranked_by_name(event_store: EventStore) -> None:
    scope = fresh_scope()
    pairs = [(0.3, 0.1), (0.2, 0), (0.4, 0.2), (0.7, 0.5), (1.1, 0.9), (0.25, 0.05)]
    events = [
        order(0, f"plan {number}", total, name)
        for number, pair in enumerate(pairs)
        for name, total in zip(("order", "refund"), pair, strict=True)
    ]
    insert(event_store, scope, events)
    returned = {"event": "refund", "measure": "sum", "property": "total"}
    config = {"a": REVENUE, "b": returned, "expression": "a - b", "breakdown": "plan", "limit": 3}
    found = await ask(event_store, scope, FORMULA, config, question("24h"))
    assert found["rows"] == [{"label": f"plan {number}", "value": 0.2} for number in range(3)]
    nothing = config | {"expression": "1 / (a - b - 0.2) + a"}
    found = await ask(event_store, scope, FORMULA, nothing, question("24h"))
    assert found["rows"] == [{"label": f"plan {number}", "value": None} for number in range(3)]


async def test_nothing_happened(event_store: EventStore) -> None:
    config = RATE | {"expression": "(a + 1) / (b + 4)"}
    scope = fresh_scope()
    found = await ask(event_store, scope, FORMULA, config, question("24h"))
    assert found == {"kind": "counter", "value": 0.25, "previous": 0.25, "delta": 0}
    over_time = await ask(event_store, scope, FORMULA, config | {"overTime": True}, question("24h"))
    assert {each["value"] for each in over_time["points"]} == {0.25}
    for more in ({}, {"overTime": True}):
        found = await ask(event_store, scope, FORMULA, config | {"breakdown": "plan"} | more, question("24h"))
        assert found.get("rows", found.get("series")) == []


def test_the_sql_of_a_breakdown() -> None:
    config = {"a": REVENUE, "b": ORDERS, "expression": "(a - 1.5) / b", "breakdown": "plan"}
    pro = [SimpleNamespace(label="pro")]
    assert_sql("formula_categorical", FORMULA, config, question("30d"), pro)
    assert_sql("formula_multiseries", FORMULA, config | {"overTime": True}, question("30d"), pro, [])


def test_the_sql_over_time() -> None:
    assert_sql("formula_timeseries", FORMULA, RATE | {"overTime": True}, question("30d"))


REFUSED: list[tuple[dict[str, Any], list[Any], str]] = [
    ({"expression": "a / b +"}, ["expression"], "has an error at position 8: expected a number, a, b, c, d, - or ("),
    ({"expression": "a"}, ["b"], "is not used in the expression"),
    ({"expression": "b"}, ["a"], "is not used in the expression"),
    ({"expression": "a + b + d"}, ["d"], "is required, because the expression uses it"),
    ({"a": {"measure": "count"}}, ["a", "event"], "is required unless events is given"),
    ({"b": {"event": "x", "measure": "sum"}}, ["b", "property"], "is required by sum"),
    (
        {"b": ORDERS | {"filters": [{"key": "p", "op": "regex", "value": ""}]}},
        ["b", "filters", 0, "value"],
        "must be a non-empty string for regex",
    ),
    ({"breakdown": "p", "compare": True}, ["compare"], "is not valid with a breakdown unless overTime is true"),
]


@pytest.mark.parametrize(("changes", "path", "reason"), REFUSED)
def test_fields_that_do_not_fit_together(changes: dict[str, Any], path: list[Any], reason: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(FORMULA, RATE | changes)
    [detail] = refused.value.details
    assert (detail.path, detail.message) == (["config", *path], reason)


def test_what_the_public_may_know() -> None:
    config = checked(FORMULA, RATE | {"breakdown": "_actor", "display": {"unit": "%", "goal": 5}})
    assert FORMULA.build_display(config) == Display(unit="%", goal=5)
    rows = Categorical(rows=[LabelRow("ann", 2), LabelRow("bob", 1)])
    assert FORMULA.build_public_result(config, rows, []) == Categorical(
        rows=[LabelRow("••• 1", 2), LabelRow("••• 2", 1)]
    )


def exact(event: Happened) -> Happened:
    """`event` with a number whose median is the same however it is computed."""
    number = event.properties.get("n")
    if isinstance(number, float | int) and not isinstance(number, bool):
        number = round(min(number, 2**20) * 4) / 4
    return replace(event, properties={**event.properties, "n": number})


MEASURED = [
    *({"measure": name} for name in ("count", "count", "count", "uniq_actors")),
    *({"measure": name, "property": "n"} for name in ("sum", "avg", "min", "max", "uniq", "median")),
]
CHOSEN: list[dict[str, Any]] = [{"event": "a"}, {"event": "b"}, {"events": ["b", "c"]}, {"events": "all"}]
EXPRESSIONS = {
    "a": "a * 2 - 1",
    "ab": "a / b * 100",
    "abc": "(a - b) / (c - 1) + 0.1",
    "abcd": "-(a * b) / (c + d) - a / 3",
}
a_part = st.builds(
    lambda *fields: fields[0] | fields[1] | fields[2],
    st.sampled_from(MEASURED),
    st.sampled_from(CHOSEN),
    st.fixed_dictionaries({}, optional={"filters": st.lists(some_filters, max_size=1)}),
)
BREAKDOWNS = ["plan", "tags", "g", "n", "absent", "_actor", "name"]
shapes = st.one_of(
    st.sampled_from([{}, {"overTime": True}, {"overTime": True, "compare": "previous"}]),
    st.fixed_dictionaries(
        {"breakdown": st.sampled_from(BREAKDOWNS), "overTime": st.booleans(), "limit": st.integers(1, 4)}
    ),
    st.fixed_dictionaries(
        {"breakdown": st.sampled_from(BREAKDOWNS), "overTime": st.just(value=True), "compare": st.just(value=True)}
    ),
)
configs = st.sampled_from(sorted(EXPRESSIONS)).flatmap(
    lambda names: st.builds(
        lambda parts, shape: parts | shape | {"expression": EXPRESSIONS[names]},
        st.fixed_dictionaries(dict.fromkeys(names, a_part)),
        shapes,
    )
)
ranges: st.SearchStrategy[RollingRange] = st.sampled_from(["1h", "24h", "7d", "30d"])
intervals = st.sampled_from([None, None, "hour", "day", "week", "month"])
cases = st.tuples(crowds_of(happened().map(exact)), configs, ranges, intervals, st.sampled_from(ZONES))


@pytest.mark.long
@pytest.mark.parametrize("count", [FEW, MANY // 2])
async def test_it_equals_plain_python(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, *_ in drawn_cases])
    for scope, events, config, range_, interval, zone in drawn_cases:
        asked = config if interval is None else config | {"interval": interval}
        found = await ask(event_store, scope, FORMULA, asked, question(range_, timezone=zone))
        wanted = Oracle(events, asked, range_, zone).answer()
        assert json.dumps(found) == json.dumps(wanted), (events, asked, range_, zone)


Chosen = Mapping[PartName, list[Happened]]


class Oracle:
    """A formula in plain Python."""

    def __init__(self, events: list[Happened], config: dict[str, Any], range_: RollingRange, zone: str) -> None:
        self.config, self.zone = config, ZoneInfo(zone)
        self.from_ms, self.length_ms = NOW_MS - RANGE_DURATION_MS[range_], RANGE_DURATION_MS[range_]
        several = "breakdown" in config
        usual = {"1h": "minute", "24h": "hour", "7d": "day" if several else "hour"}.get(range_, "day")
        self.interval = config.get("interval", usual)
        self.now = self.parts_of(in_window(events, range_))
        self.before = self.parts_of(
            [each for each in events if self.from_ms - self.length_ms <= each.at_ms < self.from_ms]
        )

    def parts_of(self, events: Iterable[Happened]) -> Chosen:
        found: dict[PartName, list[Happened]] = {}
        for name in ("a", "b", "c", "d"):
            if part := self.config.get(name):
                names = part.get("events") or [part["event"]]
                own = [each for each in events if names == "all" or each.name in names]
                found[name] = matching(own, part.get("filters", []))
        return found

    def answer(self) -> Any:
        if "breakdown" not in self.config:
            return self.timeseries() if self.config.get("overTime") else self.counter()
        ranked = self.ranked()
        if not self.config["overTime"]:
            return {"kind": "categorical", "rows": [{"label": each, "value": self.of(own)} for each, own in ranked]}
        return {"kind": "multiseries", "interval": self.interval, "series": [self.series(*each) for each in ranked]}

    def of(self, chosen: Chosen) -> Value:
        values: dict[PartName, Value] = {}
        for name, events in chosen.items():
            found = measure(self.config[name]["measure"], self.config[name].get("property"), events)
            values[name] = int(found) if found is not None and float(found).is_integer() else found
        return shown(fraction(parse_expression(self.config["expression"]), values))

    def counter(self) -> Any:
        value, previous = self.of(self.now), self.of(self.before)
        return {"kind": "counter", "value": value, "previous": previous, "delta": change(value, previous)}

    def timeseries(self) -> Any:
        total = {"total": self.of(self.now)} if self.is_told(self.now) else {}
        both = self.both(self.now, self.before)
        return {"kind": "timeseries", "interval": self.interval} | both | total | self.total_before(self.before)

    def series(self, label: str, own: Chosen) -> Any:
        before = self.labelled(self.before)[label]
        return {"label": label} | self.both(own, before) | {"total": self.of(own)} | self.total_before(before)

    def both(self, now: Chosen, before: Chosen) -> Any:
        found = {"points": self.points(now, self.from_ms, NOW_MS)}
        if self.config.get("compare"):
            found["compared"] = self.points(before, self.from_ms - self.length_ms, self.from_ms - 1)
        return found

    def total_before(self, before: Chosen) -> Any:
        is_told = self.config.get("compare") and self.is_told(before)
        return {"comparedTotal": self.of(before)} if is_told else {}

    def is_told(self, chosen: Chosen) -> bool:
        """Whether what the buckets hold tells the value of the whole window."""
        return all(self.config[name]["measure"] in TOLD_BY_BUCKETS or not events for name, events in chosen.items())

    def points(self, chosen: Chosen, from_ms: int, until_ms: int) -> list[Any]:
        """Walks from long before in steps of which every bucket has a whole number, and notes where each begins."""
        step = 60_000 if self.interval == "minute" else HOUR_MS // 4
        lead = {"month": 32 * DAY_MS, "week": 8 * DAY_MS}.get(self.interval, 26 * HOUR_MS)
        begins: dict[Any, int] = {}
        for at in range((from_ms - lead) // step * step, until_ms + lead, step):
            begins.setdefault(self.bucket(at), at)
        own: dict[Any, dict[PartName, list[Happened]]] = {each: {name: [] for name in self.now} for each in begins}
        for name, events in chosen.items():
            for event in events:
                own[self.bucket(event.at_ms)][name].append(event)
        points: list[dict[str, Any]] = []
        for (bucket, start), end in zip(begins.items(), [*begins.values()][1:], strict=False):
            if self.bucket(from_ms) <= bucket <= self.bucket(until_ms):
                partial = {"partial": True} if start < from_ms or end > until_ms + 1 else {}
                cut = {"cut": True} if end > until_ms + 1 and until_ms < NOW_MS else {}
                points.append({"t": iso_ms(start), "value": self.of(own[bucket])} | partial | cut)
        return points

    def bucket(self, at_ms: int) -> Any:
        if self.interval == "minute":
            return at_ms // 60_000
        if self.interval == "hour":
            return start_of_hour(at_ms, self.zone)
        day = datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(self.zone).date()
        if self.interval == "month":
            return day.replace(day=1)
        return day - timedelta(days=day.weekday()) if self.interval == "week" else day

    def labelled(self, chosen: Chosen) -> dict[str, dict[PartName, list[Happened]]]:
        found: dict[str, dict[PartName, list[Happened]]] = defaultdict(lambda: {name: [] for name in self.now})
        for name, events in chosen.items():
            for each in events:
                for label in labels_of(self.config["breakdown"], each):
                    found[label][name].append(each)
        return found

    def ranked(self) -> Sequence[tuple[str, Chosen]]:
        def place(entry: tuple[str, Chosen]) -> tuple[bool, float, bytes]:
            value = self.of(entry[1])
            return value is None, -(value or 0), entry[0].encode()

        return sorted(self.labelled(self.now).items(), key=place)[: self.config.get("limit", 10)]
