"""What ingest promises (rules/events#event, rules/events#batch, rules/events#properties)."""

import json
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.actor import actor, actors, counts
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal, refused

OK = {"name": "x", "_actor": "a"}


@pytest.mark.parametrize("count", [1, 2, 500])
def test_202_tells_how_many(workspace: Workspace, count: int) -> None:
    answer = workspace.send({"events": [OK] * count})
    assert (answer.status_code, answer.json()) == (202, {"accepted": count})
    assert "idempotent-replayed" not in answer.headers
    assert counts(workspace) == {"a": count}


def test_202_for_a_single_event(workspace: Workspace) -> None:
    answer = workspace.send(OK)
    assert (answer.status_code, answer.text) == (202, '{"accepted":1}')
    assert answer.headers["content-type"] == "application/json"


def test_identical_events_are_two_events(workspace: Workspace) -> None:
    event = OK | {"_timestamp": ago(hours=1)}
    for _ in range(3):
        assert workspace.send({"events": [event, event]}).status_code == 202
    assert counts(workspace) == {"a": 6}
    assert len({moment["id"] for moment in actor(workspace, "a")["timeline"]}) == 6


@pytest.mark.long
def test_singles_make_the_history_of_a_batch(workspace: Workspace, shared: Workspace) -> None:
    events = [
        {
            "name": f"step {n % 3}",
            "_actor": f"actor {n % 4}",
            "_timestamp": ago(minutes=n * 7 % 11),
            "_source": "web" if n % 2 else "app",
            "properties": {"n": n},
        }
        | ({"_actorLabel": f"label {n}"} if n % 5 else {})
        for n in range(30)
    ]
    assert workspace.send({"events": events}).status_code == 202
    for event in events:
        assert shared.send(event).status_code == 202
    assert actors(workspace) == actors(shared)
    for key in ("actor 0", "actor 1", "actor 2", "actor 3"):
        assert without_ids(actor(workspace, key)) == without_ids(actor(shared, key))


@pytest.mark.parametrize("index", [0, 1, 250, 499])
def test_one_wrong_event_refuses_the_batch(workspace: Workspace, index: int) -> None:
    events: list[dict[str, Any]] = [{"name": "x", "_actor": f"a{n}"} for n in range(500)]
    events[index] |= {"_timestamp": "never"}
    body = refused(workspace, {"events": events}, 400)
    assert body["details"] == [
        {"path": ["events", index, "_timestamp"], "message": "is not an ISO 8601 date-time"},
    ]
    assert body["message"] == f"events[{index}]._timestamp is not an ISO 8601 date-time"
    assert actors(workspace) == []


def test_anonymous_events_never_appear_among_actors(workspace: Workspace) -> None:
    for event in ({"name": "x"}, {"name": "x", "_actor": ""}, {"name": "x", "_actor": "", "_actorLabel": "Ann"}):
        assert workspace.send({"events": [event] * 5}).json() == {"accepted": 5}
    assert workspace.send(OK).status_code == 202
    assert counts(workspace) == {"a": 1}
    assert counts(workspace, q="Ann") == {}
    check_refusal(workspace.get("/v1/actor", actorKey=""), 400)


@pytest.mark.long
def test_the_key_alone_decides_the_environment(workspace: Workspace) -> None:
    development = workspace.make_key("development")[0]
    elsewhere = {"x-environment": "development", "x-workspace-id": "x"}
    with workspace.client(workspace.key) as client:
        assert client.post("/v1/events?environment=development", json=OK, headers=elsewhere).status_code == 202
    assert workspace.send({"name": "x", "_actor": "d"}, key=development).status_code == 202
    assert counts(workspace, environment="production") == {"a": 1}
    assert counts(workspace, environment="development") == {"d": 1}
    assert counts(workspace, token=development) == {"d": 1}


def test_the_key_alone_decides_the_workspace(workspace: Workspace, shared: Workspace) -> None:
    before = counts(shared)
    cookie = {"cookie": f"{shared.cookie}={shared.session_token}"}
    assert workspace.send({"name": "x", "_actor": "mine"}, headers=cookie).status_code == 202
    for field in ("workspace", "workspaceId", "environment", "_workspace", "_environment"):
        refused(workspace, OK | {field: shared.workspace_id}, 400)
    assert counts(workspace) == {"mine": 1}
    assert counts(shared) == before


def test_read_your_writes(workspace: Workspace) -> None:
    with workspace.client(workspace.key) as client:
        for turn in range(20):
            assert client.post("/v1/events", json={"name": "x", "_actor": f"a{turn}"}).status_code == 202
            assert client.get(f"/v1/actors/a{turn}").status_code == 200
            assert len(client.get("/v1/actors").json()["actors"]) == turn + 1


