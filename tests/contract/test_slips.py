"""A slip in a name or a choice is refused with what was meant, wherever it stands (rules/safety#unknown-fields)."""

import json
from typing import Any

import pytest

from harness.clients.workspace import Workspace
from harness.oracles.listing_history import METRICS
from harness.oracles.refusal import check_refusal
from harness.suite.few import few
from tallyroom.dashboards.registry import KINDS

BOT = "583807014896140293"
NAMED = "today, yesterday, wtd, mtd, ytd, last_week, last_month, 12mo, all"
RANGES = f"must be one of 1h, 24h, 7d, 30d, 90d, {NAMED}, not "
QUESTION = {"environment": "production", "timeRange": "7d", "type": "metric"}
FILTER = {"key": "a", "op": "eq", "value": 1}


def question(**config: Any) -> dict[str, Any]:
    return QUESTION | {"config": {"event": "x", "measure": "count"} | config}


MEASURES = "must be one of count, sum, avg, min, max, uniq, uniq_actors, median, p95, p99, not "
OPS = (
    "must be one of eq, neq, contains, has, gt, gte, lt, lte, in, not_in, exists, not_exists, starts_with, regex, not "
)

BODIES: list[tuple[str, Any, list[str | int], str]] = [
    ("/v1/query", question(measure="average"), ["config", "measure"], MEASURES + "'average'; did you mean avg?"),
    (
        "/v1/query",
        question(aggregation="sum"),
        ["config", "aggregation"],
        "is not a known field; did you mean measure?",
    ),
    (
        "/v1/query",
        question(filters=[FILTER, {"property": "a", "op": "eq", "value": 1}]),
        ["config", "filters", 1, "property"],
        "is not a known field; did you mean key?",
    ),
    (
        "/v1/query",
        question(filters=[FILTER | {"op": "equals"}]),
        ["config", "filters", 0, "op"],
        OPS + "'equals'; did you mean eq?",
    ),
    (
        "/v1/query",
        QUESTION | {"type": "heatmap", "config": {"event": "x", "timezone": "Berlin"}},
        ["config", "timezone"],
        "is not an IANA time zone, such as Europe/Berlin or UTC; did you mean Europe/Berlin?",
    ),
    (
        "/v1/query",
        QUESTION | {"type": "funnel", "config": {"steps": [{"event": "x"}, {"event": "y"}], "window": 24}},
        ["config", "window"],
        "is not a known field; did you mean windowHours?",
    ),
    (
        "/v1/annotations",
        {"text": "Release"},
        ["text"],
        "is not a known field; did you mean label?",
    ),
    (
        "/v1/auth/login",
        {"username": "ann@example.com", "password": "x"},
        ["username"],
        "is not a known field; did you mean email?",
    ),
    ("/v1/query", question() | {"timeRange": "8d"}, ["timeRange"], RANGES + "'8d'"),
    ("/v1/query", question() | {"timerange": "7d"}, ["timerange"], "is not a known field; did you mean timeRange?"),
    (
        "/v1/query",
        question() | {"type": "metrics"},
        ["type"],
        f"must be one of {', '.join(sorted(KINDS))}, not 'metrics'; did you mean metric?",
    ),
    (
        "/v1/segments",
        {"name": "s", "environment": "production", "filters": [{"field": "a", "op": "exists"}]},
        ["filters", 0, "field"],
        "is not a known field; did you mean key?",
    ),
    (
        "/v1/query",
        QUESTION | {"type": "external", "config": {"sourceId": "s", "url": "https://a.example", "path": "a"}},
        ["config", "path"],
        "is not a known field; did you mean valuePath?",
    ),
    (
        "/v1/external-sources",
        {"name": "s", "hostname": "api.example.com"},
        ["hostname"],
        "is not a known field; did you mean host?",
    ),
    (
        "/v1/invites",
        {"email": "a@example.com", "role": "administrator"},
        ["role"],
        "must be one of viewer, developer, admin, owner, not 'administrator'; did you mean admin?",
    ),
    (
        "/v1/keys",
        {"name": "k", "environments": "x"},
        ["environments"],
        "is not a known field; did you mean environment?",
    ),
    ("/v1/dashboards", {"title": "d"}, ["title"], "is not a known field; did you mean name?"),
    (
        "/custom/render",
        {"data_points": [], "theme": "drak"},
        ["theme"],
        "must be one of light, dark, auto, not 'drak'; did you mean dark?",
    ),
    (
        "/custom/render",
        {"data_points": [{"series": "a", "x": 1, "y": 1}]},
        ["data_points", 0, "series"],
        "is not a known field; did you mean id?",
    ),
]


