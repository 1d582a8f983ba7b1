"""A hidden event is in no answer, at once, and comes back when it is shown again (rules/events#hidden-events)."""

import json
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.actor import actor, actors
from harness.clients.member import add_member
from harness.clients.stream_client import listening
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.export_files import read_csv
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

CONFIGS: list[tuple[str, dict[str, Any]]] = [
    ("metric", {"event": "buy", "measure": "count"}),
    ("metric", {"event": "buy", "measure": "sum", "property": "total", "overTime": True}),
    ("metric", {"event": "buy", "measure": "uniq", "property": "team", "breakdown": "team"}),
    ("kpi", {"items": [{"event": "buy", "measure": "p95", "property": "total"}]}),
    ("table", {"columns": ["event", "actor", "prop:total"]}),
    ("funnel", {"steps": [{"event": "see"}, {"event": "buy"}]}),
    ("funnel", {"steps": [{"event": "see"}, {"event": "buy"}], "count": "group"}),
    ("retention", {"cohortEvent": "buy", "returnEvent": "see"}),
    ("histogram", {"event": "buy", "property": "total"}),
    ("heatmap", {"event": "buy"}),
]

KEPT: list[dict[str, Any]] = [
    {"name": "see", "_actor": "ann", "_actorLabel": "Old", "_timestamp": ago(hours=3), "properties": {"team": "t1"}},
    {"name": "see", "_actor": "bob", "_timestamp": ago(hours=3), "properties": {"team": "t2"}},
    {"name": "buy", "_actor": "bob", "_timestamp": ago(hours=1), "properties": {"team": "t2", "total": 3}},
]
SECRET: dict[str, Any] = {
    "name": "buy",
    "_actor": "ann",
    "_actorLabel": "Secret",
    "_timestamp": ago(hours=2),
    "properties": {"team": "t1", "total": 999, "only": "here"},
}


@pytest.fixture(scope="module")
def told(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    assert workspace.send({"events": [*KEPT, SECRET]}).status_code == 202
    make_group_key(workspace)
    return workspace


@pytest.fixture(scope="module")
def untold(server: Server) -> Workspace:
    """The same without the event that the other one hides."""
    workspace = sign_up(server.url)
    assert workspace.send({"events": KEPT}).status_code == 202
    make_group_key(workspace)
    return workspace


def make_group_key(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "team"}).status_code == 201


def secret_id(workspace: Workspace) -> str:
    [event] = workspace.get("/v1/events", actor="ann", name="buy").json()["events"]
    return str(event["id"])


def hide(workspace: Workspace, event_id: str, token: str | None = None) -> None:
    with workspace.client(token) as client:
        answer = client.post(f"/v1/events/{event_id}/hide")
    assert (answer.status_code, answer.content) == (204, b""), answer.text


def show(workspace: Workspace, event_id: str) -> None:
    with workspace.client() as client:
        assert client.delete(f"/v1/events/{event_id}/hide").status_code == 204


def without_ids(answer: Any) -> Any:
    """What two workspaces with the same events answer alike."""
    if isinstance(answer, dict):
        left_out = {"id", "next", "computedAt"}
        return {key: without_ids(value) for key, value in answer.items() if key not in left_out}
    return [without_ids(each) for each in answer] if isinstance(answer, list) else answer


def everything(workspace: Workspace) -> dict[str, Any]:
    """All that can be asked about the events."""
    here = {"environment": "production", "timeRange": "24h"}
    asked: dict[str, Any] = {
        "events": workspace.get("/v1/events", **here).json(),
        "secret events": workspace.get("/v1/events", filters='[{"key":"only","op":"exists"}]').json(),
        "actors": actors(workspace),
        "ann": actor(workspace, "ann"),
        "search": [actors(workspace, q=q) for q in ("secret", "old")],
        "groups": workspace.get("/v1/groups", **here).json(),
        "group": workspace.get("/v1/groups/t1", **here).json(),
        "schema": workspace.get("/v1/schema", **here).json(),
        "lines": sorted(workspace.get("/v1/export").text.splitlines()),
        "csv": sorted(read_csv(workspace.get("/v1/export", format="csv").content)),
    }
    with workspace.client() as client:
        for number, (kind, config) in enumerate(CONFIGS):
            answer = client.post("/v1/query", json={**here, "type": kind, "config": config})
            assert answer.status_code == 200, answer.text
            asked[f"{number} {kind}"] = answer.json()
    return {name: without_ids(answer) for name, answer in asked.items()}


