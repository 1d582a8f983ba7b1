"""KPI: each item is what plain Python computes, beside its value in the window before."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from harness.asking import Happened, ask, assert_sql, checked, in_window, insert, insert_each, question
from harness.filtering import matching
from harness.making import FEW, MANY, NAMES, crowds, drawn
from harness.making import filters as some_filters
from harness.measuring import alike, change, measure
from harness.store import NOW_MS, EventStore, fresh_scope
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import RANGE_MS, RollingRange
from tallyroom.engine.config import Display
from tallyroom.engine.kinds.kpi import KPI, Kpi, KpiNumber


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


def test_what_the_public_may_know_of_a_config() -> None:
    config = checked(KPI, {"items": ITEMS[:2]})
    assert KPI.display(config) == Display(labels=["visit", "Income"])
    answer = Kpi(items=[KpiNumber("visit", 1, None, None)])
    assert KPI.published(config, answer, ["plan"]) == answer


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
        {"items": ITEMS[:1], "compare": False},
    ],
)
def test_fields_of_another_type_or_out_of_range(config: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        checked(KPI, config)


items = st.builds(
    lambda name, what, own: {"event": name} | what | own,
    st.sampled_from(NAMES),
    st.sampled_from(
        [
            *({"measure": each} for each in ("count", "uniq_actors")),
            *({"measure": each, "property": "n"} for each in ("sum", "avg", "min", "max", "median", "p95", "p99")),
            {"measure": "uniq", "property": "plan"},
        ]
    ),
    st.fixed_dictionaries({}, optional={"filters": st.lists(some_filters, max_size=1)}),
)
ranges: st.SearchStrategy[RollingRange] = st.sampled_from(["1h", "24h", "7d", "30d"])
cases = st.tuples(crowds, st.lists(items, min_size=1, max_size=6), ranges)


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
async def test_it_equals_plain_python(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, *_ in drawn_cases])
    for scope, events, wanted, range_ in drawn_cases:
        answer = await ask(event_store, scope, KPI, {"items": wanted}, question(range_))
        expected = [number(events, item, range_) for item in wanted]
        assert alike(answer["items"], expected), (events, wanted, range_)


def number(events: list[Happened], item: dict[str, Any], range_: RollingRange) -> dict[str, Any]:
    own = matching((each for each in events if each.name == item["event"]), item.get("filters", []))
    before = in_window(own, range_, NOW_MS - RANGE_MS[range_])
    before = [each for each in before if each.at_ms < NOW_MS - RANGE_MS[range_]]
    value, previous = (
        shown(measure(item["measure"], item.get("property"), found)) for found in (in_window(own, range_), before)
    )
    delta = change(value, previous)
    return {"label": item["event"], "value": value, "previous": previous, "delta": delta}


def shown(value: float | None) -> float | None:
    return int(value) if value is not None and float(value).is_integer() else value
