"""Alerts that watch a formula, over HTTP (rules/alerts#alert)."""

from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.dashboards import make_alert, make_segment
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

REFUNDS = {"event": "refund", "measure": "count"}
ORDERS = {"event": "order", "measure": "count"}
FORMULA = {"a": REFUNDS, "b": ORDERS, "expression": "a / b * 100"}
BODY = {"name": "Refunds", "environment": "production", "formula": FORMULA, "condition": "above", "threshold": 5}
NOTHING_ELSE = {"event": None, "measure": None, "property": None, "filters": None}


def post(workspace: Workspace, body: Any, path: str = "/v1/alerts") -> Any:
    with workspace.client() as client:
        return client.post(path, json=body)


def patch(workspace: Workspace, alert: Any, body: Any) -> Any:
    with workspace.client() as client:
        return client.patch(f"/v1/alerts/{alert['id']}", json=body)


def test_an_alert_has_a_formula_and_nothing_in_its_place(workspace: Workspace) -> None:
    made = post(workspace, BODY | NOTHING_ELSE)
    assert made.status_code == 201
    alert = made.json()
    assert (BODY | NOTHING_ELSE).items() <= alert.items()
    assert workspace.get(f"/v1/alerts/{alert['id']}").json() == alert
    assert workspace.get("/v1/alerts").json() == {"alerts": [alert]}


def test_an_event_and_a_formula_take_turns(workspace: Workspace) -> None:
    alert = make_alert(workspace, filters=[{"key": "a", "op": "exists"}], measure="sum", property="n")
    watching = patch(workspace, alert, {"formula": FORMULA}).json()
    assert watching == alert | NOTHING_ELSE | {"formula": FORMULA, "updatedAt": watching["updatedAt"]}
    assert patch(workspace, alert, {"formula": FORMULA, "name": "Many"}).json() == watching
    back = patch(workspace, alert, {"event": "y"}).json()
    expected = {"event": "y", "measure": "count", "property": None, "filters": [], "formula": None}
    assert back == alert | expected | {"updatedAt": back["updatedAt"]}


WRONG: list[tuple[dict[str, Any], list[str | int], str]] = [
    ({"formula": None}, ["event"], "is required unless formula is given"),
    ({"event": "x"}, ["event"], "must not be combined with formula"),
    ({"measure": "count"}, ["measure"], "must not be combined with formula"),
    ({"property": "n"}, ["property"], "must not be combined with formula"),
    ({"filters": []}, ["filters"], "must not be combined with formula"),
    ({"formula": FORMULA | {"expression": "a / c"}}, ["formula", "b"], "is not used in the expression"),
    (
        {"formula": FORMULA | {"expression": "a /"}},
        ["formula", "expression"],
        "has an error at position 4: expected a number, a, b, c, d, - or (",
    ),
    (
        {"formula": FORMULA | {"b": {"measure": "count"}}},
        ["formula", "b", "event"],
        "is required unless events is given",
    ),
]


@few(4, ("wrong", "path", "reason"), WRONG)
def test_a_wrong_field_is_named(
    workspace: Workspace, wrong: dict[str, Any], path: list[str | int], reason: str
) -> None:
    alert = post(workspace, BODY).json()
    rule = {name: value for name, value in BODY.items() if name != "name"}
    answers = [post(workspace, BODY | wrong), post(workspace, rule | wrong, "/v1/alerts/preview")]
    answers.append(patch(workspace, alert, {"formula": FORMULA} | wrong))
    for answer in answers:
        [detail] = check_refusal(answer, 400)["details"]
        assert (detail["path"], detail["message"]) == (path, reason)
    assert workspace.get("/v1/alerts").json() == {"alerts": [alert]}


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"overTime": True}, ["formula", "overTime"]),
        ({"breakdown": "plan"}, ["formula", "breakdown"]),
        ({"a": None}, ["formula", "a"]),
        ({"expression": "a" * 201}, ["formula", "expression"]),
        (
            {"a": REFUNDS | {"filters": [{"key": "p", "op": "regex", "value": "("}]}},
            ["formula", "a", "filters", 0, "value"],
        ),
    ],
)
def test_a_field_that_a_formula_cannot_have(workspace: Workspace, wrong: dict[str, Any], path: list[str | int]) -> None:
    [detail] = check_refusal(post(workspace, BODY | {"formula": FORMULA | wrong}), 400)["details"]
    assert detail["path"] == path


def test_a_preview_judges_the_formula_and_a_segment_narrows_all_parts(workspace: Workspace) -> None:
    plans = [("order", "pro"), ("order", "pro"), ("order", "free"), ("refund", "pro"), ("refund", "free")]
    sent = [{"name": name, "_timestamp": ago(minutes=3), "properties": {"plan": plan}} for name, plan in plans]
    assert workspace.send({"events": sent}).status_code == 202
    rule = {name: value for name, value in BODY.items() if name != "name"} | {"windowMinutes": 5}
    found = post(workspace, rule, "/v1/alerts/preview").json()
    assert found["fired"] == 1
    assert found["points"][-1] == {"t": found["to"], "value": 66.6666666666667}
    assert found["points"][0]["value"] is None
    narrowed = rule | {"segmentId": make_segment(workspace)["id"]}
    assert post(workspace, narrowed, "/v1/alerts/preview").json()["points"][-1]["value"] == 50