@pytest.mark.long
def test_what_is_hidden_is_nowhere_as_if_it_had_never_come(told: Workspace, untold: Workspace) -> None:
    before, event_id = everything(told), secret_id(told)
    hide(told, event_id)
    hidden, expected = everything(told), everything(untold)
    for question, answer in expected.items():
        assert hidden[question] == answer, question
        assert before[question] != answer, question
    assert "Secret" not in json.dumps(hidden)
    assert hidden["ann"]["label"] == "Old"
    show(told, event_id)
    assert everything(told) == before


@pytest.mark.long
def test_what_is_hidden_can_be_found_to_show_it_again(told: Workspace) -> None:
    event_id = secret_id(told)
    hide(told, event_id)
    [found] = told.get("/v1/events", hidden="true").json()["events"]
    assert (found["id"], found["properties"]["total"]) == (event_id, 999)
    assert told.get("/v1/events", hidden="true", name="see").json()["events"] == []
    show(told, event_id)
    assert told.get("/v1/events", hidden="true").json()["events"] == []
    assert event_id in told.get("/v1/events").text


def test_twice_is_once(workspace: Workspace) -> None:
    assert workspace.send({"name": "x"}).status_code == 202
    [event] = workspace.get("/v1/events").json()["events"]
    for _ in range(2):
        hide(workspace, event["id"])
    assert len(workspace.get("/v1/events", hidden="true").json()["events"]) == 1
    for _ in range(2):
        show(workspace, event["id"])
    assert workspace.get("/v1/events").json()["events"] == [event]


def test_an_event_of_any_environment_at_once(workspace: Workspace) -> None:
    development = workspace.make_key("development")[0]
    with listening(workspace, environment="development") as ear:
        assert workspace.send({"name": "x"}, key=development).status_code == 202
        [event] = ear.events(1)
    hide(workspace, event["id"])
    assert workspace.get("/v1/events", environment="development").json()["events"] == []


@pytest.mark.long
def test_a_stream_that_resumes_leaves_it_out(told: Workspace) -> None:
    event_id = secret_id(told)
    with listening(told) as ear:
        assert told.send({"name": "mark", "_timestamp": ago(days=400)}).status_code == 202
        ear.events(1)
    beginning = ear.last_id
    assert told.send({"events": [{"name": "p"}, {"name": "q"}]}).status_code == 202
    p = told.get("/v1/events", name="p").json()["events"][0]["id"]
    hide(told, p)
    with listening(told, last_id=beginning) as ear:
        assert ear.names(1) == ["q"]
    assert event_id != p


@few(
    4,
    "event_id",
    [
        "none",
        "00000000-0000-7000-8000-000000000000",
        "ffffffff-ffff-7fff-bfff-ffffffffffff",
        "0199e3c1-0000-4000-8000-000000000001",
        "..%2f..",
        "%00",
        "' OR 1=1",
        "é",
    ],
)
def test_no_such_event(workspace: Workspace, event_id: str) -> None:
    with workspace.client() as client:
        check_refusal(client.post(f"/v1/events/{event_id}/hide"), 404)
        check_refusal(client.delete(f"/v1/events/{event_id}/hide"), 404)


@pytest.mark.long
def test_another_workspaces_event_is_not_there(told: Workspace, workspace: Workspace) -> None:
    event_id = secret_id(told)
    with workspace.client() as client:
        check_refusal(client.post(f"/v1/events/{event_id}/hide"), 404)
        check_refusal(client.delete(f"/v1/events/{event_id}/hide"), 404)
    assert event_id in told.get("/v1/events").text


def test_who_hides_what_is_in_the_audit_log(workspace: Workspace) -> None:
    assert workspace.send({"name": "x", "_actor": "ann"}).status_code == 202
    [event] = workspace.get("/v1/events").json()["events"]
    viewer, developer = add_member(workspace, "viewer"), add_member(workspace, "developer")
    with viewer.client() as client:
        check_refusal(client.post(f"/v1/events/{event['id']}/hide"), 403)
    hide(workspace, event["id"], developer.session_token)
    show(workspace, event["id"])
    entries = workspace.get("/v1/audit").json()["entries"][:2]
    assert [(entry["action"], entry["subject"], entry["details"]) for entry in entries] == [
        ("event.show", event["id"], {}),
        ("event.hide", event["id"], {}),
    ]
    assert entries[1]["by"]["email"] == developer.email
