"""What an answer says when a name was never seen, or when nothing was found."""

from typing import Any

import pytest

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, checked, insert, question
from harness.suite.few import few
from tallyroom.core.notices import Notice
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.explanations import MAX_NOTICES_PER_CODE, Explainer
from tallyroom.queries.question_names import QuestionNames, find_question_names
from tallyroom.storage.event_store.scope import Scope

DAY_MS = 86_400_000
EVENTS = [
    Happened("paid", NOW_MS - 1, "u1", {"price": 5, "plan": "pro", "note": "x", "tags": ["a"], "ok": True, "fee": 0}),
    Happened("paid", NOW_MS - 40 * DAY_MS, "u1", {"price": 7, "old": 1}),
    Happened("opened", NOW_MS - 40 * DAY_MS, "u2"),
    Happened("opened", NOW_MS - 41 * DAY_MS, "u2"),
]


@pytest.fixture(scope="module")
def scope(event_store: EventStore) -> Scope:
    scope = fresh_scope()
    insert(event_store, scope, EVENTS)
    return scope


async def told(store: EventStore, scope: Scope, kind: str, config: dict[str, Any], **asked: Any) -> list[Notice]:
    read, about = checked(KINDS[kind], config), question("7d", **asked)
    result = await run_query_plan(KINDS[kind].build_query_plan(read, about), store.reader, scope)
    return await Explainer(store.reader).explain_answer(KINDS[kind], read, about, scope, result)


async def codes(store: EventStore, scope: Scope, kind: str, config: dict[str, Any], **asked: Any) -> list[str]:
    return [each.code for each in await told(store, scope, kind, config, **asked)]


COUNT = {"event": "paid", "measure": "count"}


@few(
    5,
    ("kind", "config", "expected"),
    [
        ("metric", COUNT, []),
        ("metric", COUNT | {"event": "paidd"}, ["unknown_event"]),
        ("metric", {"events": ["paid", "paidd"], "measure": "count"}, ["unknown_event"]),
        ("metric", {"events": "all", "measure": "count"}, []),
        ("metric", COUNT | {"breakdown": "plna"}, ["unknown_property"]),
        ("metric", COUNT | {"breakdown": "_source"}, []),
        ("metric", COUNT | {"breakdown": "prop:_source"}, ["unknown_property"]),
        ("metric", COUNT | {"filters": [{"key": "absent", "op": "not_exists"}]}, ["unknown_property"]),
        (
            "metric",
            COUNT | {"filters": [{"any": [{"key": "plan", "op": "exists"}, {"key": "x", "op": "exists"}]}]},
            ["unknown_property"],
        ),
        ("metric", COUNT | {"filters": [{"key": "tags", "op": "has", "value": "z"}]}, []),
        ("metric", {"event": "paid", "measure": "sum", "property": "price"}, []),
        ("metric", {"event": "paid", "measure": "sum", "property": "fee"}, []),
        ("metric", {"event": "paid", "measure": "sum", "property": "note"}, ["no_numbers"]),
        ("metric", {"event": "paid", "measure": "avg", "property": "old"}, ["no_numbers"]),
        ("metric", {"event": "paid", "measure": "p95", "property": "prise"}, ["unknown_property"]),
        ("metric", {"event": "paid", "measure": "uniq", "property": "old"}, []),
        (
            "metric",
            {"event": "paid", "measure": "sum", "property": "note", "breakdown": "plan", "overTime": True},
            ["no_numbers"],
        ),
        (
            "formula",
            {"a": {"event": "paid", "measure": "sum", "property": "note"}, "expression": "a", "overTime": True},
            ["no_numbers"],
        ),
        ("metric", {"event": "opened", "measure": "count"}, ["older_only"]),
        ("metric", {"event": "opened", "measure": "count", "overTime": True}, ["older_only"]),
        ("metric", {"event": "opened", "measure": "count", "breakdown": "plan"}, ["older_only"]),
        ("metric", {"event": "opened", "measure": "count", "breakdown": "plan", "overTime": True}, ["older_only"]),
        ("kpi", {"items": [COUNT, COUNT | {"event": "opened"}]}, ["older_only"]),
        ("kpi", {"items": [COUNT, {"event": "paid", "measure": "max", "property": "ok"}]}, ["no_numbers"]),
        ("histogram", {"event": "paid", "property": "plan"}, ["no_numbers"]),
        ("histogram", {"event": "paid", "property": "price"}, []),
        ("heatmap", {"event": "opened"}, ["older_only"]),
        ("funnel", {"steps": [{"event": "opened"}, {"event": "paidd"}]}, ["unknown_event", "older_only"]),
        ("funnel", {"steps": [{"event": "paid"}, {"event": "opened"}]}, []),
        ("retention", {"cohortEvent": "paidd", "returnEvent": "opened"}, ["unknown_event", "older_only"]),
        ("retention", {"cohortEvent": "opened"}, ["older_only"]),
        ("retention", {"cohortEvent": "opened", "returnEvent": "paid"}, ["older_only"]),
        ("retention", {"cohortEvent": "paid"}, []),
        ("retention", {"cohortEvent": "opened", "granularity": "week"}, []),
        ("table", {"event": "paid", "columns": ["time", "prop:plan", "prop:plna"]}, ["unknown_property"]),
        ("table", {"event": "opened", "columns": ["time"]}, ["older_only"]),
    ],
)
async def test_what_is_told(
    event_store: EventStore, scope: Scope, kind: str, config: dict[str, Any], expected: list[str]
) -> None:
    assert await codes(event_store, scope, kind, config) == expected


