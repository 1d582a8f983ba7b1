"""Who is behind a number: paging, files, refusals, and whom the lists leave out (rules/questions#who-is-behind-a-number)."""

import codecs
from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.dashboards import CONFIGS, make_dashboard, make_segment, make_widget
from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.export_files import read_csv
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

ACTORS = {"event": "see", "measure": "uniq_actors"}
FUNNEL = {"steps": [{"event": "see"}, {"event": "buy"}]}
INERT = {
    "=1+1": "'=1+1",
    "+1": "'+1",
    "-1": "'-1",
    "@sum": "'@sum",
    "\t=1": "'\t'=1",
    "\r=1": "'\r'=1",
    "a;=1": "a;'=1",
    'a "quoted", name': 'a "quoted", name',
    "line\nbreak": "line\nbreak",
    "plain": "plain",
}


@pytest.fixture(scope="module")
def crowd(server: Server) -> Workspace:
    """Seven visitors with one to seven views, of whom the first two bought; and nobody."""
    workspace = sign_up(server.url)
    views = [
        {"name": "see", "_actor": f"v{number}", "_timestamp": ago(hours=hour), "properties": {"team": f"t{number % 2}"}}
        for number in range(1, 8)
        for hour in range(2, 2 + number)
    ]
    bought = [{"name": "buy", "_actor": f"v{number}", "_timestamp": ago(hours=1)} for number in (1, 2)]
    others = [{"name": "see"}, {"name": "see", "_actor": "old", "_timestamp": ago(days=20)}]
    named = [{"name": "see", "_actor": "v7", "_actorLabel": "Seven", "_timestamp": ago(days=40)}]
    assert workspace.send({"events": views + bought + others + named}).status_code == 202
    return workspace


def question(kind: str, config: Any) -> dict[str, Any]:
    return {"environment": "production", "timeRange": "7d", "type": kind, "config": config}


def asked(kind: str, config: Any, at: Any, **more: Any) -> dict[str, Any]:
    return question(kind, config) | {"at": at, **more}


def post(workspace: Workspace, path: str, body: Any, **headers: str) -> httpx.Response:
    with workspace.client() as client:
        return client.post(path, json=body, headers=headers)


def behind(workspace: Workspace, kind: str, config: Any, at: Any, **more: Any) -> Any:
    answer = post(workspace, "/v1/query/actors", asked(kind, config, at, **more))
    assert answer.status_code == 200, answer.text
    return answer.json()


def keys(listed: Any) -> list[str]:
    return [row["actorKey"] for row in listed["actors"]]


def test_a_row_is_that_of_the_actor_list(crowd: Workspace) -> None:
    listed = behind(crowd, "metric", ACTORS, {})
    assert {name: type(value) for name, value in listed.items()} == {"total": int, "actors": list, "next": type(None)}
    every = crowd.get("/v1/actors", timeRange="7d").json()["actors"]
    expected = sorted(
        ({**row, "eventCount": row["eventCount"] - (row["actorKey"] in {"v1", "v2"})} for row in every),
        key=lambda row: -row["eventCount"],
    )
    bought = ("v1", "v2")
    assert [row for row in listed["actors"] if row["actorKey"] not in bought] == expected[:5]
    assert listed["actors"][0]["label"] == "Seven"
    assert keys(listed) == [f"v{number}" for number in range(7, 0, -1)]


def test_the_total_is_the_number(crowd: Workspace) -> None:
    number = post(crowd, "/v1/query", question("metric", ACTORS))
    assert behind(crowd, "metric", ACTORS, {})["total"] == number.json()["value"] == 7


def test_pages_fit_together(crowd: Workspace) -> None:
    found, cursor = [], None
    while cursor or not found:
        more = {"cursor": cursor} if cursor else {}
        listed = behind(crowd, "metric", ACTORS, {}, limit=2, **more)
        assert listed["total"] == 7
        found += listed["actors"]
        cursor = listed["next"]
    assert found == behind(crowd, "metric", ACTORS, {}, limit=10**30)["actors"]


