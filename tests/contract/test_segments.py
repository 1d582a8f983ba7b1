"""Segments: saved filters of one environment (rules/boards#segment, rules/boards#segment-in-use)."""

import re
from typing import Any

import pytest

from harness.clients.dashboards import FILTERS, make_alert, make_dashboard, make_segment, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

FIELDS = ["id", "name", "environment", "filters", "createdAt", "updatedAt"]
BODY = {"name": "Pro", "environment": "production", "filters": FILTERS}


def listed(workspace: Workspace, **params: str) -> Any:
    answer = workspace.get("/v1/segments", **params)
    assert answer.status_code == 200, answer.text
    assert list(answer.json()) == ["segments"]
    return answer.json()["segments"]


def unused(segment: Any) -> Any:
    """The row of a segment that nothing uses."""
    return segment | {"widgetCount": 0, "alertCount": 0}


def patch(workspace: Workspace, segment_id: str, body: Any) -> Any:
    with workspace.client() as client:
        answer = client.patch(f"/v1/segments/{segment_id}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_segment_is_made_and_listed(workspace: Workspace) -> None:
    assert listed(workspace) == []
    made = make_segment(workspace)
    assert list(made) == FIELDS
    assert made == BODY | {"id": made["id"], "createdAt": made["createdAt"], "updatedAt": made["createdAt"]}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", made["createdAt"])
    second = make_segment(workspace, name="A")
    assert listed(workspace) == [unused(made), unused(second)]


def test_the_list_is_of_one_environment_or_of_all(workspace: Workspace) -> None:
    production = make_segment(workspace)
    development = make_segment(workspace, environment="development")
    assert listed(workspace) == [unused(production), unused(development)]
    assert listed(workspace, environment="production") == [unused(production)]
    assert listed(workspace, environment="development") == [unused(development)]
    for wrong in ("staging", "", "Production"):
        refusal = check_refusal(workspace.get("/v1/segments", environment=wrong), 400)
        assert [detail["path"] for detail in refusal["details"]] == [["environment"]]


def test_a_key_lists_those_of_its_environment(workspace: Workspace) -> None:
    segments = {name: unused(make_segment(workspace, environment=name)) for name in ("production", "development")}
    make_segment(sign_up(workspace.url))
    keys = {"production": workspace.key, "development": workspace.make_key("development")[0]}
    for own, key in keys.items():
        for params in ({}, {"environment": own}):
            assert workspace.get("/v1/segments", token=key, **params).json() == {"segments": [segments[own]]}
        for other in {"production", "development", "staging"} - {own}:
            check_refusal(workspace.get("/v1/segments", token=key, environment=other), 403)


def test_the_list_counts_the_widgets_and_the_alerts_that_use_a_segment(workspace: Workspace) -> None:
    used, other = make_segment(workspace), make_segment(workspace)
    config = {"event": "x", "measure": "count", "segmentId": used["id"]}
    for dashboard in (make_dashboard(workspace), make_dashboard(workspace)):
        make_widget(workspace, dashboard["id"], type="metric", config=config)
    make_alert(workspace, segmentId=used["id"])
    stranger = sign_up(workspace.url)
    make_alert(stranger, segmentId=make_segment(stranger)["id"])
    assert listed(workspace) == [used | {"widgetCount": 2, "alertCount": 1}, unused(other)]


FILTERS_THAT_FIT: list[Any] = [
    [{"key": "a", "op": op, "value": value}]
    for op, value in [
        *[(op, value) for op in ("eq", "neq") for value in ("", "x", 1, 1.5, True, 2**63)],
        ("contains", "x"),
        ("starts_with", "x"),
        ("regex", "^a+$"),
        ("has", "x"),
        *[(op, value) for op in ("gt", "gte", "lt", "lte") for value in (1, -1.5, "1.5")],
        *[(op, value) for op in ("in", "not_in") for value in (["x"], ["x", 1, True], ["x"] * 100)],
    ]
]
FILTERS_THAT_FIT += [
    [{"key": "a", "op": "exists"}],
    [{"key": "prop:_actor", "op": "not_exists"}],
    [
        {"key": key, "op": "eq", "value": "x"}
        for key in ("_actor", "_actorLabel", "_source", "name", "prop:a", "ü", "a\0")
    ],
    [{"key": "a", "op": "exists"}] * 20,
]


@few(4, "filters", FILTERS_THAT_FIT)
def test_filters_that_are_kept(shared: Workspace, filters: Any) -> None:
    made = make_segment(shared, filters=filters)
    assert made["filters"] == filters
    other = make_segment(shared)
    assert patch(shared, other["id"], {"filters": filters})["filters"] == filters


WRONG: list[tuple[Any, list[Any]]] = [
    *[({"name": value}, ["name"]) for value in (None, "", " ", "x" * 121, 1, [], "a\n", "a\0")],
    *[({"filters": value}, ["filters"]) for value in (None, [], {}, "x", 1, FILTERS * 21)],
    ({"filters": [None]}, ["filters", 0]),
    ({"filters": [*FILTERS, {"op": "exists"}]}, ["filters", 1, "key"]),
    ({"filters": [*FILTERS, {"key": "a"}]}, ["filters", 1, "op"]),
    *[({"filters": [{"key": key, "op": "exists"}]}, ["filters", 0, "key"]) for key in (None, "", 1, [])],
    *[({"filters": [{"key": "a", "op": op}]}, ["filters", 0, "op"]) for op in (None, "", "==", "EQ", 1)],
    *[
        ({"filters": [{"key": "a", "op": op, "value": value}]}, ["filters", 0, "value"])
        for op, value in [
            ("exists", "x"),
            ("not_exists", False),
            ("eq", 10**309),
            ("eq", None),
            ("eq", ["x"]),
            ("eq", {"a": 1}),
            ("contains", ""),
            ("contains", 1),
            ("regex", "("),
            ("regex", "x" * 1001),
            ("gt", "x"),
            ("gt", True),
            ("gt", [1]),
            ("in", "x"),
            ("in", []),
            ("in", ["x"] * 101),
        ]
    ],
    *[({"filters": [{"key": "a", "op": op}]}, ["filters", 0, "value"]) for op in ("eq", "in", "gt", "regex", "has")],
    ({"filters": [{"key": "a", "op": "in", "value": [None]}]}, ["filters", 0, "value", 0]),
    ({"filters": [{"key": "a", "op": "exists", "type": "x"}]}, ["filters", 0, "type"]),
    ({"filters": [{"key": "a", "op": "eq", "value": "x" * 65_536}]}, ["filters"]),
    *[({field: "x"}, [field]) for field in ("id", "createdAt", "updatedAt", "workspaceId", "segmentId", "description")],
]


@pytest.fixture(scope="module")
def quiet(server: Server) -> Workspace:
    """A workspace with one segment, in which everything is refused."""
    workspace = sign_up(server.url)
    make_segment(workspace)
    return workspace


@few(3, ("wrong", "path"), WRONG)
def test_what_is_refused_makes_and_changes_nothing(quiet: Workspace, wrong: Any, path: list[Any]) -> None:
    before = listed(quiet)
    [segment] = before
    with quiet.client() as client:
        for answer in (
            client.post("/v1/segments", json=BODY | wrong),
            client.patch(f"/v1/segments/{segment['id']}", json={"name": "New"} | wrong),
        ):
            assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
    assert listed(quiet) == before


@pytest.mark.parametrize("environment", [None, "", "staging", "Production", 1, [], "a\0"])
def test_a_wrong_environment_makes_nothing(shared: Workspace, environment: Any) -> None:
    before = listed(shared)
    with shared.client() as client:
        refusal = check_refusal(client.post("/v1/segments", json=BODY | {"environment": environment}), 400)
    assert [detail["path"] for detail in refusal["details"]] == [["environment"]]
    assert listed(shared) == before


@pytest.mark.parametrize("missing", list(BODY))
def test_what_is_required(shared: Workspace, missing: str) -> None:
    with shared.client() as client:
        body = {name: value for name, value in BODY.items() if name != missing}
        refusal = check_refusal(client.post("/v1/segments", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [[missing]]


def test_the_environment_is_fixed(shared: Workspace) -> None:
    segment = make_segment(shared)
    with shared.client() as client:
        for environment in ("production", "development"):
            answer = client.patch(f"/v1/segments/{segment['id']}", json={"name": "n", "environment": environment})
            assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [["environment"]]
    assert unused(segment) in listed(shared)


def test_it_is_renamed_or_its_filters_replaced(workspace: Workspace) -> None:
    segment = make_segment(workspace)
    for body in ({}, {"name": "Pro", "filters": FILTERS}):
        assert patch(workspace, segment["id"], body) == segment
    renamed = patch(workspace, segment["id"], {"name": "x" * 120})
    assert renamed == segment | {"name": "x" * 120, "updatedAt": renamed["updatedAt"]}
    assert renamed["updatedAt"] > segment["updatedAt"]
    filters = [{"key": "b", "op": "exists"}]
    replaced = patch(workspace, segment["id"], {"filters": filters})
    assert replaced == renamed | {"filters": filters, "updatedAt": replaced["updatedAt"]}
    assert listed(workspace) == [unused(replaced)]


def test_it_stays_while_a_widget_uses_it(workspace: Workspace) -> None:
    segment, board = make_segment(workspace), make_dashboard(workspace)
    config = {"event": "x", "segmentId": segment["id"]}
    widgets = [
        make_widget(workspace, board["id"], type="heatmap", config=config, title=title) for title in ("Visits", "")
    ]
    path = f"/v1/segments/{segment['id']}"
    with workspace.client() as client:
        message = check_refusal(client.delete(path), 409)["message"]
        assert '"Visits"' in message
        assert widgets[1]["id"] in message
        assert listed(workspace) == [segment | {"widgetCount": 2, "alertCount": 0}]
        assert client.patch(f"/v1/widgets/{widgets[0]['id']}", json={"config": {"event": "x"}}).status_code == 200
        message = check_refusal(client.delete(path), 409)["message"]
        assert "Visits" not in message
        assert client.delete(f"/v1/widgets/{widgets[1]['id']}").status_code == 204
        answer = client.delete(path)
        assert (answer.status_code, answer.content) == (204, b"")
        check_refusal(client.delete(path), 404)
    assert listed(workspace) == []


def test_it_goes_when_the_dashboard_that_used_it_is_gone(workspace: Workspace) -> None:
    segment, board = make_segment(workspace), make_dashboard(workspace)
    make_widget(workspace, board["id"], type="heatmap", config={"event": "x", "segmentId": segment["id"]})
    with workspace.client() as client:
        assert client.delete(f"/v1/dashboards/{board['id']}").status_code == 204
        assert client.delete(f"/v1/segments/{segment['id']}").status_code == 204


def test_another_workspaces_segment_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    segment = make_segment(stranger)
    bodies = set()
    with workspace.client() as client:
        for name in (segment["id"], "019aa0b0-0000-7000-8000-000000000000", "nonsense", "%00", "a" * 5000):
            for answer in (
                client.patch(f"/v1/segments/{name}", json={"name": "Mine"}),
                client.delete(f"/v1/segments/{name}"),
            ):
                bodies.add(check_refusal(answer, 404)["message"])
    assert len(bodies) == 1
    assert listed(stranger) == [unused(segment)]
    assert listed(workspace) == []
