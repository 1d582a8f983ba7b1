"""KPI: each item is what plain Python computes, beside its value in the window before."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, NAMES, ZONES, crowds, drawn
from harness.builders.events import filters as some_filters
from harness.oracles.filters import matching
from harness.oracles.measures import alike, change, measure
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, insert, insert_each, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import FixedRange, TimeRange
from tallyroom.dashboards.kinds.kpi.kind import KPI
from tallyroom.dashboards.kinds.kpi.question import Kpi, KpiNumber
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.comparison import resolve_earlier_window
from tallyroom.queries.config import Display
from tallyroom.queries.window import Window


def at(moment: str) -> int:
    return round(datetime.fromisoformat(f"2026-11-{moment}").replace(tzinfo=UTC).timestamp() * 1000)


# 2026-11-20T12:00 is now. The window of 24h begins on the 19th at 12:00, the one before on the 18th at 12:00.
TEN = [
    Happened("visit", at("20T12:00:00.000"), "u1"),  # the last moment of the window
    Happened("visit", at("20T09:00:00.000"), "u1"),
    Happened("visit", at("19T12:00:00.000"), "u2"),  # its first
    Happened("visit", at("19T11:59:59.999"), "u2"),  # the last moment of the window before
    Happened("visit", at("18T12:00:00.000"), "u3"),  # its first
    Happened("visit", at("18T11:59:59.999"), "u4"),  # before both
    Happened("paid", at("20T10:00:00.000"), "u1", {"price": 10, "plan": "pro"}),
    Happened("paid", at("19T13:00:00.000"), "u2", {"price": 30, "plan": "free"}),
    Happened("paid", at("19T10:00:00.000"), "u3", {"price": 20, "plan": "pro"}),
    Happened("visit", at("20T12:00:00.001"), "u5"),  # behind both
]
PRO = [{"key": "plan", "op": "eq", "value": "pro"}]
ITEMS: list[dict[str, Any]] = [
    {"event": "visit", "measure": "count"},
    {"event": "paid", "measure": "sum", "property": "price", "label": "Income", "good": "up"},
    {"event": "visit", "measure": "uniq_actors", "label": "Visitors"},
    {"event": "paid", "measure": "avg", "property": "price", "filters": PRO},
    {"event": "refund", "measure": "count", "good": "down"},
    {"event": "refund", "measure": "max", "property": "price"},
]


async def test_ten_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    answer = await ask(event_store, scope, KPI, {"items": ITEMS}, question("24h"))
    rows = [
        ("visit", 3, 2, 0.5),
        ("Income", 40, 20, 1.0),
        ("Visitors", 2, 2, 0.0),
        ("paid", 10, 20, -0.5),
        ("refund", 0, 0, None),
        ("refund", None, None, None),
    ]
    fields = ("label", "value", "previous", "delta")
    assert answer == {"kind": "kpi", "items": [dict(zip(fields, row, strict=True)) for row in rows]}


async def test_a_segment_narrows_every_item(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    asked = question("24h", filters=PRO)
    answer = await ask(event_store, scope, KPI, {"items": ITEMS[:2]}, asked)
    assert [(each["value"], each["previous"]) for each in answer["items"]] == [(0, 0), (10, 20)]


def test_sql() -> None:
    assert_sql("kpi", KPI, {"items": ITEMS[:4]}, question("24h"))
    assert_sql("kpi_sparklines", KPI, {"items": ITEMS[:4], "sparklines": True}, question("24h"), [])


@pytest.mark.long
@pytest.mark.parametrize("time_range", ["1h", "24h", "7d", "90d"])
async def test_a_sparkline_has_the_points_of_a_metric_over_time(event_store: EventStore, time_range: TimeRange) -> None:
    """In one query for all numbers."""
    scope, asked = fresh_scope(), question(time_range, timezone="Europe/Berlin")
    insert(event_store, scope, TEN)
    answer = await ask(event_store, scope, KPI, {"items": ITEMS, "sparklines": True}, asked)
    for item, number in zip(ITEMS, answer["items"], strict=True):
        config = {key: value for key, value in item.items() if key not in {"label", "good"}}
        several = {"interval": "day"} if time_range == "7d" else {}
        alone = await ask(event_store, scope, METRIC, config | several | {"overTime": True}, asked)
        assert number["points"] == alone["points"]
    assert len([point for point in answer["items"][0]["points"] if point["value"]]) >= (time_range != "1h")


def test_what_the_public_may_know_of_a_config() -> None:
    config = checked(KPI, {"items": ITEMS[:2]})
    assert KPI.build_display(config) == Display(labels=["visit", "Income"], goods=["none", "up"])

    answer = Kpi(items=[KpiNumber("visit", 1, None, None)])
    assert KPI.build_public_result(config, answer, ["plan"]) == answer


def test_the_public_knows_the_goals_of_the_numbers() -> None:
    items = [{"event": "visit", "measure": "count", "goal": 100}, {"event": "order", "measure": "count"}]
    assert KPI.build_display(checked(KPI, {"items": items})) == Display(labels=["visit", "order"], goals=[100, None])


@pytest.mark.parametrize(
    ("item", "path"),
    [
        ({"event": "paid", "measure": "sum"}, ["property"]),
        ({"event": "paid", "measure": "count", "property": "price"}, ["property"]),
        ({"event": "paid", "measure": "count", "filters": [{"key": "p", "op": "eq"}]}, ["filters", 0, "value"]),
    ],
)
def test_fields_that_do_not_fit_together(item: dict[str, Any], path: list[Any]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(KPI, {"items": [ITEMS[0], item]})
    assert [each.path for each in refused.value.details] == [["config", "items", 1, *path]]


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"items": []},
        {"items": ITEMS + ITEMS[:1]},
        {"items": [{"event": "paid"}]},
        {"items": [{"event": "", "measure": "count"}]},
        {"items": [ITEMS[0] | {"label": ""}]},
        {"items": [ITEMS[0] | {"label": "x" * 121}]},
        {"items": [ITEMS[0] | {"good": "maybe"}]},
        {"items": [ITEMS[0] | {"overTime": True}]},
        {"items": ITEMS[:1], "compare": "next"},
        {"items": ITEMS[:1], "compare": {"shift": "2d"}},
    ],
)
def test_fields_of_another_type_or_out_of_range(config: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        checked(KPI, config)


chosen: st.SearchStrategy[dict[str, Any]] = st.one_of(
    *(st.just({"event": name}) for name in NAMES),
    st.lists(st.sampled_from([*NAMES, "none"]), min_size=1, max_size=3).map(lambda names: {"events": names}),
    st.just({"events": "all"}),
)
items = st.builds(
    lambda events, what, own: events | what | own,
    chosen,
    st.sampled_from(
        [
            *({"measure": each} for each in ("count", "uniq_actors")),
            *({"measure": each, "property": "n"} for each in ("sum", "avg", "min", "max", "median", "p95", "p99")),
            {"measure": "uniq", "property": "plan"},
        ]
    ),
    st.fixed_dictionaries({}, optional={"filters": st.lists(some_filters, max_size=1)}),
)
time_ranges: st.SearchStrategy[TimeRange] = st.one_of(
    st.sampled_from(["1h", "24h", "7d", "30d"]),
    st.sampled_from(["today", "yesterday", "wtd", "mtd", "ytd", "last_week", "last_month", "12mo", "all"]),
    st.builds(
        lambda ago, days: FixedRange(NOW_MS - ago, NOW_MS - ago + days * 3_600_000),
        st.sampled_from([0, 86_400_000, 40 * 86_400_000 + 1, 300 * 86_400_000]),
        st.integers(1, 999),
    ),
)
compares: st.SearchStrategy[Any] = st.sampled_from(
    [None, None, True, "previous", False, *({"shift": each} for each in ("1d", "7d", "28d", "1mo", "1y"))]
)
cases = st.tuples(
    crowds,
    st.lists(items, min_size=1, max_size=6),
    time_ranges,
    compares,
    st.sampled_from(ZONES),
    st.lists(some_filters, max_size=1),
)


@pytest.mark.long
@pytest.mark.parametrize("count", [FEW, MANY])
async def test_it_equals_plain_python(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, *_ in drawn_cases])
    for scope, events, wanted, time_range, compare, zone, filters in drawn_cases:
        first_ms = min((each.at_ms for each in events), default=None)
        asked = question(time_range, timezone=zone, first_ms=first_ms, filters=filters)
        config = {"items": wanted} | ({} if compare is None else {"compare": compare})
        before = resolve_earlier_window(checked(KPI, config).compare, asked, compares_by_default=True)
        answer = await ask(event_store, scope, KPI, config, asked)
        expected = [number(matching(events, filters), item, asked.window, before) for item in wanted]
        assert alike(answer["items"], expected), (events, config, time_range, zone, filters)


def number(events: list[Happened], item: dict[str, Any], now: Window, before: Window | None) -> dict[str, Any]:
    names = item.get("events", [item.get("event")])
    own = matching((each for each in events if names == "all" or each.name in names), item.get("filters", []))

    def of(window: Window) -> float | None:
        inside = [each for each in own if window.from_ms <= each.at_ms <= window.until_ms]
        return shown(measure(item["measure"], item.get("property"), inside))

    value, previous = of(now), None if before is None else of(before)
    label = "all events" if names == "all" else ", ".join(dict.fromkeys(names))
    return {"label": label, "value": value, "previous": previous, "delta": change(value, previous)}


def shown(value: float | None) -> float | None:
    return int(value) if value is not None and float(value).is_integer() else value