@few(4, ("path", "body", "at", "message"), BODIES, ids=lambda value: str(value)[:40])
def test_in_a_body(shared: Workspace, path: str, body: Any, at: list[str | int], message: str) -> None:
    with shared.client() as client:
        (detail,) = check_refusal(client.post(path, json=body), 400)["details"]
    assert detail == {"path": at, "message": message}


QUERIES = [
    ("/v1/actors?timeRange=8d", "timeRange", RANGES + "'8d'"),
    ("/v1/actors?timerange=7d", "timerange", "is not a known parameter; did you mean timeRange?"),
    ("/v1/events?period=7d", "period", "is not a known parameter; did you mean timeRange?"),
    ("/v1/groups?environment=production&timeRange=1d", "timeRange", RANGES + "'1d'; did you mean 24h?"),
    ("/v1/export?format=xml", "format", "must be one of ndjson, csv, parquet, not 'xml'"),
    (
        "/v1/statistics/rankings/bots?sortMethod=ASC",
        "sortMethod",
        "must be one of asc, desc, not 'ASC'; did you mean asc?",
    ),
    ("/v1/statistics/rankings/bots?sort=asc", "sort", "is not a known parameter; did you mean sortBy?"),
    (
        f"/v1/statistics/bots/{BOT}/historical?type=servers&timeFrame=7d",
        "type",
        f"must be one of {', '.join(METRICS)}, not 'servers'; did you mean server_count?",
    ),
    ("/custom/graph?data_points=[]&type=png", "type", "must be one of graph, graph.png, not 'png'"),
    (
        "/custom/graph?data_points=[]&theme=drak",
        "theme",
        "must be one of light, dark, auto, not 'drak'; did you mean dark?",
    ),
]


@few(4, ("path", "name", "message"), QUERIES)
def test_in_a_query(shared: Workspace, path: str, name: str, message: str) -> None:
    with shared.client() as client:
        (detail,) = check_refusal(client.get(path), 400)["details"]
    assert detail == {"path": [name], "message": message}


def test_in_filters_of_a_query(shared: Workspace) -> None:
    filters = json.dumps([{"property": "a", "op": "exists"}])
    (detail,) = check_refusal(shared.get("/v1/events", filters=filters), 400)["details"]
    assert detail == {"path": ["filters", 0, "property"], "message": "is not a known field; did you mean key?"}


@pytest.mark.parametrize(
    ("field", "meant"),
    [("timestamp", "_timestamp"), ("user_id", "_actor"), ("propertiez", "properties"), ("source", "_source")],
)
def test_in_an_event(shared: Workspace, field: str, meant: str) -> None:
    (detail,) = check_refusal(shared.send({"events": [{"name": "x", field: "y"}]}), 400)["details"]
    assert detail == {"path": ["events", 0, field], "message": f"is an unknown field; did you mean {meant}?"}


@pytest.mark.parametrize("length", [41, 500, 100_000])
def test_a_long_slip_is_cut(shared: Workspace, length: int) -> None:
    name = "k" * length
    with shared.client() as client:
        bodies = [
            check_refusal(client.post("/v1/query", json=question(**{name: 1})), 400),
            check_refusal(client.post("/v1/query", json=question(measure=name)), 400),
            check_refusal(client.post("/v1/query", json=question() | {"type": name}), 400),
            check_refusal(client.get("/v1/actors", params={name[:50_000]: "x"}), 400),
        ]
    for body in bodies:
        assert len(body["message"]) < 400
        assert "did you mean" not in body["message"]


def test_thousands_of_slips_are_one_refusal(shared: Workspace) -> None:
    slips = {f"slip{at}": 1 for at in range(10_000)}
    with shared.client() as client:
        body = check_refusal(client.post("/v1/query", json=question(**slips)), 400)
        assert len(body["details"]) == 1
    events = [{"name": "x", **{f"f{event}_{at}": 1 for at in range(1000)}} for event in range(10)]
    details = check_refusal(shared.send({"events": events}), 400)["details"]
    assert [detail["path"][1] for detail in details] == [0] * 20 + list(range(1, 10))