# JSON texts of property values, each of which comes back character by character.
VERBATIM = [
    "0",
    "-0",
    "-0.0",
    "1.10",
    "1e5",
    "1E+5",
    "1e-7",
    "100000000000000000000000",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "3.141592653589793238462643383279502884197",
    "0.1000000000000000055511151231257827",
    "1e308",
    "1e-400",
    "5e-324",
    '""',
    '" "',
    '"42"',
    '"null"',
    '"2026-11-20T12:00:00Z"',
    '"00000000-0000-0000-0000-000000000000"',
    '"é€😀\u2028\ufeff\U0010ffff"',
    '"\\u00e9\\ud83d\\ude00"',
    '"\\" \\\\ \\/ \\b \\f \\n \\r \\t"',
    '"\\u0000"',
    '"\\u001f\\u007f"',
    '"<script>&amp;%27\'{}"',
    '"' + "x" * 60_000 + '"',
    "true",
    "false",
    "null",
    "[]",
    "{}",
    "[[],{},null]",
    '["a","",null,1,1.10,true,["b"]]',
    '{"":1}',
    '{"":{"":""}}',
    '{"b":1,"a":2,"B":3}',
    '{"a.b":1,"a":{"b":2},"$":3,"_actor":"not you","name":4,"__proto__":5}',
    '{"\\u0061":1}',
    '{"0":"a","1":"b","01":"c","null":"d","é":"e","😀":"f","a b":"g","\\"":"h","\\\\":"i","\\u0000":"j"}',
    "[" * 31 + "]" * 31,
]


def test_properties_come_back_verbatim(workspace: Workspace) -> None:
    bodies = [f'{{"name":"x","_actor":"a","properties":{{"p":{text}}}}}' for text in VERBATIM]
    assert workspace.send(f'{{"events":[{",".join(bodies)}]}}'.encode()).status_code == 202
    found = workspace.get("/v1/actors/a").text
    assert [text[:80] for text in VERBATIM if f'"properties":{{"p":{text}}}}}' not in found] == []


def test_any_property_key_comes_back(workspace: Workspace) -> None:
    keys = ["", " ", ".", "_actor", "events", "\0", "é", "x" * 5000, '"', "\\", "%", "{k}"]
    sent = [{key: key, "other": [key]} for key in keys]
    events = [{"name": "x", "_actor": "a", "properties": properties} for properties in sent]
    assert workspace.send({"events": events}).status_code == 202
    assert [moment["properties"] for moment in actor(workspace, "a")["timeline"]] == sent[::-1]


def test_white_space_does_not_change_properties(shared: Workspace) -> None:
    properties = {"a": [1, {"b": "two  spaces\tand a tab"}], "c": {}}
    for indent in (None, 0, 4):
        event = {"name": "x", "_actor": f"indent {indent}", "properties": properties}
        assert shared.send(json.dumps(event, indent=indent).encode()).status_code == 202
        assert actor(shared, f"indent {indent}")["timeline"][0]["properties"] == properties


@pytest.mark.parametrize("properties", [{}, None])
def test_no_properties_are_an_empty_object(workspace: Workspace, properties: Any) -> None:
    assert workspace.send(OK if properties is None else OK | {"properties": properties}).status_code == 202
    assert actor(workspace, "a")["timeline"][0]["properties"] == {}


def test_events_refusals_says_why_nothing_arrives(workspace: Workspace, shared: Workspace) -> None:
    revoked, key_id = workspace.make_key()
    with workspace.client() as client:
        assert client.delete(f"/v1/keys/{key_id}").status_code == 204
    sent = [
        refused(workspace, {}, 400),
        refused(workspace, {"events": [OK] * 501}, 413),
        refused(workspace, OK, 415, headers={"content-type": "text/plain"}),
        refused(workspace, OK, 401, key=revoked),
    ]
    refused(workspace, OK, 401, key="tr_live_nonsense")  # nobody's key
    assert workspace.send(OK).status_code == 202
    found = workspace.get("/v1/events/refusals").json()["refusals"]
    assert [set(row) for row in found] == [{"at", "status", "error", "message", "requestId", "userAgent"}] * 4
    assert [(row["status"], row["error"], row["message"], row["requestId"]) for row in found] == [
        (body["code"], body["error"], body["message"], body["requestId"]) for body in reversed(sent)
    ]
    others = {row["requestId"] for row in shared.get("/v1/events/refusals").json()["refusals"]}
    assert others.isdisjoint(body["requestId"] for body in sent)


def test_events_refusals_says_which_program_sent_the_request(workspace: Workspace) -> None:
    ingest_key, _ = workspace.make_key(kind="ingest")
    headers = {"user-agent": "tallyroom-python/1.0.0"}
    with workspace.client() as client:
        for key in (workspace.key, ingest_key):
            client.headers["authorization"] = f"Bearer {key}"
            for path in ("/v1/events", "/v1/logs"):
                assert client.post(path, content=b"{", headers=headers).status_code >= 400
    found = workspace.get("/v1/events/refusals").json()["refusals"]
    assert [row["userAgent"] for row in found] == ["tallyroom-python/1.0.0"] * 4


def test_events_refusals_keeps_the_last_hundred(workspace: Workspace) -> None:
    with workspace.client(workspace.key) as client:
        sent = [client.post("/v1/events", json={}).json()["requestId"] for _ in range(105)]
    found = workspace.get("/v1/events/refusals").json()["refusals"]
    assert [row["requestId"] for row in found] == sent[:4:-1]


def without_ids(detail: Any) -> Any:
    return detail | {"timeline": [moment | {"id": None} for moment in detail["timeline"]]}
