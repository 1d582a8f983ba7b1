"""GET /v1/public/dashboards/:slug and POST …/widgets/:widgetId/data, for everybody.

The rules: rules/boards#public-dashboard, rules/boards#masked-names, rules/boards#public-answers.
"""

import json
from typing import Any

import httpx
import pytest

from harness.builders.published_dashboard import CANARY, CONFIGS, Page, canary
from harness.clients.workspace import Workspace, sign_up
from tallyroom.dashboards.registry import KINDS


@pytest.fixture(scope="module")
def page(server: Any) -> Page:
    return Page(sign_up(server.url))


def test_every_kind_of_widget_is_tried() -> None:
    assert set(CONFIGS) == set(KINDS)


@pytest.mark.long
def test_the_page_is_an_allow_list(page: Page) -> None:
    answer = httpx.get(page.url)
    assert answer.status_code == 200
    assert set(answer.json()) == {"dashboard", "widgets"}
    assert answer.json()["dashboard"] == {
        "name": "Shown",
        "description": "In public",
        "icon": "📈",
        "timeRange": "24h",
        "timezone": "UTC",
    }
    widgets = answer.json()["widgets"]
    assert [widget["id"] for widget in widgets] == [widget["id"] for widget in page.widgets]
    for widget in widgets:
        assert set(widget) == {"id", "title", "type", "layout", "position", "display", "outline"}
        assert set(widget["display"]) <= {"addsUp", "chart", "goal", "good", "labels", "text", "unit"}
        assert set(widget["outline"]) == {"answer", "parts"}
    shown = {json.dumps(widget["display"]) for widget in widgets}
    assert {'{"text": "Welcome"}', '{"labels": ["Opened"]}'} <= shown


def test_nothing_leaks(page: Page) -> None:
    """The whole of the public interface is read, with every parameter and body that could widen it."""
    answers = [httpx.get(page.url), httpx.options(page.url), httpx.get(page.url + "x"), httpx.get(page.url + "/")]
    answers.append(httpx.get(page.url, params={"environment": "development", "timeRange": "90d", "filters": "[]"}))
    for widget in page.widgets:
        for body in ({}, {"timeRange": "90d"}, {"config": widget["config"], "filters": []}):
            answers.append(page.data(widget["id"], json=body, params={"timeRange": "90d", "debug": "1"}))
            assert answers[-1].status_code == 200, answers[-1].text
    for answer in answers:
        everything = f"{answer.text} {answer.headers}"
        assert CANARY not in everything, everything[max(0, everything.index(CANARY) - 200) :][:400]
        for secret in page.secrets:
            assert secret not in everything


@pytest.mark.long
def test_the_numbers_are_those_of_the_saved_dashboard(page: Page) -> None:
    with page.workspace.client() as client:
        for widget in page.widgets:
            mine = client.post(f"/v1/widgets/{widget['id']}/data").json()
            seen = page.data(widget["id"]).json()
            mine.pop("notices", None)  # they name what is asked
            assert set(seen) == set(mine)
            if widget["type"] in {"kpi", "funnel", "retention", "histogram", "heatmap", "note"}:
                assert _timeless(seen) == _timeless(mine)


def _timeless(result: Any) -> Any:
    return {key: value for key, value in result.items() if key not in {"computedAt", "points"}}


@pytest.mark.parametrize("body", [{"timeRange": "90d"}, {"environment": "development"}, "no json"])
def test_a_body_changes_nothing(page: Page, body: Any) -> None:
    """The range, the environment and the filters come from the saved dashboard only."""
    table = next(widget for widget in page.widgets if widget["type"] == "table")
    assert page.data(table["id"], json=body).json()["rows"] == page.data(table["id"]).json()["rows"]


