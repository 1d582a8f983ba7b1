"""Dashboards: made, listed, changed field by field, published, deleted (rules/boards#dashboard, rules/boards#slug)."""

import re
from typing import Any

import pytest

from harness.clients.dashboards import FILTERS, make_annotation, make_dashboard, make_segment, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

ROW = ["id", "name", "description", "icon", "environment", "timeRange", "filters"]
ROW += ["isPublic", "slug", "createdAt", "updatedAt"]
FIELDS = [*ROW, "widgets"]
RANGES = ["1h", "24h", "7d", "30d", "90d"]
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
EVERYTHING = {
    "name": "Sign-ups",
    "description": "Who comes,\nand who stays",
    "icon": "🚀",
    "environment": "development",
    "timeRange": "30d",
    "isPublic": True,
}


def get(workspace: Workspace, dashboard_id: str) -> Any:
    answer = workspace.get(f"/v1/dashboards/{dashboard_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def patch(workspace: Workspace, dashboard_id: str, body: Any) -> Any:
    with workspace.client() as client:
        answer = client.patch(f"/v1/dashboards/{dashboard_id}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_name_is_enough(workspace: Workspace) -> None:
    made = make_dashboard(workspace, name="Board")
    assert list(made) == FIELDS
    assert made == {
        "id": made["id"],
        "name": "Board",
        "description": None,
        "icon": None,
        "environment": "production",
        "timeRange": "7d",
        "filters": [],
        "isPublic": False,
        "slug": None,
        "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
        "widgets": [],
    }
    assert re.fullmatch(TIME, made["createdAt"])
    assert get(workspace, made["id"]) == made


def test_every_field_is_kept(workspace: Workspace) -> None:
    made = make_dashboard(workspace, **EVERYTHING)
    assert {field: made[field] for field in EVERYTHING} == EVERYTHING
    assert get(workspace, made["id"]) == made


def test_the_list_is_oldest_first_and_has_only_the_number_of_widgets(workspace: Workspace) -> None:
    assert workspace.get("/v1/dashboards").json() == {"dashboards": []}
    made = [make_dashboard(workspace, name=name) for name in ("z", "a", "m")]
    make_widget(workspace, made[0]["id"])
    make_widget(workspace, made[0]["id"])
    make_widget(workspace, made[2]["id"])
    stranger = sign_up(workspace.url)
    make_widget(stranger, make_dashboard(stranger)["id"])
    listed = workspace.get("/v1/dashboards").json()
    rows = [{field: each[field] for field in ROW} for each in made]
    owner_id = workspace.get("/v1/auth/me").json()["user"]["id"]
    counts = (2, 0, 1)
    assert listed == {
        "dashboards": [row | {"createdBy": owner_id, "widgetCount": n} for row, n in zip(rows, counts, strict=True)]
    }


def test_it_has_its_widgets_by_their_positions(workspace: Workspace) -> None:
    dashboard_id = make_dashboard(workspace)["id"]
    widgets = [make_widget(workspace, dashboard_id, title=title) for title in "abc"]
    assert get(workspace, dashboard_id)["widgets"] == widgets
    assert patch(workspace, dashboard_id, {"name": "n"})["widgets"] == widgets


FITS: list[tuple[str, Any]] = [
    *[("name", value) for value in ("a", "x" * 120, "🗺" * 120, " a ", "'; DROP TABLE dashboards")],
    *[("description", value) for value in (None, "", "x" * 280, "🗺" * 280, "two\nlines\tand a tab")],
    *[("icon", value) for value in (None, "📈", "chart-line", "x" * 64)],
    *[("environment", value) for value in ("production", "development")],
    *[("timeRange", value) for value in RANGES],
    *[("isPublic", value) for value in (True, False)],
]


@few(4, ("field", "value"), FITS)
def test_what_a_field_takes(shared: Workspace, field: str, value: Any) -> None:
    assert make_dashboard(shared, **{field: value})[field] == value
    before = make_dashboard(shared)
    after = patch(shared, before["id"], {field: value})
    assert after[field] == value
    own = {field, "updatedAt", "slug"}
    assert {name: after[name] for name in FIELDS if name not in own} == {
        name: before[name] for name in FIELDS if name not in own
    }
    assert get(shared, before["id"]) == after


WRONG: list[tuple[Any, list[Any]]] = [
    *[({"name": value}, ["name"]) for value in (None, "", " ", "x" * 121, 1, True, [], {}, "a\0", "a\n", "\ta")],
    *[({"description": value}, ["description"]) for value in ("x" * 281, 1, [], "a\0", "a\x1b")],
    *[({"icon": value}, ["icon"]) for value in ("", " ", "x" * 65, 1, [], "a\n")],
    *[({"environment": value}, ["environment"]) for value in (None, "", "staging", "Production", 1, [], "a\0")],
    *[({"timeRange": value}, ["timeRange"]) for value in (None, "", "2h", "7D", 7, [], {"from": "2026-01-01"})],
    *[({"isPublic": value}, ["isPublic"]) for value in (None, 0, 1, "true", [])],
    *[({field: "x"}, [field]) for field in ("id", "slug", "widgets", "createdAt", "workspaceId", "time_range", "Name")],
]


@pytest.fixture(scope="module")
def quiet(server: Server) -> Workspace:
    """A workspace with one dashboard, in which everything is refused."""
    workspace = sign_up(server.url)
    make_dashboard(workspace)
    return workspace


@few(4, ("wrong", "path"), WRONG)
def test_what_is_refused_makes_and_changes_nothing(quiet: Workspace, wrong: Any, path: list[Any]) -> None:
    with quiet.client() as client:
        before = client.get("/v1/dashboards").json()
        [board] = before["dashboards"]
        for answer in (
            client.post("/v1/dashboards", json={"name": "New"} | wrong),
            client.patch(f"/v1/dashboards/{board['id']}", json={"name": "New", "description": "new"} | wrong),
        ):
            assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
        assert client.get("/v1/dashboards").json() == before


def test_a_name_is_required(shared: Workspace) -> None:
    with shared.client() as client:
        refusal = check_refusal(client.post("/v1/dashboards", json={"icon": "x"}), 400)
    assert [detail["path"] for detail in refusal["details"]] == [["name"]]


def test_null_clears_and_absent_stays(workspace: Workspace) -> None:
    board = make_dashboard(workspace, description="d", icon="i")
    after = patch(workspace, board["id"], {"description": None})
    assert (after["description"], after["icon"]) == (None, "i")
    after = patch(workspace, board["id"], {"icon": None, "description": "again"})
    assert (after["description"], after["icon"]) == ("again", None)


def test_a_change_moves_its_time_and_no_change_does_not(workspace: Workspace) -> None:
    board = make_dashboard(workspace)
    for body in ({}, {"name": "Board", "timeRange": "7d", "isPublic": False}):
        assert patch(workspace, board["id"], body) == board
    after = patch(workspace, board["id"], {"timeRange": "1h"})
    assert after["createdAt"] == board["createdAt"] < after["updatedAt"]


def test_the_slug_comes_with_the_first_publication_and_stays(workspace: Workspace) -> None:
    board = make_dashboard(workspace)
    slug = patch(workspace, board["id"], {"isPublic": True})["slug"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", slug)  # 128 bits
    for public in (False, True):
        after = patch(workspace, board["id"], {"isPublic": public})
        assert (after["isPublic"], after["slug"]) == (public, slug)
    at_once = make_dashboard(workspace, isPublic=True)
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", at_once["slug"])
    assert at_once["slug"] != slug


def test_a_slug_is_replaced(workspace: Workspace) -> None:
    board = make_dashboard(workspace, isPublic=True)
    with workspace.client() as client:
        answer = client.post(f"/v1/dashboards/{board['id']}/slug")
        after = answer.json()
        assert (answer.status_code, list(after)) == (200, FIELDS)
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", after["slug"])
        assert after["slug"] != board["slug"]
        own = {"slug": None, "updatedAt": None}
        assert after | own == board | own
        assert get(workspace, board["id"]) == after
        never = make_dashboard(workspace)
        check_refusal(client.post(f"/v1/dashboards/{never['id']}/slug"), 409)
        assert get(workspace, never["id"]) == never


def test_it_is_deleted_with_its_widgets(workspace: Workspace) -> None:
    board, other = make_dashboard(workspace), make_dashboard(workspace, name="Other")
    widget = make_widget(workspace, board["id"])
    kept = make_widget(workspace, other["id"])
    path = f"/v1/dashboards/{board['id']}"
    with workspace.client() as client:
        answer = client.delete(path)
        assert (answer.status_code, answer.content) == (204, b"")
        for gone in (
            client.get(path),
            client.delete(path),
            client.patch(path, json={}),
            client.post(f"{path}/slug"),
            client.post(f"/v1/widgets/{widget['id']}/data"),
            client.patch(f"/v1/widgets/{widget['id']}", json={}),
        ):
            check_refusal(gone, 404)
    assert get(workspace, other["id"])["widgets"] == [kept]
    assert len(workspace.get("/v1/dashboards").json()["dashboards"]) == 1


def test_another_workspaces_dashboard_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    board = make_dashboard(stranger, isPublic=True)
    before = get(stranger, board["id"])
    bodies = set()
    with workspace.client() as client:
        for name in (board["id"], board["slug"], "019aa0b0-0000-7000-8000-000000000000", "nonsense", "%00", "a" * 5000):
            path = f"/v1/dashboards/{name}"
            for answer in (
                client.get(path),
                client.patch(path, json={"name": "Mine"}),
                client.delete(path),
                client.post(f"{path}/slug"),
                client.post(f"{path}/widgets", json={"type": "note", "config": {"text": "x"}}),
                client.post(f"{path}/widgets/reorder", json={"widgetIds": []}),
            ):
                bodies.add(check_refusal(answer, 404)["message"])
    assert len(bodies) == 1
    assert get(stranger, board["id"]) == before
    assert workspace.get("/v1/dashboards").json() == {"dashboards": []}


def test_it_stays_in_its_environment_while_a_widget_uses_a_segment_of_it(workspace: Workspace) -> None:
    board = make_dashboard(workspace)
    segment = make_segment(workspace)
    config = {"event": "x", "segmentId": segment["id"]}
    widget = make_widget(workspace, board["id"], type="heatmap", config=config)
    with workspace.client() as client:
        before = get(workspace, board["id"])
        refusal = client.patch(f"/v1/dashboards/{board['id']}", json={"environment": "development", "name": "Moved"})
        check_refusal(refusal, 409)
        assert get(workspace, board["id"]) == before
        same = client.patch(f"/v1/dashboards/{board['id']}", json={"environment": "production", "name": "Renamed"})
        assert same.status_code == 200
        assert client.patch(f"/v1/widgets/{widget['id']}", json={"config": {"event": "x"}}).status_code == 200
    assert patch(workspace, board["id"], {"environment": "development"})["environment"] == "development"


@pytest.mark.long
def test_an_environment_stays_while_a_dashboard_shows_it(workspace: Workspace) -> None:
    with workspace.client() as client:
        for _ in range(2):  # the second one finds nothing of the first
            assert client.post("/v1/environments", json={"name": "staging"}).status_code == 201
            board = make_dashboard(workspace, environment="staging")
            assert client.get("/v1/segments?environment=staging").json() == {"segments": []}
            assert client.get("/v1/annotations?environment=staging").json() == {"annotations": []}
            make_segment(workspace, environment="staging", filters=FILTERS)
            make_annotation(workspace, environment="staging")
            check_refusal(client.delete("/v1/environments/staging"), 409)
            assert len(client.get("/v1/segments?environment=staging").json()["segments"]) == 1
            assert client.delete(f"/v1/dashboards/{board['id']}").status_code == 204
            assert client.delete("/v1/environments/staging").status_code == 204
            check_refusal(client.get("/v1/segments?environment=staging"), 400)
        assert client.get("/v1/segments").json() == {"segments": []}
