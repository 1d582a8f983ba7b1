"""What the document says of filters, lists and questions is what the server takes."""

from typing import Any

import pytest

from harness.clients.workspace import Workspace
from harness.oracles.json_schema import wrong
from harness.suite.few import few
from tallyroom.dashboards.registry import KINDS
from tallyroom.server.openapi.schemas import restore_list_items

FILTER = {"$ref": "#/components/schemas/Filter"}
PRESENT = {"key": "p", "op": "exists"}

FILTERS: list[tuple[Any, bool]] = [
    (PRESENT, True),
    ({"key": "p", "op": "in", "value": ["x", 1, True]}, True),
    ({"any": [PRESENT]}, True),
    ({"any": [PRESENT] * 10}, True),
    ({}, False),
    ({"key": "p"}, False),
    ({"op": "exists"}, False),
    ({"key": "", "op": "exists"}, False),
    ({"key": "p", "op": "like", "value": "x"}, False),
    ({"key": "p", "op": "eq", "value": {}}, False),
    ({"any": []}, False),
    ({"any": [PRESENT] * 11}, False),
    ({"any": [PRESENT], "key": "p"}, False),
    ({"any": [PRESENT]} | PRESENT, False),
    ({"any": [{"any": [PRESENT]}]}, False),
    ({"any": [{"key": "p"}]}, False),
]


@pytest.mark.parametrize(("filter_", "valid"), FILTERS)
def test_a_filter_is_one_condition_or_alternatives(
    document: Any, workspace: Workspace, filter_: Any, *, valid: bool
) -> None:
    assert (wrong(document, FILTER, filter_) == []) is valid
    body = {"name": "s", "environment": "production", "filters": [filter_]}
    with workspace.client() as client:
        assert client.post("/v1/segments", json=body).status_code == (201 if valid else 400)


@pytest.mark.parametrize("name", ["SegmentIn", "SegmentChange", "DashboardIn", "DashboardChange", "DataIn", "AlertIn"])
def test_filters_are_a_list_of_filters_wherever_they_are(document: Any, name: str) -> None:
    filters = document["components"]["schemas"][name]["properties"]["filters"]
    [listed] = [each for each in filters.get("oneOf", [filters]) if each["type"] == "array"]
    assert listed["items"] == FILTER
    assert filters["maxItems"] == 20


def test_no_schema_offers_anything_as_a_choice(document: Any) -> None:
    def choices(node: Any) -> list[Any]:
        children = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
        own = [*node.get("oneOf", ()), *node.get("anyOf", ())] if isinstance(node, dict) else []
        return own + [each for child in children for each in choices(child)]

    found = choices(document["components"]["schemas"])
    assert found
    assert {} not in found


def test_only_lists_are_mended() -> None:
    schemas = {"A": {"items": {"oneOf": [{"type": "string"}, {}]}}, "B": {"oneOf": [{"items": {"type": "string"}}]}}
    restore_list_items(schemas)
    assert schemas == {"A": {"items": {"type": "string"}}, "B": {"oneOf": [{"items": {"type": "string"}}]}}


QUESTION = {"environment": "production", "type": "metric", "config": {"event": "e", "measure": "count"}}
WEEK = {"timeRange": "7d"}
SIDES: list[tuple[dict[str, Any], bool]] = [
    (WEEK, True),
    ({"timeRange": "12mo"}, True),
    ({"timeRange": "2d"}, False),
    ({"from": "2025-10-01", "to": "2025-10-02"}, True),
    (WEEK | {"interval": "month"}, True),
    (WEEK | {"interval": "year"}, False),
    *((WEEK | {"compare": each}, True) for each in (True, False, "previous", {"shift": "1mo"})),
    *((WEEK | {"compare": each}, False) for each in ("before", {"shift": "2d"}, {}, 1)),
    (WEEK | {"type": "gauge"}, False),
    *((WEEK | {"config": {"events": each, "measure": "count"}}, True) for each in ("all", ["a"], ["a"] * 10)),
    *((WEEK | {"config": {"events": each, "measure": "count"}}, False) for each in ("some", [], ["a"] * 11)),
    (WEEK | {"config": {"event": "e", "measure": "count", "display": {"axis": "fit", "decimals": 10}}}, True),
    (WEEK | {"config": {"event": "e", "measure": "count", "display": {"decimals": 11}}}, False),
    (WEEK | {"config": {"event": "e", "measure": "count", "display": {"axe": "fit"}}}, False),
    (WEEK | {"config": {"event": "e", "measure": "count", "breakdown": "p", "rest": "both"}}, True),
    (WEEK | {"config": {"event": "e", "measure": "count", "breakdown": "p", "rest": "all"}}, False),
]


@few(15, ("more", "valid"), SIDES)
def test_each_side_of_a_question(document: Any, workspace: Workspace, more: dict[str, Any], *, valid: bool) -> None:
    body = QUESTION | more
    assert (wrong(document, {"$ref": "#/components/schemas/QueryIn"}, body) == []) is valid
    with workspace.client() as client:
        assert client.post("/v1/query", json=body).status_code == (200 if valid else 400)


def test_the_types_of_widgets_are_named(document: Any) -> None:
    for name in ("WidgetIn", "WidgetChange", "WidgetOut", "QueryIn", "QueryActorsIn"):
        type_ = document["components"]["schemas"][name]["properties"]["type"]
        assert type_ == {"type": "string", "enum": list(KINDS)}


@pytest.mark.parametrize("path", ["/v1/actors", "/v1/events", "/v1/schema", "/v1/groups", "/v1/groups/keys"])
def test_lists_take_each_form_of_a_span(document: Any, path: str) -> None:
    parameters = {each["name"]: each for each in document["paths"][path]["get"]["parameters"]}
    for name in ("timeRange", "from", "to"):
        assert (parameters[name]["in"], parameters[name]["required"]) == ("query", False)
    assert {"7d", "12mo", "all"} <= set(parameters["timeRange"]["schema"]["enum"])


PARTS: list[tuple[str, Any, bool]] = [
    ("TimePoint", {"t": "2025-10-06T00:00:00.000Z", "value": None, "partial": True}, True),
    ("TimePoint", {"t": "2025-10-06T00:00:00.000Z", "value": 1.5}, True),
    ("TimePoint", {"t": "2025-10-06T00:00:00.000Z", "value": 1, "partial": "yes"}, False),
    ("TimePoint", {"t": "2025-10-06T00:00:00.000Z"}, False),
    ("LabelRow", {"label": "pro", "value": 1}, True),
    ("LabelRow", {"label": None, "value": 0, "kind": "none"}, True),
    ("LabelRow", {"label": None, "value": None, "kind": "other"}, True),
    ("LabelRow", {"label": None, "value": 1, "kind": "rest"}, False),
    ("Series", {"label": None, "points": [], "compared": [], "kind": "other"}, True),
    ("Series", {"label": "pro"}, False),
]


@pytest.mark.parametrize(("name", "part", "valid"), PARTS)
def test_what_answers_are_made_of(document: Any, name: str, part: Any, *, valid: bool) -> None:
    assert (wrong(document, {"$ref": f"#/components/schemas/{name}"}, part) == []) is valid
