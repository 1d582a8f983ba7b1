"""Numbers that are more than their doubles, such as ids: one value is one number (rules/events#exact-numbers)."""

import json
from typing import Any

import pytest

from harness.clients.telemetry import post, traces
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from harness.suite.few import few

SENT = {
    "9007199254740993": ["9007199254740993", "9007199254740993.0", "9.007199254740993e15"],
    "9007199254740992": ["9007199254740992", "9007199254740992.00"],
    "1.5": ["1.50", "15e-1", "1.5"],
    "1e22": ["1e22"],
    "10000000000000000000001": ["10000000000000000000001"],
    "0.1": ["0.1"],
    "0.1000000000000000055": ["0.1000000000000000055"],
}
"""For each label, the forms in which its number is sent; the actor of an event is its form."""

SPAN = {"environment": "production", "timeRange": "7d"}


@pytest.fixture(scope="module")
def workspace(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    events = ",".join(
        f'{{"name":"x","_actor":"{form}","properties":{{"id":{form}}}}}' for forms in SENT.values() for form in forms
    )
    assert workspace.send(f'{{"events":[{events}]}}'.encode()).status_code == 202
    return workspace


def ask(workspace: Workspace, path: str, text: str) -> Any:
    """Ask with JSON as it is written, because Python rounds numbers like JavaScript."""
    with workspace.client() as client:
        answer = client.post(path, content=text, headers={"content-type": "application/json"})
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()


def metric(**config: Any) -> str:
    return json.dumps(SPAN | {"type": "metric", "config": {"event": "x", "measure": "count"} | config})


def filtered(workspace: Workspace, op: str, value: str) -> int:
    """How many events match a filter whose value is written like this."""
    text = metric(filters=[{"key": "id", "op": op, "value": "$"}]).replace('"$"', value)
    return int(ask(workspace, "/v1/query", text)["value"])


def test_each_value_is_one_label(workspace: Workspace) -> None:
    answer = ask(workspace, "/v1/query", metric(breakdown="id", chart="bar"))
    labels = {row["label"]: row["value"] for row in answer["rows"]}
    assert labels == {label: len(forms) for label, forms in SENT.items()}


def test_each_value_is_one_value(workspace: Workspace) -> None:
    assert ask(workspace, "/v1/query", metric(measure="uniq", property="id"))["value"] == len(SENT)


@few(4, "label", list(SENT))
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_filter_finds_the_value_in_any_form(workspace: Workspace, label: str, quote: str) -> None:
    total = sum(map(len, SENT.values()))
    for form in SENT[label]:
        value = f"{quote}{form}{quote}"
        assert filtered(workspace, "eq", value) == len(SENT[label])
        assert filtered(workspace, "neq", value) == total - len(SENT[label])
        assert filtered(workspace, "in", f'["other", {value}]') == len(SENT[label])
        assert filtered(workspace, "not_in", f"[{value},true]") == total - len(SENT[label])


def test_arithmetic_goes_on_with_the_double(workspace: Workspace) -> None:
    assert filtered(workspace, "gte", "9007199254740993") == filtered(workspace, "gte", "9007199254740992")
    assert ask(workspace, "/v1/query", metric(measure="min", property="id"))["value"] == 0.1


def test_a_label_leads_to_its_events(workspace: Workspace) -> None:
    body = json.loads(metric(breakdown="id", chart="bar")) | {"at": {"label": "9007199254740993"}}
    answer = ask(workspace, "/v1/query/actors", json.dumps(body))
    assert sorted(row["actorKey"] for row in answer["actors"]) == sorted(SENT["9007199254740993"])


def test_the_schema_shows_it(workspace: Workspace) -> None:
    [key] = [key for key in workspace.get("/v1/schema", **SPAN).json()["properties"] if key["key"] == "id"]
    assert key["examples"] == ["1.5", "9007199254740993", "9007199254740992"]


def test_events_are_listed_by_it(workspace: Workspace) -> None:
    for value in ("9007199254740993", "9007199254740993.0"):
        filters = f'[{{"key":"id","op":"eq","value":{value}}}]'
        answer = workspace.get("/v1/events", **SPAN, filters=filters)
        assert len(answer.json()["events"]) == 3


def test_a_saved_filter_keeps_all_digits(workspace: Workspace) -> None:
    """As text, which equals the number, and which browsers do not round."""
    body = '{"name":"s","environment":"production","filters":[{"key":"id","op":"in","value":[9007199254740993,1.5]}]}'
    segment = ask(workspace, "/v1/segments", body)
    assert segment["filters"] == [{"key": "id", "op": "in", "value": ["9007199254740993", 1.5]}]
    answer = ask(workspace, "/v1/query", metric(segmentId=segment["id"]))
    assert answer["value"] == 6


def test_integers_of_opentelemetry_keep_their_digits(server: Server) -> None:
    workspace = sign_up(server.url)
    for number in (9007199254740993, 9007199254740992):
        assert post(workspace, "traces", traces({"name": "x", "attributes": {"id": number}})).is_success
    config = json.loads(metric(breakdown="id", chart="bar")) | {"timeRange": "all"}
    answer = ask(workspace, "/v1/query", json.dumps(config))
    assert {row["label"] for row in answer["rows"]} == {"9007199254740993", "9007199254740992"}
