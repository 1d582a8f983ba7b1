"""The truth table of each operator, for each kind of value and each place of a filter, by hand.

The rules: rules/questions#filters and rules/questions#segments-in-questions.
"""

from typing import Any, get_args

import pytest

from harness.stores.event_store import EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from harness.suite.few import few
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.filters import Op
from tallyroom.storage.event_store.scope import Scope

VALUES: dict[str, Any] = {
    "text": "pro",
    "number": 42,
    "boolean": True,
    "list": ["pro", 42],
    "object": {"a": 1},
    "empty": "",
}
"""What the key `p` has in an event; in one more, it is absent."""

TRUTH: list[tuple[str, Any, str]] = [
    ("exists", None, "0 1 1 1 1 1 1"),
    ("not_exists", None, "1 0 0 0 0 0 0"),
    ("eq", "pro", "0 1 0 0 0 0 0"),
    ("eq", "Pro", "0 0 0 0 0 0 0"),
    ("eq", 42, "0 0 1 0 0 0 0"),
    ("eq", "42", "0 0 1 0 0 0 0"),
    ("eq", True, "0 0 0 1 0 0 0"),
    ("eq", "true", "0 0 0 1 0 0 0"),
    ("eq", '{"a":1}', "0 0 0 0 0 1 0"),
    ("eq", "", "0 0 0 0 0 0 1"),
    ("neq", "pro", "0 0 1 1 1 1 1"),
    ("neq", 42, "0 1 0 1 1 1 1"),
    ("neq", "42", "0 1 0 1 1 1 1"),
    ("neq", True, "0 1 1 0 1 1 1"),
    ("neq", '{"a":1}', "0 1 1 1 1 0 1"),
    ("neq", "", "0 1 1 1 1 1 0"),
    ("neq", "other", "0 1 1 1 1 1 1"),
    ("in", ["pro", 42], "0 1 1 0 0 0 0"),
    ("in", ["", True], "0 0 0 1 0 0 1"),
    ("in", ["other"], "0 0 0 0 0 0 0"),
    ("not_in", ["pro", 42], "0 0 0 1 1 1 1"),
    ("not_in", ["", True], "0 1 1 0 1 1 0"),
    ("not_in", ["other"], "0 1 1 1 1 1 1"),
    ("gt", 41, "0 0 1 0 0 0 0"),
    ("gt", "41", "0 0 1 0 0 0 0"),
    ("gt", 42, "0 0 0 0 0 0 0"),
    ("gt", -1, "0 0 1 0 0 0 0"),
    ("gte", 42, "0 0 1 0 0 0 0"),
    ("lt", 42, "0 0 0 0 0 0 0"),
    ("lt", 43, "0 0 1 0 0 0 0"),
    ("lte", 42, "0 0 1 0 0 0 0"),
    ("has", "pro", "0 0 0 0 1 0 0"),
    ("has", 42, "0 0 0 0 1 0 0"),
    ("has", "42", "0 0 0 0 1 0 0"),
    ("has", "pr", "0 0 0 0 0 0 0"),
    ("has", "", "0 0 0 0 0 0 0"),
    ("contains", "PR", "0 1 0 0 1 0 0"),
    ("contains", "r", "0 1 0 1 1 0 0"),
    ("contains", "4", "0 0 0 0 1 0 0"),
    ("contains", "a", "0 0 0 0 0 1 0"),
    ("starts_with", "p", "0 1 0 0 1 0 0"),
    ("starts_with", "P", "0 0 0 0 0 0 0"),
    ("starts_with", "4", "0 0 0 0 1 0 0"),
    ("regex", "^$", "0 0 0 0 0 0 1"),
    ("regex", "^.+$", "0 1 0 1 1 1 0"),
]
"""An operator, its value, and whether it matches an event without `p` and one with each of the values above."""

KINDS = ["absent", *VALUES]
SIDES = ["left", "right"]
EVERY = {f"{kind} {side}" for kind in KINDS for side in SIDES}

FALSE = {"key": "p", "op": "eq", "value": "none of them"}
TRUE = {"key": "side", "op": "exists"}
LEFT = {"key": "side", "op": "eq", "value": "left"}


@pytest.fixture(scope="module")
def scope() -> Scope:
    """The workspace of the table."""
    return fresh_scope()


@pytest.fixture(scope="module")
def events(event_store: EventStore, scope: Scope) -> EventStore:
    """A store with an event of each kind on each side."""
    sent = [{}, *({"p": value} for value in VALUES.values())]
    insert(
        event_store,
        scope,
        [
            Happened("e", properties=properties | {"side": side, "case": f"{kind} {side}"})
            for kind, properties in zip(KINDS, sent, strict=True)
            for side in SIDES
        ],
    )
    return event_store


async def matched(store: EventStore, scope: Scope, filters: list[Any], segment: list[Any]) -> set[str]:
    """The events that the store counts, under the filters of a config and those of its segment."""
    config = {"event": "e", "measure": "count", "breakdown": "case", "limit": 50, "filters": filters}
    answer = await ask(store, scope, METRIC, config, question(filters=segment))
    assert {row["value"] for row in answer["rows"]} <= {1}
    return {row["label"] for row in answer["rows"]}


def test_each_operator_is_in_the_table() -> None:
    assert {op for op, _, _ in TRUTH} == set(get_args(Op))


@few(4, ("op", "value", "truth"), TRUTH)
async def test_each_place_of_a_filter(events: EventStore, scope: Scope, op: str, value: Any, truth: str) -> None:
    filter_ = {"key": "p", "op": op} | ({} if value is None else {"value": value})
    alone = {
        f"{kind} {side}" for kind, holds in zip(KINDS, truth.split(), strict=True) if holds == "1" for side in SIDES
    }
    left = {each for each in alone if each.endswith("left")}
    places: list[tuple[list[Any], list[Any], set[str]]] = [
        ([filter_], [], alone),
        ([{"any": [FALSE, filter_]}], [], alone),
        ([{"any": [filter_, TRUE]}], [], EVERY),
        ([filter_, LEFT], [], left),
        ([LEFT], [filter_], left),
    ]
    for filters, segment, expected in places:
        assert await matched(events, scope, filters, segment) == expected, (filters, segment)
