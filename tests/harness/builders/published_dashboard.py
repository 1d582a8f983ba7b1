"""A published dashboard with every kind of widget, and a canary wherever something must not come out."""

from typing import Any

import httpx

from harness.clients.workspace import Workspace

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
            for plain_config in configs:
                config = plain_config | {"display": plain_config.get("display", {}) | {"colors": {canary("color"): 3}}}
                choices = [config, config | {"segmentId": segment_id}]
                if kind == "note":
                    choices = [config]
                elif kind == "external":
                    choices = [config | {"sourceId": source_id, "valueType": "text"}]
                for each in choices:
                    body = {"title": kind, "type": kind, "config": each, "publishRows": kind == "table"}
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
