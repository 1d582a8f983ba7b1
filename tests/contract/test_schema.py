"""GET /v1/schema: which names, keys and types there are in a range (rules/questions#schema)."""

import json
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server


def schema(workspace: Workspace, **params: str) -> Any:
    answer = workspace.get("/v1/schema", **params)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def varied(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    days: list[tuple[float, str, dict[str, Any]]] = [
        (0, "buy", {"plan": "pro", "total": 1.5, "tags": ["a", "b"], "ok": True, "geo": {"c": "de"}, "none": None}),
        (0, "buy", {"plan": "pro", "total": 42, "tags": [], "ok": False}),
        (0.1, "see", {"plan": "free", "mixed": "1"}),
        (0.2, "see", {"plan": 7, "mixed": 1, "long": "x" * 101, "edge": "é" * 100, "empty": ""}),
        (0.3, "see", {"plan": "Free", "mixed": [1, None]}),
        (0.4, "see", {"mixed": False, "prop:plan": 1, "a\"'\\\0": "odd"}),
        (20, "old", {"older": 1}),
    ]
    events = [{"name": name, "_timestamp": ago(days=age), "properties": found} for age, name, found in days]
    assert workspace.send({"events": events}).status_code == 202
    development = workspace.make_key("development")[0]
    assert workspace.send({"name": "tried", "properties": {"other": 1}}, key=development).status_code == 202
    return workspace


@pytest.mark.long
def test_names_by_count(varied: Workspace) -> None:
    events = schema(varied)["events"]
    assert [(row["name"], row["count"]) for row in events] == [("see", 4), ("buy", 2)]
    newest = {event["name"]: event["timestamp"] for event in varied.get("/v1/events").json()["events"][::-1]}
    assert [row["lastSeen"] for row in events] == [newest["see"], newest["buy"]]


def test_keys_have_all_of_their_types(varied: Workspace) -> None:
    found = {row["key"]: row["types"] for row in schema(varied)["properties"]}
    assert found == {
        "plan": ["string", "number"],
        "mixed": ["string", "number", "list", "boolean"],
        "ok": ["boolean"],
        "total": ["number"],
        "geo": ["object"],
        "tags": ["list"],
        "long": ["string"],
        "edge": ["string"],
        "empty": ["string"],
        "prop:plan": ["number"],
        "a\"'\\\0": ["string"],
    }


def test_keys_by_the_number_of_events_that_have_them_then_by_key(varied: Workspace) -> None:
    keys = [row["key"] for row in schema(varied)["properties"]]
    assert keys[:4] == ["plan", "mixed", "ok", "total"]
    assert keys[4:] == sorted(keys[4:])


def test_examples_are_frequent_short_and_at_most_three(varied: Workspace) -> None:
    examples = {row["key"]: row["examples"] for row in schema(varied)["properties"]}
    assert examples["plan"] == ["pro", "7", "Free"]
    assert examples["total"] == ["1.5", "42"]
    assert examples["tags"] == ["a", "b"]
    assert examples["ok"] == ["false", "true"]
    assert [json.loads(each) for each in examples["geo"]] == [{"c": "de"}]
    assert examples["long"] == examples["empty"] == []
    assert examples["edge"] == ["é" * 100]


@pytest.mark.parametrize(
    ("params", "names", "keys"),
    [
        ({"timeRange": "30d"}, {"buy", "see", "old"}, {"older"}),
        ({"timeRange": "1h"}, {"buy"}, {"geo"}),
        ({"environment": "development"}, {"tried"}, {"other"}),
    ],
)
def test_of_a_range_and_an_environment(
    varied: Workspace, params: dict[str, str], names: set[str], keys: set[str]
) -> None:
    found = schema(varied, **params)
    assert {row["name"] for row in found["events"]} == names
    assert keys <= {row["key"] for row in found["properties"]}
    assert ("older" in {row["key"] for row in found["properties"]}) == ("old" in names)


def test_nothing(workspace: Workspace) -> None:
    assert schema(workspace) == {"events": [], "properties": []}


@pytest.mark.parametrize(
    ("params", "path"), [({"environment": "x"}, "environment"), ({"timeRange": "2d"}, "timeRange")]
)
def test_refusals(shared: Workspace, params: dict[str, str], path: str) -> None:
    assert check_refusal(shared.get("/v1/schema", **params), 400)["details"][0]["path"] == [path]