async def test_filters_beside_the_config_are_looked_at(event_store: EventStore, scope: Scope) -> None:
    filters = [{"key": "plna", "op": "eq", "value": "pro"}]
    assert await codes(event_store, scope, "metric", COUNT, filters=filters) == ["unknown_property"]


async def test_the_messages_name_what_may_have_been_meant(event_store: EventStore, scope: Scope) -> None:
    found = await told(event_store, scope, "metric", {"event": "payd", "measure": "sum", "property": "prise"})
    assert [each.message for each in found] == [
        f'The event "payd" has never been seen in {scope.environment}; did you mean paid?',
        f'The property "prise" has never been seen in {scope.environment}; did you mean price?',
    ]
    assert [(each.name, each.suggestion) for each in found] == [("payd", "paid"), ("prise", "price")]
    [older] = await told(event_store, scope, "metric", COUNT | {"event": "opened"})
    assert older.message == 'The newest event "opened" is from 2026-10-11T12:00:00.000Z, before this time range.'
    [numbers] = await told(event_store, scope, "metric", {"event": "paid", "measure": "min", "property": "plan"})
    assert numbers.message == 'The only event in this time range has no number in the property "plan".'


async def test_an_environment_without_events_has_seen_nothing(event_store: EventStore) -> None:
    assert await codes(event_store, fresh_scope(), "metric", COUNT) == ["unknown_event"]
    assert await codes(event_store, fresh_scope(), "heatmap", {"events": "all"}) == []


async def test_all_events_may_be_older(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, EVENTS[2:])
    [older] = await told(event_store, scope, "metric", {"events": "all", "measure": "count"})
    assert older == Notice("older_only", "The newest event is from 2026-10-11T12:00:00.000Z, before this time range.")


async def test_few_of_many_unknown_names_are_told(event_store: EventStore, scope: Scope) -> None:
    names = [f"unknown {number}" for number in range(10)]
    found = await codes(event_store, scope, "metric", {"events": names, "measure": "count"})
    assert found == ["unknown_event"] * MAX_NOTICES_PER_CODE


async def test_what_was_seen_is_asked_for_once(
    event_store: EventStore, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    explanations = Explainer(event_store.reader)
    config = checked(KINDS["metric"], COUNT | {"breakdown": "plan"})
    result = await run_query_plan(KINDS["metric"].build_query_plan(config, question()), event_store.reader, scope)
    assert await explanations.explain_answer(KINDS["metric"], config, question(), scope, result) == []
    monkeypatch.setattr(event_store.reader, "fetch_rows", None)
    assert await explanations.explain_answer(KINDS["metric"], config, question(), scope, result) == []


def test_names_are_found_wherever_they_are() -> None:
    config = checked(
        KINDS["funnel"],
        {
            "steps": [
                {"event": "a", "filters": [{"key": "prop:p", "op": "exists"}]},
                {"events": ["b", "a"], "filters": [{"any": [{"key": "q", "op": "exists"}]}]},
            ]
        },
    )
    assert find_question_names(config, ()) == QuestionNames(["a", "b"], ["p", "q"])
