"""Filters of a dashboard and of whoever looks at it: rules/boards#dashboard-filters."""

from typing import Any

import httpx
import pytest

from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal

PRO = {"key": "plan", "op": "eq", "value": "pro"}
GERMAN = {"key": "country", "op": "eq", "value": "DE"}
EITHER = {"any": [PRO, GERMAN]}
COUNT = {"event": "x", "measure": "count"}


@pytest.fixture(scope="module")
def known(server: Any) -> Workspace:
    """A workspace with four events: each of two plans in each of two countries."""
    workspace = sign_up(server.url)
    events = [
        {"name": "x", "properties": {"plan": plan, "country": country}}
        for plan in ("pro", "free")
        for country in ("DE", "FR")
    ]
    assert workspace.send({"events": events}).status_code == 202
    return workspace


def value_of(workspace: Workspace, widget: Any, **asked: Any) -> Any:
    with workspace.client() as client:
        answer = client.post(f"/v1/widgets/{widget['id']}/data", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()["value"]


def patch(workspace: Workspace, path: str, body: Any) -> Any:
    with workspace.client() as client:
        answer = client.patch(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_they_apply_to_every_widget_that_does_not_ignore_them(known: Workspace) -> None:
    board = make_dashboard(known, filters=[PRO])
    assert board["filters"] == [PRO]
    widget = make_widget(known, board["id"], type="metric", config=COUNT)
    ignoring = make_widget(known, board["id"], type="metric", config=COUNT, ignoreDashboardFilters=True)
    assert (widget["ignoreDashboardFilters"], ignoring["ignoreDashboardFilters"]) == (False, True)
    assert (value_of(known, widget), value_of(known, ignoring)) == (2, 4)
    patch(known, f"/v1/dashboards/{board['id']}", {"filters": [EITHER]})
    assert (value_of(known, widget), value_of(known, ignoring)) == (3, 4)
    patch(known, f"/v1/widgets/{ignoring['id']}", {"ignoreDashboardFilters": False})
    assert value_of(known, ignoring) == 3
    patch(known, f"/v1/dashboards/{board['id']}", {"filters": []})
    assert value_of(known, widget) == 4


def test_who_looks_adds_filters_of_their_own(known: Workspace) -> None:
    board = make_dashboard(known, filters=[PRO])
    widget = make_widget(known, board["id"], type="metric", config=COUNT)
    ignoring = make_widget(known, board["id"], type="metric", config=COUNT, ignoreDashboardFilters=True)
    assert value_of(known, widget, filters=[GERMAN]) == 1
    assert value_of(known, ignoring, filters=[GERMAN]) == 2
    assert value_of(known, widget, filters=[EITHER]) == 2


def test_the_public_gets_what_is_saved(known: Workspace) -> None:
    board = make_dashboard(known, filters=[PRO], isPublic=True)
    widget = make_widget(known, board["id"], type="metric", config=COUNT)
    url = f"{known.url}/v1/public/dashboards/{board['slug']}"
    page = httpx.get(url)
    assert "filters" not in page.text
    assert "plan" not in page.text
    for body in ({}, {"filters": []}, {"filters": [GERMAN]}):
        assert httpx.post(f"{url}/widgets/{widget['id']}/data", json=body).json()["value"] == 2
    patch(known, f"/v1/dashboards/{board['id']}", {"filters": []})
    assert httpx.post(f"{url}/widgets/{widget['id']}/data").json()["value"] == 4, "no earlier answer is used"


WRONG: list[tuple[Any, list[Any]]] = [
    ([PRO | {"op": "like"}], ["filters", 0, "op"]),
    ([{"key": "plan", "op": "gt", "value": "x"}], ["filters", 0, "value"]),
    ([{"any": []}], ["filters", 0, "any"]),
    ([PRO, {"any": [PRO, {"key": "p", "op": "regex", "value": "("}]}], ["filters", 1, "any", 1, "value"]),
    ([EITHER | {"key": "plan"}], ["filters", 0, "key"]),
    ([PRO] * 21, ["filters"]),
    (PRO, ["filters"]),
]


@pytest.mark.parametrize(("filters", "path"), WRONG)
def test_wrong_ones_are_refused_everywhere(known: Workspace, filters: Any, path: list[Any]) -> None:
    board = make_dashboard(known)
    widget = make_widget(known, board["id"], type="metric", config=COUNT)
    with known.client() as client:
        answers = [
            client.post("/v1/dashboards", json={"name": "Board", "filters": filters}),
            client.patch(f"/v1/dashboards/{board['id']}", json={"filters": filters}),
            client.post(f"/v1/widgets/{widget['id']}/data", json={"filters": filters}),
        ]
    for answer in answers:
        assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
