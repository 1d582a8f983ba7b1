"""Dashboards and what belongs to them, made over HTTP by the owner of a workspace."""

from typing import Any

from harness.builders.moments import ago
from harness.clients.workspace import Workspace

NOTE = {"type": "note", "config": {"text": "Hello"}}

CONFIGS: dict[str, dict[str, Any]] = {
    "metric": {"event": "x", "measure": "count"},
    "formula": {"a": {"event": "x", "measure": "count"}, "expression": "a * 2"},
    "kpi": {"items": [{"event": "x", "measure": "count"}]},
    "table": {"columns": ["time", "event"]},
    "funnel": {"steps": [{"event": "x"}, {"event": "y"}]},
    "retention": {"cohortEvent": "x"},
    "histogram": {"event": "x", "property": "n"},
    "heatmap": {"event": "x"},
    "note": {"text": "Hello"},
    "external": {"sourceId": "none", "url": "https://api.invalid/", "valuePath": "value", "valueType": "number"},
}
"""The least that each type of widget takes (rules/boards#widget); the external source has to be made."""

SOURCE = {"name": "Shop", "host": "api.invalid"}
"""An external source whose host has no address."""

FILTERS = [{"key": "plan", "op": "eq", "value": "pro"}]


def make(workspace: Workspace, path: str, body: Any) -> Any:
    """The object that a POST has made."""
    with workspace.client() as client:
        answer = client.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def make_dashboard(workspace: Workspace, **fields: Any) -> Any:
    """A new dashboard."""
    return make(workspace, "/v1/dashboards", {"name": "Board"} | fields)


def make_widget(workspace: Workspace, dashboard_id: str, **fields: Any) -> Any:
    """A new widget: a note, unless the fields say otherwise."""
    return make(workspace, f"/v1/dashboards/{dashboard_id}/widgets", NOTE | fields)


def make_segment(workspace: Workspace, **fields: Any) -> Any:
    """A new segment of production."""
    return make(workspace, "/v1/segments", {"name": "Pro", "environment": "production", "filters": FILTERS} | fields)


def make_alert(workspace: Workspace, **fields: Any) -> Any:
    """A new alert of production: more than a hundred events within an hour."""
    usual = {"name": "Many", "environment": "production", "event": "x", "condition": "above", "threshold": 100}
    return make(workspace, "/v1/alerts", usual | fields)


def make_external_source(workspace: Workspace, **fields: Any) -> Any:
    """A new external source."""
    return make(workspace, "/v1/external-sources", SOURCE | fields)


def config_of(workspace: Workspace, kind: str) -> dict[str, Any]:
    """The least that a type of widget takes in this workspace."""
    if kind != "external":
        return CONFIGS[kind]
    return CONFIGS[kind] | {"sourceId": make_external_source(workspace)["id"]}


def make_annotation(workspace: Workspace, **fields: Any) -> Any:
    """A new annotation of production."""
    return make(workspace, "/v1/annotations", {"environment": "production", "label": "v1", "time": ago()} | fields)


def make_digest(workspace: Workspace, dashboard_id: str, **fields: Any) -> Any:
    """A new digest of every day, to one address."""
    body = {"dashboardId": dashboard_id, "cadence": "daily", "recipients": ["ann@example.com"], "timezone": "UTC"}
    with workspace.client() as client:
        answer = client.post("/v1/digests", json=body | fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


def widgets_of(workspace: Workspace, dashboard_id: str) -> list[Any]:
    """The widgets of a dashboard as it tells them."""
    answer = workspace.get(f"/v1/dashboards/{dashboard_id}")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["widgets"])
