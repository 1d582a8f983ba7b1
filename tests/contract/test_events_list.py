"""GET /v1/events: the events of a range, newest first, with filters and pages (rules/questions#event-list)."""

import json
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.stream_client import listening
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

MANY = 205
BEGINNING = "00000000-0000-7000-8000-000000000000"
"""The id of an event of no spool that there is: a stream that resumes there tells everything."""


def names(workspace: Workspace, **params: Any) -> list[str]:
    """The names on one page."""
    answer = workspace.get("/v1/events", **params)
    assert answer.status_code == 200, answer.text
    return [event["name"] for event in answer.json()["events"]]


@pytest.fixture(scope="module")
def story(server: Server) -> Workspace:
    """Seven events; the two of the same time are told apart by their arrival."""
    workspace = sign_up(server.url)
    same = ago(hours=3)
    events: list[dict[str, Any]] = [
        {"name": "old", "_timestamp": ago(days=80), "_actor": "ann"},
        {"name": "ancient", "_timestamp": ago(days=100)},
        {"name": "tie-1", "_timestamp": same, "properties": {"n": 1, "tags": ["x"], "text": "a"}},
        {"name": "tie-2", "_timestamp": same, "properties": {"n": 2, "tags": []}},
    ]
    assert workspace.send({"events": events}).status_code == 202
    now = b'{"name":"now","_actor":"ann","_actorLabel":"Ann","_source":"web","properties":{"n": 1.50, "z": null}}'
    assert workspace.send(now).status_code == 202
    development = workspace.make_key("development")[0]
    assert workspace.send({"name": "tried"}, key=development).status_code == 202
    assert workspace.send({"name": "ahead", "_timestamp": ago(hours=-2)}).status_code == 202
    with listening(workspace, last_id=BEGINNING, name="ahead") as ear:
        ear.events(1)  # all of it is in the store
    return workspace


@pytest.mark.long
def test_an_event_has_all_of_its_fields(story: Workspace) -> None:
    [event] = story.get("/v1/events", name="now").json()["events"]
    assert list(event) == ["id", "name", "source", "timestamp", "properties", "actorKey", "actorLabel"]
    assert (event["source"], event["actorKey"], event["actorLabel"]) == ("web", "ann", "Ann")
    assert '"properties":{"n": 1.50, "z": null}' in story.get("/v1/events", name="now").text
    [event] = story.get("/v1/events", name="tie-1").json()["events"]
    assert (event["source"], event["actorKey"], event["actorLabel"]) == (None, None, None)


@few(
    5,
    ("params", "found"),
    [
        ({}, ["now", "tie-2", "tie-1"]),
        ({"timeRange": "1h"}, ["now"]),
        ({"timeRange": "90d"}, ["now", "tie-2", "tie-1", "old"]),
        ({"environment": "development"}, ["tried"]),
        ({"timeRange": "90d", "actor": "ann"}, ["now", "old"]),
        ({"timeRange": "90d", "actor": "ann", "name": "old"}, ["old"]),
        ({"name": "OLD", "timeRange": "90d"}, []),
        ({"filters": "[]"}, ["now", "tie-2", "tie-1"]),
        ({"filters": '[{"key":"n","op":"lt","value":2}]'}, ["now", "tie-1"]),
        ({"filters": '[{"key":"n","op":"lt","value":2},{"key":"tags","op":"has","value":"x"}]'}, ["tie-1"]),
        ({"filters": '[{"key":"z","op":"exists"}]'}, []),
        ({"filters": '[{"key":"_source","op":"eq","value":"web"}]'}, ["now"]),
        ({"hidden": "false", "name": "now"}, ["now"]),
        ({"hidden": "true"}, []),
    ],
    ids=str,
)
def test_which_events_are_listed(story: Workspace, params: dict[str, str], found: list[str]) -> None:
    assert names(story, **params) == found


