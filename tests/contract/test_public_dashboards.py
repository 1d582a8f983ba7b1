"""GET /v1/public/dashboards/:slug and POST …/widgets/:widgetId/data, for everybody.

The rules: rules/boards#public-dashboard, rules/boards#masked-names, rules/boards#public-answers.
"""

import json
from typing import Any

import httpx
import pytest

from harness.workspace import Workspace, sign_up
from tallyroom.engine.registry import KINDS

CANARY = "canary"


def canary(place: str) -> str:
    """A text that must not come out, and tells where it went in."""
    return f"{CANARY}-{place}"


FILTER = {"key": canary("filter-key"), "op": "neq", "value": canary("filter-value")}

OPENED = {"event": "open", "measure": "count", "filters": [FILTER]}
PAID = {"event": canary("part"), "measure": "sum", "property": canary("property")}

CONFIGS: dict[str, list[dict[str, Any]]] = {
    "metric": [
        {"event": "open", "measure": "count", "filters": [FILTER]},
        {"event": "open", "measure": "uniq", "property": canary("property"), "overTime": True, "goal": 5},
        {"event": "open", "measure": "count", "breakdown": "_actor", "good": "up"},
        {"event": "open", "measure": "count", "breakdown": "_actorLabel", "overTime": True},
        {"event": "open", "measure": "count", "breakdown": "server"},
        {"event": "open", "measure": "count", "breakdown": "_source"},
    ],
    "formula": [
        {"a": OPENED, "b": PAID, "expression": "a / b * 100", "display": {"unit": "%"}},
        {"a": OPENED, "b": PAID, "expression": "a + b", "overTime": True},
        {"a": OPENED, "expression": "a * 2", "breakdown": "_actor"},
        {"a": OPENED, "expression": "a * 2", "breakdown": "server", "overTime": True},
    ],
    "kpi": [{"items": [{"event": "open", "measure": "count", "label": "Opened", "filters": [FILTER]}]}],
    "table": [
        {"event": "open", "columns": ["time", "event", "actor", "source", "prop:server", "prop:plan"]},
        {"columns": ["actor"], "filters": [{"key": "plan", "op": "exists"}]},
    ],
    "funnel": [
        {"steps": [{"event": "open", "filters": [FILTER]}, {"event": "open"}]},
        {"steps": [{"event": "open"}, {"event": "open"}], "count": "group"},
    ],
    "retention": [{"cohortEvent": "open", "cohortFilters": [FILTER], "returnFilters": [FILTER]}],
    "histogram": [{"event": "open", "property": "amount", "filters": [FILTER]}],
    "heatmap": [{"event": "open", "filters": [FILTER]}],
    "note": [{"text": "Welcome"}],
    "external": [{"url": f"https://{canary('host')}.invalid/?key={canary('url')}", "valuePath": canary("path")}],
}


