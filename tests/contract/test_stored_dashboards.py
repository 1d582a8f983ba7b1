"""Dashboards that were saved before configs had more fields: they answer as they did (rules/boards#widget-data)."""

import json
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard
from harness.clients.workspace import Workspace, sign_up
from harness.stores.metadata_edits import put_beside

EVENTS: list[dict[str, Any]] = [
    {"name": "x", "_actor": "u1", "_timestamp": ago(minutes=30), "properties": {"n": 5, "plan": "pro"}},
    {"name": "x", "_actor": "u2", "_timestamp": ago(minutes=20), "properties": {"n": 2.5, "plan": "free"}},
    {"name": "x", "_actor": "u2", "_timestamp": ago(days=10), "properties": {"n": 1, "plan": "free"}},
    {"name": "y", "_actor": "u1", "_timestamp": ago(minutes=10), "properties": {}},
]

STORED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "metric",
        {"event": "x", "measure": "count", "chart": "number", "goal": 10.0, "good": "up"},
        {"kind": "counter", "value": 2, "previous": 1, "delta": 1.0},
    ),
    (
        "metric",
        {"event": "x", "measure": "sum", "property": "n", "compare": False},
        {"kind": "counter", "value": 7.5, "previous": None, "delta": None},
    ),
    (
        "metric",
        {"event": "x", "measure": "sum", "property": "n", "breakdown": "plan", "limit": 1, "chart": "bar"},
        {"kind": "categorical", "rows": [{"label": "pro", "value": 5}]},
    ),
    (
        "kpi",
        {"items": [{"event": "x", "measure": "uniq_actors", "label": "People", "good": "down"}]},
        {"kind": "kpi", "items": [{"label": "People", "value": 2, "previous": 1, "delta": 1.0}]},
    ),
    (
        "histogram",
        {"event": "x", "property": "n", "buckets": 2, "filters": [{"key": "plan", "op": "exists"}]},
        {
            "kind": "histogram",
            "buckets": [{"from": 2.5, "to": 3.75, "count": 1}, {"from": 3.75, "to": 5, "count": 1}],
        },
    ),
    ("note", {"text": "Hello"}, {"kind": "note", "text": "Hello"}),
]


@pytest.fixture(scope="module")
def saved(server: Any) -> tuple[Workspace, list[str]]:
    """A workspace whose widgets were written as an earlier version wrote them, and their ids."""
    workspace = sign_up(server.url)
    assert workspace.send({"events": EVENTS}).status_code == 202
    board = make_dashboard(workspace, isPublic=True)["id"]
    usual = {"dashboard_id": board, "title": "", "width": 6, "height": 4, "created_at_ms": 0, "updated_at_ms": 0}
    rows = [
        usual | {"id": f"{board}-{position}", "type": kind, "config": json.dumps(config), "position": position}
        for position, (kind, config, _) in enumerate(STORED)
    ]
    put_beside(server.data, "widgets", *rows)
    return workspace, [f"{board}-{position}" for position in range(len(STORED))]


@pytest.mark.parametrize("position", range(len(STORED)))
def test_it_answers_as_it_did(saved: tuple[Workspace, list[str]], position: int) -> None:
    workspace, ids = saved
    with workspace.client() as client:
        answer = client.post(f"/v1/widgets/{ids[position]}/data").json()
    assert {name: value for name, value in answer.items() if name != "computedAt"} == STORED[position][2]


def test_it_is_listed_with_the_config_as_it_is(saved: tuple[Workspace, list[str]]) -> None:
    workspace, ids = saved
    board = workspace.get(f"/v1/dashboards/{ids[0].removesuffix('-0')}").json()
    assert [widget["config"] for widget in board["widgets"]] == [config for _, config, _ in STORED]
    assert not any(widget["ignoreDashboardFilters"] for widget in board["widgets"])


def test_the_public_sees_how_it_is_drawn(saved: tuple[Workspace, list[str]]) -> None:
    workspace, ids = saved
    slug = workspace.get(f"/v1/dashboards/{ids[0].removesuffix('-0')}").json()["slug"]
    page = workspace.get(f"/v1/public/dashboards/{slug}").json()
    shown = [widget["display"] for widget in page["widgets"]]
    assert shown == [
        {"chart": "number", "goal": 10, "good": "up", "addsUp": True},
        {"addsUp": True},
        {"chart": "bar", "addsUp": True},
        {"labels": ["People"], "goods": ["down"]},
        {},
        {"text": "Hello"},
    ]


def test_what_display_says_comes_before_the_fields_of_old(workspace: Workspace) -> None:
    board = make_dashboard(workspace, isPublic=True)
    display = {"chart": "area", "stack": True, "axis": "fit", "legend": False, "decimals": 2, "unit": "€"}
    config = {"event": "x", "measure": "count", "chart": "line", "goal": 3, "display": display}
    with workspace.client() as client:
        made = client.post(f"/v1/dashboards/{board['id']}/widgets", json={"type": "metric", "config": config})
        assert made.status_code == 201, made.text
        page = client.get(f"/v1/public/dashboards/{board['slug']}").json()
    assert made.json()["config"] == config
    assert page["widgets"][0]["display"] == display | {"goal": 3, "addsUp": True}
