"""Formulas over HTTP: answers, and refusals that name the field (rules/questions#formula)."""

from typing import Any

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

RATE = {
    "a": {"event": "refund", "measure": "count"},
    "b": {"event": "order", "measure": "count"},
    "expression": "a / b * 100",
}


def ask(workspace: Workspace, config: Any) -> Any:
    body = {"environment": "production", "timeRange": "24h", "type": "formula", "config": config}
    with workspace.client() as client:
        return client.post("/v1/query", json=body)


def test_the_answer_in_each_shape(workspace: Workspace) -> None:
    names = ["order", "order", "order", "order", "refund"]
    events = [{"name": name, "properties": {"plan": "pro"}} for name in names]
    assert workspace.send({"events": events}).status_code == 202
    counter = ask(workspace, RATE).json()
    assert (counter["kind"], counter["value"], counter["previous"], counter["delta"]) == ("counter", 25, None, None)
    over_time = ask(workspace, RATE | {"overTime": True}).json()
    assert (over_time["kind"], over_time["interval"]) == ("timeseries", "hour")
    rows = ask(workspace, RATE | {"breakdown": "plan"}).json()["rows"]
    assert rows == [{"label": "pro", "value": 25}]
    [series] = ask(workspace, RATE | {"breakdown": "plan", "overTime": True}).json()["series"]
    assert {25, None} >= {each["value"] for each in series["points"]} >= {None}


@few(
    4,
    ("wrong", "path"),
    [
        ({"expression": "a / b)"}, ["config", "expression"]),
        ({"expression": "a / b FROM events"}, ["config", "expression"]),
        ({"expression": ""}, ["config", "expression"]),
        ({"expression": "a / b" + " " * 200}, ["config", "expression"]),
        ({"expression": 5}, ["config", "expression"]),
        ({"expression": "a / c"}, ["config", "b"]),
        ({"expression": "a"}, ["config", "b"]),
        ({"a": None}, ["config", "a"]),
        ({"b": {"event": "order"}}, ["config", "b", "measure"]),
        ({"b": {"event": "order", "measure": "count", "breakdown": "plan"}}, ["config", "b", "breakdown"]),
        ({"e": {"event": "order", "measure": "count"}}, ["config", "e"]),
        ({"rest": True}, ["config", "rest"]),
        ({"limit": 51}, ["config", "limit"]),
        ({"breakdown": "plan", "compare": "previous"}, ["config", "compare"]),
    ],
)
def test_a_wrong_field_is_named(workspace: Workspace, wrong: dict[str, Any], path: list[str]) -> None:
    [detail] = check_refusal(ask(workspace, RATE | wrong), 400)["details"]
    assert detail["path"] == path