def test_a_cursor_is_of_onequestion(crowd: Workspace) -> None:
    cursor = behind(crowd, "metric", ACTORS, {}, limit=2)["next"]
    over_time = ACTORS | {"overTime": True}
    for body in (
        asked("metric", ACTORS, {}, cursor=cursor) | {"timeRange": "30d"},
        asked("metric", over_time, {}, cursor=cursor),
        asked("kpi", {"items": [ACTORS]}, {"item": 0}, cursor=cursor),
        asked("metric", ACTORS, {}, cursor=""),
        asked("metric", ACTORS, {}, cursor="nonsense"),
    ):
        refusal = check_refusal(post(crowd, "/v1/query/actors", body), 400)
        assert [detail["path"] for detail in refusal["details"]] == [["cursor"]]


@pytest.mark.long
def test_a_widget_and_its_filters(crowd: Workspace) -> None:
    board = make_dashboard(crowd, timeRange="30d")["id"]
    teams = {"filters": [{"key": "team", "op": "eq", "value": "t1"}]}
    segment = make_segment(crowd, **teams)["id"]
    plain = make_widget(crowd, board, type="metric", config=ACTORS)["id"]
    narrowed = make_widget(crowd, board, type="metric", config=ACTORS | {"segmentId": segment})["id"]
    for widget, body, expected in (
        (plain, None, ["v7", "v6", "v5", "v4", "v3", "v2", "old", "v1"]),
        (plain, {"timeRange": "7d", "limit": 1}, ["v7"]),
        (plain, teams, ["v7", "v5", "v3", "v1"]),
        (narrowed, {}, ["v7", "v5", "v3", "v1"]),
        (narrowed, {"at": {}, "filters": [{"key": "_actor", "op": "neq", "value": "v7"}]}, ["v5", "v3", "v1"]),
    ):
        answer = post(crowd, f"/v1/widgets/{widget}/actors", body)
        assert answer.status_code == 200, answer.text
        assert keys(answer.json()) == expected
        narrowed_alike = {name: value for name, value in (body or {}).items() if name not in {"at", "limit"}}
        number = post(crowd, f"/v1/widgets/{widget}/data", narrowed_alike).json()["value"]
        assert answer.json()["total"] == number


def test_the_filters_of_a_dashboard_apply(crowd: Workspace) -> None:
    board = make_dashboard(crowd, filters=[{"key": "team", "op": "eq", "value": "t0"}])["id"]
    for fields, expected in (({}, ["v6", "v4", "v2"]), ({"ignoreDashboardFilters": True}, None)):
        widget = make_widget(crowd, board, type="metric", config=ACTORS, **fields)["id"]
        listed = post(crowd, f"/v1/widgets/{widget}/actors", {}).json()
        assert expected is None or keys(listed) == expected
        assert listed["total"] == post(crowd, f"/v1/widgets/{widget}/data", {}).json()["value"]


def test_a_funnel_of_groups_lists_groups(server: Server) -> None:
    workspace = sign_up(server.url)
    events = [
        {"name": name, "_timestamp": ago(hours=hours), "properties": {"team": team}}
        for name, hours, team in (("see", 3, "a"), ("buy", 2, "a"), ("see", 3, "b"), ("see", 2, "b"), ("see", 1, 42))
    ]
    assert workspace.send({"events": events}).status_code == 202
    with workspace.client() as client:
        assert client.post("/v1/groups/keys", json={"propKey": "team"}).status_code == 201
    config = FUNNEL | {"count": "group"}
    listed = behind(workspace, "funnel", config, {"step": 1, "outcome": "reached"})
    times = {row["groupKey"]: row["lastSeen"] for row in listed.pop("groups")}
    assert listed == {"total": 2, "next": None}
    assert times == {
        row["groupKey"]: row["lastSeen"]
        for row in workspace.get("/v1/groups", environment="production", timeRange="7d").json()["groups"]
    }
    dropped = behind(workspace, "funnel", config, {"step": 1, "outcome": "dropped"})
    assert [(row["groupKey"], row["eventCount"]) for row in dropped["groups"]] == [("b", 2)]
    for hours, has_time in ((24, True), (1, False)):
        for outcome, is_listed in (("waiting", has_time), ("stopped", not has_time)):
            at = {"step": 1, "outcome": outcome}
            groups = behind(workspace, "funnel", config | {"windowHours": hours}, at)["groups"]
            assert ("b" in {row["groupKey"] for row in groups}) == is_listed, (hours, outcome)
    answer = post(
        workspace, "/v1/query/actors", asked("funnel", config, {"step": 1, "outcome": "reached"}), accept="text/csv"
    )
    assert answer.headers["content-disposition"] == 'attachment; filename="groups.csv"'
    assert read_csv(answer.content) == [
        ["groupKey", "eventCount", "lastSeen"],
        *([group, "2", times[group]] for group in ("a", "b")),
    ]


