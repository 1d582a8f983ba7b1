"""Alerts over HTTP: what a body may say, what answers say, previews and activity (rules/alerts#alert)."""

from typing import Any

from harness.builders.moments import ago
from harness.clients.dashboards import make_alert, make_segment
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

BODY = {"name": "Many", "environment": "production", "event": "x", "condition": "above", "threshold": 100}
DEFAULTS = {
    "measure": "count",
    "property": None,
    "filters": [],
    "formula": None,
    "segmentId": None,
    "windowMinutes": 60,
    "severity": "warning",
    "cooldownMinutes": 30,
    "enabled": True,
    "channelIds": [],
}
STATE = {
    "status": "ok",
    "noDataSince": None,
    "lastEvaluatedAt": None,
    "lastDataAt": None,
    "delayedSince": None,
    "lastValue": None,
    "lastDeliveries": [],
}
FULL = {
    "name": "Slow",
    "environment": "development",
    "event": "request",
    "measure": "p95",
    "property": "ms",
    "filters": [{"key": "route", "op": "eq", "value": "/"}],
    "condition": "rises",
    "threshold": 12.5,
    "windowMinutes": 1440,
    "severity": "critical",
    "cooldownMinutes": 1,
    "enabled": False,
}


def post(workspace: Workspace, body: Any, path: str = "/v1/alerts") -> Any:
    with workspace.client() as client:
        return client.post(path, json=body)


def patch(workspace: Workspace, alert_id: str, body: Any) -> Any:
    with workspace.client() as client:
        return client.patch(f"/v1/alerts/{alert_id}", json=body)


def test_an_alert_is_made_listed_and_shown(workspace: Workspace) -> None:
    first = make_alert(workspace)
    times = {name: first[name] for name in ("id", "createdAt", "updatedAt")}
    assert first == BODY | DEFAULTS | STATE | times
    second = make_alert(workspace, **FULL)
    assert second["status"] == "paused"
    assert FULL.items() <= second.items()
    assert workspace.get("/v1/alerts").json() == {"alerts": [first, second]}
    assert workspace.get("/v1/alerts", environment="development").json() == {"alerts": [second]}
    assert workspace.get(f"/v1/alerts/{first['id']}").json() == first
    check_refusal(workspace.get("/v1/alerts", environment="staging"), 400)
    check_refusal(sign_up(workspace.url).get(f"/v1/alerts/{first['id']}"), 404)


WRONG: list[tuple[dict[str, Any], list[str | int]]] = [
    ({"name": ""}, ["name"]),
    ({"name": "a\r\nBcc: x@example.com"}, ["name"]),
    ({"name": "x" * 121}, ["name"]),
    ({"environment": "staging"}, ["environment"]),
    ({"event": ""}, ["event"]),
    ({"measure": "total"}, ["measure"]),
    ({"measure": "sum"}, ["property"]),
    ({"measure": "sum", "property": "_actor"}, ["property"]),
    ({"property": "price"}, ["property"]),
    ({"filters": [{"key": "a", "op": "gt", "value": "x"}]}, ["filters", 0, "value"]),
    ({"filters": [{"key": "a", "op": "regex", "value": "("}]}, ["filters", 0, "value"]),
    ({"filters": [{"key": "a", "op": "exists"}] * 21}, ["filters"]),
    ({"segmentId": "none"}, ["segmentId"]),
    ({"condition": "equals"}, ["condition"]),
    ({"threshold": None}, ["threshold"]),
    ({"threshold": "100"}, ["threshold"]),
    ({"condition": "rises", "threshold": -1}, ["threshold"]),
    ({"condition": "anomaly", "threshold": -0.5}, ["threshold"]),
    ({"windowMinutes": 0}, ["windowMinutes"]),
    ({"windowMinutes": 1441}, ["windowMinutes"]),
    ({"windowMinutes": 1.5}, ["windowMinutes"]),
]
WRONG_BESIDE: list[tuple[dict[str, Any], list[str | int]]] = [
    ({"severity": "info"}, ["severity"]),
    ({"cooldownMinutes": 0}, ["cooldownMinutes"]),
    ({"cooldownMinutes": 1441}, ["cooldownMinutes"]),
    ({"enabled": "yes"}, ["enabled"]),
    ({"channelIds": ["none"]}, ["channelIds", 0]),
    ({"channelIds": ["none"] * 21}, ["channelIds"]),
    ({"status": "ok"}, ["status"]),
]


@few(4, ("wrong", "path"), [*WRONG, *WRONG_BESIDE])
def test_a_wrong_field_is_named(workspace: Workspace, wrong: dict[str, Any], path: list[str | int]) -> None:
    refusal = check_refusal(post(workspace, BODY | wrong), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]
    alert = make_alert(workspace)
    assert [each["path"] for each in check_refusal(patch(workspace, alert["id"], wrong), 400)["details"]] == [path]
    assert workspace.get("/v1/alerts").json() == {"alerts": [alert]}


@few(4, ("wrong", "path"), WRONG[3:])
def test_a_preview_names_the_same_fields(workspace: Workspace, wrong: dict[str, Any], path: list[str | int]) -> None:
    rule = {name: value for name, value in BODY.items() if name != "name"}
    refusal = check_refusal(post(workspace, rule | wrong, "/v1/alerts/preview"), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]


def test_no_data_needs_no_threshold(workspace: Workspace) -> None:
    assert make_alert(workspace, condition="nodata", threshold=None)["threshold"] is None


def test_changes_replace_what_they_name(workspace: Workspace) -> None:
    alert = make_alert(workspace)
    answer = patch(
        workspace, alert["id"], {"name": "New", "measure": "sum", "property": "n", "environment": "development"}
    )
    changed = answer.json()
    assert changed["updatedAt"] >= alert["updatedAt"]
    expected = {"name": "New", "measure": "sum", "property": "n", "environment": "development"}
    assert changed == alert | expected | {"updatedAt": changed["updatedAt"]}
    assert patch(workspace, alert["id"], {"name": "New"}).json() == changed


