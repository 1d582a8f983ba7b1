"""The rest of a breakdown, and its labels in another window (rules/questions#breakdown)."""

from typing import Any

import pytest

from harness.builders.hostile import TEXTS
from harness.builders.moments import ms
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.question import Question
from tallyroom.storage.event_store.scope import Scope


def paid(day: str, **properties: Any) -> Happened:
    return Happened("paid", ms(f"2026-11-{day}"), properties=properties)


# 2026-11-20T12:00 is now.
EVENTS = [
    paid("20T11:00", plan="pro", tags=["x", "y", "z"], price=10),
    paid("20T01:00", plan="pro", tags=["x"], price=20),
    paid("19T23:30", plan="free", tags=["y", "z"], price=30),
    paid("19T12:00", plan=3, tags=[], price=0.5),
    paid("19T13:00", tags=None, price=1),
    paid("19T11:00", plan="free", price=50),
    paid("18T13:00", plan="pro", price=2),
    paid("18T14:00", plan="old", price=4),
    paid("18T15:00", price=8),
]


@pytest.fixture(scope="module")
def scope(event_store: EventStore) -> Scope:
    found = fresh_scope()
    insert(event_store, found, EVENTS)
    return found


async def answer(store: EventStore, scope: Scope, config: dict[str, Any], asked: Question | None = None) -> Any:
    return await ask(store, scope, METRIC, {"event": "paid", "measure": "count"} | config, asked or question("24h"))


async def rows_of(store: EventStore, scope: Scope, **config: Any) -> list[tuple[Any, ...]]:
    found = await answer(store, scope, config)
    return [(row["label"] or row["kind"], row["value"]) for row in found["rows"]]


async def test_rows_of_single_labels_add_up_to_the_counter(event_store: EventStore, scope: Scope) -> None:
    for measure, rows in (
        ({"measure": "count"}, [("pro", 2), ("none", 1), ("other", 2)]),
        ({"measure": "sum", "property": "price"}, [("free", 30), ("none", 1), ("other", 30.5)]),
    ):
        assert await rows_of(event_store, scope, **measure, breakdown="plan", rest="both", limit=1) == rows
        counter = await answer(event_store, scope, measure | {"compare": False})
        assert counter["value"] == sum(value for _, value in rows)


@pytest.mark.long
async def test_an_event_is_among_the_others_once_for_each_other_label(event_store: EventStore, scope: Scope) -> None:
    asked: dict[str, Any] = {"breakdown": "tags", "rest": "other", "limit": 1}
    assert await rows_of(event_store, scope, **asked) == [("x", 2), ("other", 4)]
    prices = {"measure": "sum", "property": "price"}
    assert await rows_of(event_store, scope, **asked, **prices) == [("y", 40), ("other", 70)]
    different = {"measure": "uniq", "property": "price"}
    assert await rows_of(event_store, scope, **asked, **different) == [("x", 2), ("other", 2)]


@pytest.mark.parametrize(("measure", "empty"), [("count", 0), ("uniq", 0), ("max", None)])
async def test_a_rest_of_nothing_is_there(event_store: EventStore, scope: Scope, measure: str, empty: Any) -> None:
    config: dict[str, Any] = {"measure": measure} | ({} if measure == "count" else {"property": "price"})
    found = await answer(event_store, scope, config | {"breakdown": "name", "rest": "both"})
    assert found["rows"][1:] == [
        {"label": None, "value": empty, "kind": "none"},
        {"label": None, "value": empty, "kind": "other"},
    ]
    nobody = [{"key": "plan", "op": "eq", "value": "nobody"}]
    found = await answer(event_store, scope, config | {"breakdown": "name", "rest": "other", "filters": nobody})
    assert found["rows"] == [{"label": None, "value": empty, "kind": "other"}]


async def test_series_are_compared_by_the_labels_of_the_current_window(event_store: EventStore, scope: Scope) -> None:
    config = {"breakdown": "plan", "limit": 1, "rest": "both", "overTime": True, "interval": "day"}
    found = await answer(event_store, scope, config | {"compare": True})
    values = {
        each["label"] or each["kind"]: [
            [(point["t"][:10], point["value"]) for point in each[window]] for window in ("points", "compared")
        ]
        for each in found["series"]
    }
    assert values == {
        "pro": [[("2026-11-19", 0), ("2026-11-20", 2)], [("2026-11-18", 1), ("2026-11-19", 0)]],
        "none": [[("2026-11-19", 1), ("2026-11-20", 0)], [("2026-11-18", 1), ("2026-11-19", 0)]],
        "other": [[("2026-11-19", 2), ("2026-11-20", 0)], [("2026-11-18", 1), ("2026-11-19", 1)]],
    }
    assert all(point["partial"] for each in found["series"] for point in each["points"] + each["compared"])


@pytest.mark.long
async def test_the_question_decides_on_a_comparison(event_store: EventStore, scope: Scope) -> None:
    series = {"breakdown": "plan", "overTime": True}
    for config, asked, is_compared in (
        (series, question("24h"), False),
        (series, question("24h", compare=True), True),
        (series | {"compare": True}, question("24h", compare=False), False),
        (series | {"compare": False}, question("24h", compare={"shift": "1mo"}), True),
        (series | {"compare": True}, question("all", first_ms=0), False),
    ):
        found = await answer(event_store, scope, config | {"interval": "month"}, asked)
        assert [("compared" in each) for each in found["series"]] == [is_compared] * len(found["series"])
    assert set(await answer(event_store, scope, {"breakdown": "plan"}, question("24h", compare=True))) == {
        "kind",
        "rows",
    }


async def test_any_text_is_found_again(event_store: EventStore) -> None:
    """Labels come from events, and go into another query."""
    scope = fresh_scope()
    texts = list(dict.fromkeys(TEXTS))[:50]
    moments = (NOW_MS, NOW_MS - 30 * 3_600_000)
    insert(event_store, scope, [Happened("paid", at, properties={"p": text}) for text in texts for at in moments])
    config = {"breakdown": "p", "limit": 50, "rest": "both", "overTime": True, "compare": {"shift": "1d"}}
    found = await answer(event_store, scope, config, question("24h", interval="day"))
    totals = {
        each.get("kind", each["label"]): [
            sum(point["value"] for point in each[window]) for window in ("points", "compared")
        ]
        for each in found["series"]
    }
    assert totals == {text: [1, 1] for text in texts} | {"none": [0, 0], "other": [0, 0]}