class Page:
    """A published dashboard with every kind of widget, full of canaries."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.secrets = [workspace.workspace_id, workspace.email, workspace.key, workspace.session_token]
        with workspace.client() as client:
            self.fill(client)

    def fill(self, client: httpx.Client) -> None:
        workspace = self.workspace
        self.patch(client, "/v1/workspace", {"name": canary("workspace")})
        event = {
            "name": "open",
            "_actor": canary("actor"),
            "_actorLabel": canary("label"),
            "_source": canary("source"),
            "properties": {"plan": "pro", "server": canary("group"), "amount": 5, "note": canary("payload")},
        }
        assert workspace.send({"events": [event] * 3}).status_code == 202
        assert self.post(client, "/v1/groups/keys", {"propKey": "server", "label": canary("group-label")})["isDefault"]
        segment = {"name": canary("segment"), "environment": "production", "filters": [FILTER]}
        segment_id = self.post(client, "/v1/segments", segment)["id"]
        self.secrets.append(segment_id)
        source = {"name": canary("source-name"), "host": f"{canary('host')}.invalid", "headerName": canary("header")}
        source_id = self.post(client, "/v1/external-sources", source | {"token": canary("token")})["id"]
        self.secrets.append(source_id)
        board = {"name": "Shown", "description": "In public", "icon": "📈", "timeRange": "24h", "isPublic": True}
        self.dashboard = self.post(client, "/v1/dashboards", board)
        self.secrets.append(self.dashboard["id"])
        self.widgets = []
        for kind, configs in CONFIGS.items():
            for config in configs:
                choices = [config, config | {"segmentId": segment_id}]
                if kind == "note":
                    choices = [config]
                elif kind == "external":
                    choices = [config | {"sourceId": source_id, "valueType": "text"}]
                for each in choices:
                    body = {"title": kind, "type": kind, "config": each}
                    self.widgets.append(self.post(client, f"/v1/dashboards/{self.dashboard['id']}/widgets", body))
        note = {"environment": "production", "label": canary("annotation"), "time": "2026-11-20T00:00:00Z"}
        self.post(client, "/v1/annotations", note | {"color": "#112233", "description": canary("annotation")})

    @property
    def url(self) -> str:
        return f"{self.workspace.url}/v1/public/dashboards/{self.dashboard['slug']}"

    def data(self, widget_id: str, **options: Any) -> httpx.Response:
        return httpx.post(f"{self.url}/widgets/{widget_id}/data", **options)

    @staticmethod
    def post(client: httpx.Client, path: str, body: Any) -> Any:
        answer = client.post(path, json=body)
        assert answer.status_code == 201, (body, answer.text)
        return answer.json()

    @staticmethod
    def patch(client: httpx.Client, path: str, body: Any) -> None:
        assert client.patch(path, json=body).status_code == 200


@pytest.fixture(scope="module")
def page(server: Any) -> Page:
    return Page(sign_up(server.url))


def test_every_kind_of_widget_is_tried() -> None:
    assert set(CONFIGS) == set(KINDS)


def test_the_page_is_an_allow_list(page: Page) -> None:
    answer = httpx.get(page.url)
    assert answer.status_code == 200
    assert set(answer.json()) == {"dashboard", "widgets"}
    assert answer.json()["dashboard"] == {
        "name": "Shown",
        "description": "In public",
        "icon": "📈",
        "timeRange": "24h",
    }
    widgets = answer.json()["widgets"]
    assert [widget["id"] for widget in widgets] == [widget["id"] for widget in page.widgets]
    for widget in widgets:
        assert set(widget) == {"id", "title", "type", "layout", "position", "display"}
        assert set(widget["display"]) <= {"chart", "goal", "good", "labels", "text", "unit"}
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


def test_a_private_dashboard_is_as_one_that_is_not_there(workspace: Workspace) -> None:
    made = Page(workspace)
    note = next(widget for widget in made.widgets if widget["type"] == "note")
    missing = httpx.get(f"{workspace.url}/v1/public/dashboards/AAAAAAAAAAAAAAAAAAAAAA").json()
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
    for widget_id in (mine["id"], "none", "", "%2e%2e"):
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


def test_an_erased_actor_is_gone_at_once(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert workspace.send({"name": "seen", "_actor": "ann"}).status_code == 202
        board = Page.post(client, "/v1/dashboards", {"name": "Mine", "isPublic": True})
        body = {"type": "table", "config": {"columns": ["event"]}}
        made = Page.post(client, f"/v1/dashboards/{board['id']}/widgets", body)
        url = f"{workspace.url}/v1/public/dashboards/{board['slug']}/widgets/{made['id']}/data"
        assert len(httpx.post(url).json()["rows"]) == 1
        assert client.delete("/v1/actors/ann").json() == {"erased": 1}
        assert httpx.post(url).json()["rows"] == []


def test_a_hidden_event_is_gone_at_once(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert workspace.send({"name": "seen", "properties": {"n": 1}}).status_code == 202
        board = Page.post(client, "/v1/dashboards", {"name": "Mine", "isPublic": True})
        body = {"type": "table", "config": {"columns": ["event"]}}
        made = Page.post(client, f"/v1/dashboards/{board['id']}/widgets", body)
        url = f"{workspace.url}/v1/public/dashboards/{board['slug']}/widgets/{made['id']}/data"
        assert len(httpx.post(url).json()["rows"]) == 1
        [event] = client.get("/v1/events").json()["events"]
        assert client.post(f"/v1/events/{event['id']}/hide").status_code == 204
        assert httpx.post(url).json()["rows"] == []