def test_tables_carry_no_events_and_name_nobody(page: Page) -> None:
    table = next(widget for widget in page.widgets if widget["type"] == "table")
    rows = page.data(table["id"]).json()["rows"]
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    for row in rows:
        assert set(row) == {"id", "values"}
        assert row["values"]["actor"] == row["values"]["prop:server"] == "•••"
        assert row["values"]["prop:plan"] == "pro"


@pytest.mark.parametrize("slug", ["", "x", "AAAAAAAAAAAAAAAAAAAAAA", "%00", "../keys", "é"])
def test_an_unknown_slug_is_not_there(page: Page, slug: str) -> None:
    answer = httpx.get(f"{page.workspace.url}/v1/public/dashboards/{slug}")
    assert answer.status_code == 404
    assert answer.json()["error"] == "not_found"


@pytest.mark.long
def test_a_private_dashboard_is_as_one_that_is_not_there(workspace: Workspace) -> None:
    made = Page(workspace)
    note = next(widget for widget in made.widgets if widget["type"] == "note")
    missing = httpx.get(f"{workspace.url}/v1/public/dashboards/AAAAAAAAAAAAAAAAAAAAAA").json()
    no_text = httpx.get(f"{workspace.url}/v1/public/dashboards/a%00b").json()
    assert no_text | {"requestId": ""} == missing | {"requestId": ""}
    assert made.data(note["id"]).status_code == 200
    with workspace.client() as client:
        made.patch(client, f"/v1/dashboards/{made.dashboard['id']}", {"isPublic": False})
        for answer in (httpx.get(made.url), made.data(note["id"])):
            assert answer.status_code == 404
            assert answer.json() | {"requestId": ""} == missing | {"requestId": ""}
        made.patch(client, f"/v1/dashboards/{made.dashboard['id']}", {"isPublic": True})
        assert httpx.get(made.url).status_code == 200
        client.delete(f"/v1/dashboards/{made.dashboard['id']}")
    assert httpx.get(made.url).status_code == 404


def test_a_widget_belongs_to_its_own_page(page: Page, workspace: Workspace) -> None:
    with workspace.client() as client:
        board = page.post(client, "/v1/dashboards", {"name": "Mine", "isPublic": True})
        body = {"type": "note", "config": {"text": canary("foreign")}}
        mine = page.post(client, f"/v1/dashboards/{board['id']}/widgets", body)
    for widget_id in (mine["id"], "none", "", "%2e%2e", "%00"):
        assert page.data(widget_id).status_code in {404, 405}


def test_a_change_of_the_dashboard_is_seen_at_once(workspace: Workspace) -> None:
    with workspace.client() as client:
        board = Page.post(client, "/v1/dashboards", {"name": "Mine", "isPublic": True})
        made = Page.post(client, f"/v1/dashboards/{board['id']}/widgets", {"type": "note", "config": {"text": "one"}})
        url = f"{workspace.url}/v1/public/dashboards/{board['slug']}/widgets/{made['id']}/data"
        assert httpx.post(url).json()["text"] == "one"
        Page.patch(client, f"/v1/widgets/{made['id']}", {"config": {"text": "two"}})
        assert httpx.post(url).json()["text"] == "two"