def test_csv_has_all_and_no_formula(server: Server) -> None:
    workspace = sign_up(server.url)
    events = [
        {"name": "see", "_actor": f"{text}{number}", "_actorLabel": text} for text in INERT for number in range(30)
    ]
    assert workspace.send({"events": events}).status_code == 202
    body = asked("metric", ACTORS, {}, limit=1)
    answer = post(workspace, "/v1/query/actors", body, accept="text/csv, */*;q=0.1")
    assert (answer.status_code, answer.headers.get_list("content-type")) == (
        200,
        ["text/csv; header=present; charset=utf-8"],
    )
    assert answer.content.count(codecs.BOM_UTF8) == 1
    assert answer.content.startswith(codecs.BOM_UTF8)
    assert answer.headers["content-disposition"] == 'attachment; filename="actors.csv"'
    header, *rows = read_csv(answer.content)
    assert header == ["actorKey", "label", "eventCount", "firstSeen", "lastSeen"]
    assert len(rows) == len(events)
    assert sorted(row[:3] for row in rows) == sorted(
        [f"{inert}{number}", inert, "1"] for inert in INERT.values() for number in range(30)
    )
    for accept in ("*/*", "application/json", "text/*", "text/csv;q=0"):
        assert len(post(workspace, "/v1/query/actors", body, accept=accept).json()["actors"]) == 1


WRONG: list[tuple[str, Any, Any, list[Any]]] = [
    ("metric", ACTORS, {"t": "2026-11-20T00:00:00.000Z"}, ["at"]),
    ("metric", ACTORS, {"label": "x"}, ["at"]),
    ("metric", ACTORS, {"item": 0}, ["at"]),
    ("metric", ACTORS, {"nonsense": 0}, ["at", "nonsense"]),
    ("metric", ACTORS, {"t": 5}, ["at", "t"]),
    ("metric", ACTORS, [], ["at"]),
    ("metric", ACTORS, None, ["at"]),
    ("metric", ACTORS | {"overTime": True}, {"t": "2026-11-20"}, ["at", "t"]),
    ("metric", ACTORS | {"overTime": True}, {"label": "x", "t": "2026-11-20"}, ["at"]),
    ("metric", ACTORS | {"breakdown": "team"}, {"label": None}, ["at", "kind"]),
    ("metric", ACTORS | {"breakdown": "team"}, {"label": "x", "kind": "none"}, ["at", "kind"]),
    ("metric", ACTORS | {"breakdown": "team"}, {"label": None, "kind": "x"}, ["at", "kind"]),
    ("kpi", {"items": [ACTORS]}, {}, ["at"]),
    ("kpi", {"items": [ACTORS]}, {"item": 1}, ["at", "item"]),
    ("kpi", {"items": [ACTORS]}, {"item": -1}, ["at", "item"]),
    ("funnel", FUNNEL, {}, ["at"]),
    ("funnel", FUNNEL, {"step": 1}, ["at"]),
    ("funnel", FUNNEL, {"step": 0, "outcome": "reached"}, ["at", "step"]),
    ("funnel", FUNNEL, {"step": 3, "outcome": "reached"}, ["at", "step"]),
    ("funnel", FUNNEL, {"step": 2, "outcome": "dropped"}, ["at", "outcome"]),
    ("funnel", FUNNEL, {"step": 2, "outcome": "waiting"}, ["at", "outcome"]),
    ("funnel", FUNNEL, {"step": 1, "outcome": "left"}, ["at", "outcome"]),
    ("retention", {"cohortEvent": "see"}, {"cohort": "2026-11-20"}, ["at"]),
    ("retention", {"cohortEvent": "see"}, {"cohort": "2001-01-01T00:00:00.000Z", "period": 0}, ["at", "cohort"]),
    ("histogram", {"event": "see", "property": "n"}, {"bucket": 0}, ["at", "bucket"]),
    ("histogram", {"event": "see", "property": "n"}, {"bucket": 10**30}, ["at", "bucket"]),
    ("heatmap", {"event": "see"}, {"cell": [7, 0]}, ["at", "cell", 0]),
    ("heatmap", {"event": "see"}, {"cell": [0, 24]}, ["at", "cell", 1]),
    ("heatmap", {"event": "see"}, {"cell": [0]}, ["at", "cell"]),
    ("table", CONFIGS["table"], {}, ["at"]),
    ("note", CONFIGS["note"], {}, ["at"]),
    ("formula", {"a": ACTORS, "expression": "a"}, {"item": 0}, ["at"]),
    ("formula", {"a": ACTORS, "expression": "a", "breakdown": "p"}, {"label": None, "kind": "none"}, ["at"]),
    ("nonsense", {}, {}, ["type"]),
]