@few(
    4,
    ("params", "path"),
    [
        ({"environment": "nowhere"}, ["environment"]),
        ({"timeRange": "8d"}, ["timeRange"]),
        ({"limit": "0"}, ["limit"]),
        ({"cursor": "x"}, ["cursor"]),
        ({"name": ""}, ["name"]),
        ({"actor": ""}, ["actor"]),
        ({"hidden": "yes"}, ["hidden"]),
        ({"filters": ""}, ["filters"]),
        ({"filters": "x"}, ["filters"]),
        ({"filters": "{}"}, ["filters"]),
        ({"filters": "\ud7ff" * 10}, ["filters"]),
        ({"filters": "[" * 5000}, ["filters", 0]),
        ({"filters": "[1]"}, ["filters", 0]),
        ({"filters": '[{"key":"a","op":"exists"},{"key":"a","op":"eq"}]'}, ["filters", 1, "value"]),
        ({"filters": '[{"key":"a","op":"nope","value":1}]'}, ["filters", 0, "op"]),
        ({"filters": '[{"key":"a","op":"regex","value":"("}]'}, ["filters", 0, "value"]),
        ({"filters": '[{"key":"a","op":"eq","value":1,"more":1}]'}, ["filters", 0, "more"]),
        ({"filters": json.dumps([{"key": "a", "op": "exists"}] * 21)}, ["filters"]),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_what_is_wrong_is_named(story: Workspace, params: dict[str, str], path: list[str | int]) -> None:
    body = check_refusal(story.get("/v1/events", **params), 400)
    assert [detail["path"] for detail in body["details"]] == [path]


@pytest.fixture(scope="module")
def crowd(server: Server) -> Workspace:
    """205 events, five at each of 41 times."""
    workspace = sign_up(server.url)
    times = [ago(minutes=minute * 31) for minute in range(41)]
    events = [{"name": f"e{n}", "_timestamp": times[n // 5], "properties": {"n": n}} for n in range(MANY)]
    assert workspace.send({"events": events}).status_code == 202
    return workspace


@pytest.mark.parametrize(("limit", "rows"), [(None, 50), ("200", 200), ("201", 200), ("1", 1)])
def test_the_limit(crowd: Workspace, limit: str | None, rows: int) -> None:
    assert len(names(crowd, **({} if limit is None else {"limit": limit}))) == rows


@pytest.mark.long
@pytest.mark.parametrize("limit", [7, 100])
def test_pages_have_each_event_once_in_order(crowd: Workspace, limit: int) -> None:
    found, params = [], {"limit": str(limit)}
    while True:
        page = crowd.get("/v1/events", **params).json()
        found += [event["name"] for event in page["events"]]
        if page["next"] is None:
            break
        assert len(page["events"]) == limit
        params["cursor"] = page["next"]
    newest_first = [f"e{n}" for minute in range(41) for n in range(minute * 5 + 4, minute * 5 - 1, -1)]
    assert found == newest_first


def test_pages_keep_the_end_of_the_first_ones_window(workspace: Workspace) -> None:
    assert workspace.send({"events": [{"name": f"e{n}"} for n in range(4)]}).status_code == 202
    first = workspace.get("/v1/events", limit=2).json()
    assert workspace.send({"name": "later"}).status_code == 202
    assert names(workspace, limit=2, cursor=first["next"]) == ["e1", "e0"]
    assert names(workspace, limit=1) == ["later"]


@pytest.mark.parametrize(
    "other",
    [
        {"timeRange": "24h"},
        {"environment": "development"},
        {"name": "e1"},
        {"actor": "e1"},
        {"hidden": "true"},
        {"filters": '[{"key":"n","op":"exists"}]'},
    ],
    ids=str,
)
def test_a_cursor_goes_on_with_its_own_question_only(crowd: Workspace, other: dict[str, str]) -> None:
    cursor = crowd.get("/v1/events", limit=2).json()["next"]
    assert names(crowd, limit=1, cursor=cursor, timeRange="7d", filters="[ ]") == ["e2"]
    body = check_refusal(crowd.get("/v1/events", cursor=cursor, **other), 400)
    assert body["details"][0]["path"] == ["cursor"]


def test_another_workspace_sees_none_of_it(crowd: Workspace, workspace: Workspace) -> None:
    assert names(workspace, timeRange="90d") == []


def test_head_and_trailing_slash(crowd: Workspace) -> None:
    with crowd.client() as client:
        head = client.head("/v1/events/")
        assert (head.status_code, head.content) == (200, b"")
        assert client.get("/v1/events/").json()["events"] == client.get("/v1/events").json()["events"]