def test_pages_of_other_origins_may_read_it_and_engines_do_not_list_it(page: Page) -> None:
    origin = {"origin": "https://elsewhere.example"}
    note = next(widget for widget in page.widgets if widget["type"] == "note")
    for answer in (httpx.get(page.url, headers=origin), page.data(note["id"], headers=origin)):
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers
        assert answer.headers["x-robots-tag"] == "noindex"
        assert answer.headers["cache-control"] == "no-store"
    missing = httpx.get(f"{page.workspace.url}/v1/public/dashboards/none", headers=origin)
    assert missing.headers["access-control-allow-origin"] == "*"
    asks = origin | {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    before = httpx.options(f"{page.url}/widgets/{note['id']}/data", headers=asks)
    assert before.status_code == 204
    assert "POST" in before.headers["access-control-allow-methods"]
    assert before.headers["access-control-allow-headers"] == "content-type"
    private = httpx.get(f"{page.workspace.url}/v1/dashboards", headers=origin)
    assert "access-control-allow-origin" not in private.headers


@pytest.mark.long
def test_a_change_of_what_rules_the_answer_is_seen_at_once(workspace: Workspace) -> None:
    """The filters of a segment, the default group key (rules/questions#units), the time zone."""
    steps = [{"event": "seen"}, {"event": "done"}]
    by_group = {"type": "funnel", "config": {"steps": steps, "count": "group"}}
    counted: dict[str, Any] = {"type": "metric", "config": {"event": "seen", "measure": "count"}}
    by_day = {"type": "metric", "config": {"event": "seen", "measure": "count", "overTime": True}}
    events = [{"name": "seen", "properties": {"team": name, "plan": "pro"}} for name in ("a", "b")]
    with workspace.client() as client:
        assert workspace.send({"events": events}).status_code == 202
        Page.post(client, "/v1/groups/keys", {"propKey": "team"})
        plan = Page.post(client, "/v1/groups/keys", {"propKey": "plan"})
        filters = [{"key": "plan", "op": "in", "value": ["pro"]}]
        segment = Page.post(client, "/v1/segments", {"name": "S", "environment": "production", "filters": filters})
        counted["config"]["segmentId"] = segment["id"]
        board = Page.post(client, "/v1/dashboards", {"name": "Mine", "isPublic": True, "timeRange": "30d"})
        made = [
            Page.post(client, f"/v1/dashboards/{board['id']}/widgets", each)["id"]
            for each in (counted, by_group, by_day)
        ]

        def seen() -> tuple[int, int, str]:
            pages = f"{workspace.url}/v1/public/dashboards/{board['slug']}/widgets"
            one, other, third = (httpx.post(f"{pages}/{each}/data").json() for each in made)
            return one["value"], other["steps"][0]["count"], third["points"][0]["t"][10:]

        assert seen() == (2, 2, "T00:00:00.000Z")
        Page.patch(client, f"/v1/segments/{segment['id']}", {"filters": [{"key": "team", "op": "eq", "value": "a"}]})
        Page.patch(client, f"/v1/groups/keys/{plan['id']}", {"makeDefault": True})
        Page.patch(client, "/v1/workspace", {"timezone": "Asia/Kolkata"})
        assert seen() == (1, 1, "T18:30:00.000Z")


@pytest.mark.long
def test_an_erased_actor_is_gone_at_once(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert workspace.send({"name": "seen", "_actor": "ann"}).status_code == 202
        board = Page.post(client, "/v1/dashboards", {"name": "Mine", "isPublic": True})
        body = {"type": "table", "config": {"columns": ["event"]}, "publishRows": True}
        made = Page.post(client, f"/v1/dashboards/{board['id']}/widgets", body)
        url = f"{workspace.url}/v1/public/dashboards/{board['slug']}/widgets/{made['id']}/data"
        assert len(httpx.post(url).json()["rows"]) == 1
        assert client.delete("/v1/actors/ann").json() == {"erased": 1}
        assert httpx.post(url).json()["rows"] == []


@pytest.mark.long
def test_a_hidden_event_is_gone_at_once(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert workspace.send({"name": "seen", "properties": {"n": 1}}).status_code == 202
        board = Page.post(client, "/v1/dashboards", {"name": "Mine", "isPublic": True})
        body = {"type": "table", "config": {"columns": ["event"]}, "publishRows": True}
        made = Page.post(client, f"/v1/dashboards/{board['id']}/widgets", body)
        url = f"{workspace.url}/v1/public/dashboards/{board['slug']}/widgets/{made['id']}/data"
        assert len(httpx.post(url).json()["rows"]) == 1
        [event] = client.get("/v1/events").json()["events"]
        assert client.post(f"/v1/events/{event['id']}/hide").status_code == 204
        assert httpx.post(url).json()["rows"] == []