@few(7, ("kind", "config", "at", "path"), WRONG)
def test_what_no_answer_has_is_refused(crowd: Workspace, kind: str, config: Any, at: Any, path: list[Any]) -> None:
    refusal = check_refusal(post(crowd, "/v1/query/actors", asked(kind, config, at)), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]


def test_a_period_that_has_not_begun_is_refused(crowd: Workspace) -> None:
    config = {"cohortEvent": "see", "periods": 3}
    *_, last = post(crowd, "/v1/query", question("retention", config)).json()["cohorts"]
    body = asked("retention", config, {"cohort": last["start"], "period": 1})
    assert check_refusal(post(crowd, "/v1/query/actors", body), 400)["details"][0]["path"] == ["at", "period"]


@pytest.mark.parametrize("limit", [0, -1, 1.5, "2"])
def test_a_limit_is_a_number_of_rows(crowd: Workspace, limit: Any) -> None:
    refusal = check_refusal(post(crowd, "/v1/query/actors", asked("metric", ACTORS, {}, limit=limit)), 400)
    assert refusal["details"][0]["path"] == ["limit"]


def test_members_of_the_workspace_only(crowd: Workspace, server: Server) -> None:
    widget = make_widget(crowd, make_dashboard(crowd)["id"], type="metric", config=ACTORS)["id"]
    path, stranger = f"/v1/widgets/{widget}/actors", sign_up(server.url)
    check_refusal(post(stranger, path, {}), 404)
    with add_member(crowd, "viewer").client() as client:
        assert client.post(path, json={}).status_code == 200
        assert client.post("/v1/query/actors", json=asked("metric", ACTORS, {})).status_code == 200
    assert behind(stranger, "metric", ACTORS, {}) == {"total": 0, "actors": [], "next": None}


@pytest.mark.long
def test_hidden_and_erased_events_are_behind_nothing(workspace: Workspace) -> None:
    events = [
        {"name": name, "_actor": actor, "_timestamp": ago(hours=hours), "properties": {"n": 1}}
        for actor in ("hid", "gone", "here")
        for name, hours in (("see", 2), ("buy", 1))
    ]
    assert workspace.send({"events": events}).status_code == 202
    for event in workspace.get("/v1/events", actor="hid").json()["events"]:
        assert post(workspace, f"/v1/events/{event['id']}/hide", None).status_code == 204
    with workspace.client() as client:
        assert client.delete("/v1/actors/gone").status_code == 200
    retention = {"cohortEvent": "see", "returnEvent": "buy", "periods": 2, "granularity": "month"}
    cohorts = post(workspace, "/v1/query", question("retention", retention)).json()["cohorts"]
    start = next(each["start"] for each in cohorts if each["size"])
    for kind, config, at in (
        ("metric", ACTORS, {}),
        ("kpi", {"items": [ACTORS]}, {"item": 0}),
        ("funnel", FUNNEL, {"step": 2, "outcome": "reached"}),
        ("retention", retention, {"cohort": start, "period": 0}),
        ("histogram", {"event": "see", "property": "n"}, {"bucket": 0}),
        ("heatmap", {"event": "see"}, {}),
    ):
        listed = behind(workspace, kind, config, at)
        assert (listed["total"], keys(listed)) == (1, ["here"]), kind


def test_not_for_the_public(crowd: Workspace) -> None:
    board = make_dashboard(crowd, isPublic=True)
    widget = make_widget(crowd, board["id"], type="metric", config=ACTORS)["id"]
    answer = httpx.post(
        f"{crowd.url}/v1/public/dashboards/{board['slug']}/widgets/{widget}/actors", json={}, timeout=30
    )
    assert answer.status_code == 404
    for path in (f"/v1/widgets/{widget}/actors", "/v1/query/actors"):
        with crowd.client(crowd.key) as client:
            check_refusal(client.post(path, json={}), 401)