def test_pausing_and_resuming(workspace: Workspace) -> None:
    alert = make_alert(workspace)
    assert patch(workspace, alert["id"], {"enabled": False}).json()["status"] == "paused"
    assert patch(workspace, alert["id"], {"enabled": True}).json()["status"] == "ok"


def test_a_segment_in_use_stays_and_belongs_to_its_environment(workspace: Workspace) -> None:
    segment = make_segment(workspace)
    alert = make_alert(workspace, segmentId=segment["id"])
    with workspace.client() as client:
        refusal = check_refusal(client.delete(f"/v1/segments/{segment['id']}"), 409)
    assert refusal["message"] == 'Alerts use this segment: "Many". Remove it from them first.'
    check_refusal(patch(workspace, alert["id"], {"environment": "development"}), 400)
    assert patch(workspace, alert["id"], {"environment": "development", "segmentId": None}).status_code == 200
    with workspace.client() as client:
        assert client.delete(f"/v1/segments/{segment['id']}").status_code == 204


def test_a_preview_tells_what_would_have_fired(workspace: Workspace) -> None:
    sent = [
        {"name": "x", "_timestamp": ago(minutes=3), "properties": {"plan": plan}} for plan in ("free", "pro", "pro")
    ]
    assert workspace.send({"events": sent}).status_code == 202
    segment = make_segment(workspace)
    rule = {
        "environment": "production",
        "event": "x",
        "condition": "above",
        "windowMinutes": 5,
        "segmentId": segment["id"],
    }
    found = post(workspace, rule | {"threshold": 1}, "/v1/alerts/preview").json()
    assert list(found) == ["from", "to", "fired", "incidents", "points"]
    assert found["fired"] == 1
    [incident] = found["incidents"]
    assert incident == {"firedAt": incident["firedAt"], "resolvedAt": None, "value": 2}
    assert incident["firedAt"] < found["to"]
    assert len(found["points"]) == 720
    assert found["points"][-1] == {"t": found["to"], "value": 2}
    assert post(workspace, rule | {"threshold": 2}, "/v1/alerts/preview").json()["fired"] == 0


RULE = {"environment": "production", "event": "order", "condition": "above", "threshold": 1}
FORMULA = {
    "a": {"event": "order", "measure": "count"},
    "b": {"event": "orders", "measure": "count"},
    "expression": "a / (a + b)",
}


@few(
    2,
    ("change", "expected"),
    [
        ({}, []),
        ({"event": "orders"}, [("unknown_event", "orders", "order")]),
        ({"event": "zzz"}, [("unknown_event", "zzz", None)]),
        ({"event": None, "formula": FORMULA}, [("unknown_event", "orders", "order")]),
        ({"measure": "sum", "property": "prices"}, [("unknown_property", "prices", "price")]),
        ({"measure": "sum", "property": "plan"}, [("no_numbers", None, None)]),
        ({"filters": [{"key": "plans", "op": "eq", "value": "pro"}]}, [("unknown_property", "plans", "plan")]),
        ({"event": "long.ago"}, [("older_only", None, None)]),
    ],
)
def test_a_preview_says_what_may_be_wrong_with_the_rule(
    workspace: Workspace, change: dict[str, Any], expected: list[tuple[str, str | None, str | None]]
) -> None:
    order = {"name": "order", "_timestamp": ago(minutes=3), "properties": {"price": 5, "plan": "pro"}}
    assert workspace.send({"events": [order, {"name": "long.ago", "_timestamp": ago(days=40)}]}).status_code == 202
    rule = {name: value for name, value in (RULE | change).items() if value is not None}
    told = post(workspace, rule, "/v1/alerts/preview").json().get("notices", [])
    assert [(each["code"], each.get("name"), each.get("suggestion")) for each in told] == expected


def test_activity_has_a_limit(workspace: Workspace) -> None:
    assert workspace.get("/v1/alerts/activity").json() == {"activity": []}
    assert workspace.get("/v1/alerts/activity", limit="200").status_code == 200
    for wrong in ("0", "-1", "x"):
        check_refusal(workspace.get("/v1/alerts/activity", limit=wrong), 400)


def test_a_history_has_every_alert_of_the_environment(workspace: Workspace) -> None:
    first, second = make_alert(workspace), make_alert(workspace, **FULL)
    history = workspace.get("/v1/alerts/history").json()
    assert history["to"] == first["createdAt"][:10]
    made = {"knownFrom": history["to"], "knownUntil": None, "firingDays": []}
    assert history["alerts"] == [{"alertId": alert["id"]} | made for alert in (first, second)]
    in_development = workspace.get("/v1/alerts/history", environment="development").json()
    assert [each["alertId"] for each in in_development["alerts"]] == [second["id"]]
    check_refusal(workspace.get("/v1/alerts/history", environment="staging"), 400)
    assert sign_up(workspace.url).get("/v1/alerts/history").json()["alerts"] == []


def test_a_preview_has_every_minute_only_if_it_is_asked(workspace: Workspace) -> None:
    assert workspace.send({"name": "order", "_timestamp": ago(minutes=3)}).status_code == 202
    assert "minutes" not in post(workspace, RULE, "/v1/alerts/preview").json()
    told = post(workspace, RULE | {"minutes": True}, "/v1/alerts/preview").json()
    assert sum(told["minutes"]["lengths"]) == 30 * 24 * 60
    assert len(told["minutes"]["values"]) == len(told["minutes"]["lengths"])
    assert told["minutes"]["values"][-1] == told["points"][-1]["value"]
