"""What is different about a number, over HTTP: the answer, its refusals, and whom it leaves out (rules/questions#differences)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from harness.clients.dashboards import CONFIGS, make_dashboard, make_segment, make_widget
from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

DAILY = {"event": "error", "measure": "count", "overTime": True, "interval": "day"}
BY_SHARD = {"event": "error", "measure": "count", "breakdown": "shard"}
FUNNEL = {"steps": [{"event": "error"}, {"event": "retry"}]}
TODAY = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
BAD_DAY = TODAY - timedelta(days=2)


def stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


MONTH = {"from": stamp(TODAY - timedelta(days=30)), "to": stamp(TODAY + timedelta(days=1))}


def make_error(moment: datetime, number: int, *, is_unlike: bool) -> dict[str, Any]:
    properties = {"shard": f"s{2 if is_unlike else number % 4}", "plan": "abc"[number % 3], "ok": number % 2 == 0}
    timestamp = stamp(moment + timedelta(minutes=number))
    return {"name": "error", "_actor": f"u{number}", "_timestamp": timestamp, "properties": properties}


@pytest.fixture(scope="module")
def errors(server: Server) -> Workspace:
    """Ten errors a day for ten weeks, and sixty on one day, all of which are on one shard; some actors retried."""
    workspace = sign_up(server.url)
    days = [TODAY - timedelta(days=days_back) for days_back in range(1, 70)]
    events = [make_error(day, number, is_unlike=False) for day in days for number in range(10)]
    events += [make_error(BAD_DAY, number, is_unlike=True) for number in range(10, 70)]
    events += [{"name": "retry", "_actor": f"u{number}", "_timestamp": stamp(TODAY)} for number in range(30, 70)]
    for start in range(0, len(events), 500):
        assert workspace.send({"events": events[start : start + 500]}).status_code == 202
    return workspace


def post(workspace: Workspace, path: str, body: Any) -> httpx.Response:
    with workspace.client() as client:
        return client.post(path, json=body)


def asked(kind: str, config: Any, at: Any, **more: Any) -> dict[str, Any]:
    return {"environment": "production", **MONTH, "type": kind, "config": config, "at": at, **more}


def differences(workspace: Workspace, kind: str, config: Any, at: Any, **more: Any) -> Any:
    answer = post(workspace, "/v1/query/differences", asked(kind, config, at, **more))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_day_is_unlike_the_others(errors: Workspace) -> None:
    found = differences(errors, "metric", DAILY, {"t": stamp(BAD_DAY)})
    first = found["properties"][0]
    assert (found["unit"], found["events"], found["of"]) == ("event", 70, 360)
    assert (first["key"], first["value"], first["count"]) == ("shard", "s2", 62)
    assert first["share"] == pytest.approx(62 / 70)
    assert first["lift"] == pytest.approx(first["share"] / first["everybody"])
    assert first["filter"] == {"key": "shard", "op": "eq", "value": "s2"}
    assert {row["key"] for row in found["properties"]} == {"shard"}
    assert found["usual"] == {"low": pytest.approx(10 - 3 * 10**0.5), "high": pytest.approx(10 + 3 * 10**0.5)}


def test_a_line_is_a_filter(errors: Workspace) -> None:
    first = differences(errors, "metric", DAILY, {"t": stamp(BAD_DAY)})["properties"][0]
    filtered = asked("metric", DAILY | {"filters": [first["filter"]]}, None)
    del filtered["at"]
    points = post(errors, "/v1/query", filtered).json()["points"]
    assert {point["t"]: point["value"] for point in points}[stamp(BAD_DAY)] == first["count"]


def test_actors_are_compared_by_all_their_events(errors: Workspace) -> None:
    found = differences(errors, "metric", DAILY, {"t": stamp(BAD_DAY)}, by="actors")
    assert (found["unit"], found["events"], found["of"], found["properties"]) == ("actor", 70, 70, [])


def test_a_label_is_not_different_in_its_label(errors: Workspace) -> None:
    found = differences(errors, "metric", BY_SHARD, {"label": "s2"})
    assert "shard" not in {row["key"] for row in found["properties"]}
    assert found["usual"] is None


def test_a_funnel_compares_its_units(errors: Workspace) -> None:
    found = differences(errors, "funnel", FUNNEL, {"step": 2, "outcome": "reached"})
    assert (found["unit"], found["events"], found["of"]) == ("actor", 40, 70)
    assert [row["value"] for row in found["properties"] if row["key"] == "shard"] == []
    refusal = check_refusal(
        post(errors, "/v1/query/differences", asked("funnel", FUNNEL, {"step": 2, "outcome": "reached"}, by="events")),
        400,
    )
    assert refusal["details"][0]["path"] == ["by"]


def test_a_widget_its_filters_and_its_segment(errors: Workspace) -> None:
    segment = make_segment(errors, filters=[{"key": "plan", "op": "eq", "value": "a"}])["id"]
    widget = make_widget(errors, make_dashboard(errors)["id"], type="metric", config=DAILY | {"segmentId": segment})[
        "id"
    ]
    body = MONTH | {"at": {"t": stamp(BAD_DAY)}, "filters": [{"key": "ok", "op": "eq", "value": True}]}
    answer = post(errors, f"/v1/widgets/{widget}/differences", body)
    assert answer.status_code == 200, answer.text
    expected = [number for number in range(70) if number % 3 == 0 and number % 2 == 0]
    assert (answer.json()["events"], answer.json()["of"]) == (len(expected), len(expected) + 29 * 2)


WRONG: list[tuple[str, Any, Any, dict[str, Any], list[Any]]] = [
    ("metric", DAILY, {}, {}, ["at"]),
    ("metric", DAILY, {"t": "2001-01-01T00:00:00.000Z"}, {}, ["at", "t"]),
    ("metric", {"event": "error", "measure": "count"}, {}, {}, ["at"]),
    ("metric", BY_SHARD, {"label": None}, {}, ["at", "kind"]),
    ("heatmap", {"event": "error"}, {}, {}, ["at"]),
    ("heatmap", {"event": "error"}, {"cell": [0, 0]}, {"limit": 51}, ["limit"]),
    ("heatmap", {"event": "error"}, {"cell": [0, 0]}, {"limit": 0}, ["limit"]),
    ("heatmap", {"event": "error"}, {"cell": [0, 0]}, {"by": "groups"}, ["by"]),
    ("histogram", {"event": "error", "property": "n"}, {}, {}, ["at"]),
    ("retention", {"cohortEvent": "error"}, {}, {}, ["at"]),
    ("funnel", FUNNEL, {"step": 3, "outcome": "reached"}, {}, ["at", "step"]),
    ("kpi", {"items": [{"event": "error", "measure": "count"}]}, {"item": 0}, {}, ["at"]),
    ("table", CONFIGS["table"], {}, {}, ["at"]),
    ("note", CONFIGS["note"], {}, {}, ["at"]),
]


@few(6, ("kind", "config", "at", "more", "path"), WRONG)
def test_what_has_no_differences_is_refused(  # a table of refusals
    errors: Workspace, kind: str, config: Any, at: Any, more: dict[str, Any], path: list[Any]
) -> None:
    refusal = check_refusal(post(errors, "/v1/query/differences", asked(kind, config, at, **more)), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]


def test_members_of_the_workspace_only(errors: Workspace, server: Server) -> None:
    board = make_dashboard(errors, isPublic=True)
    widget = make_widget(errors, board["id"], type="metric", config=DAILY)["id"]
    path, stranger = f"/v1/widgets/{widget}/differences", sign_up(server.url)
    body = MONTH | {"at": {"t": stamp(BAD_DAY)}}
    check_refusal(post(stranger, path, body), 404)
    with add_member(errors, "viewer").client() as client:
        assert client.post(path, json=body).status_code == 200
    with errors.client(errors.key) as client:
        check_refusal(client.post(path, json=body), 401)
    public_path = f"{errors.url}/v1/public/dashboards/{board['slug']}/widgets/{widget}/differences"
    assert httpx.post(public_path, json=body, timeout=30).status_code == 404
    found = differences(stranger, "metric", DAILY, {"t": stamp(BAD_DAY)})
    assert (found["events"], found["of"], found["properties"], found["usual"]) == (0, 0, [], None)


@pytest.mark.long
def test_hidden_events_are_no_difference(errors: Workspace) -> None:
    before = differences(errors, "metric", DAILY, {"t": stamp(BAD_DAY)})
    [event] = errors.get("/v1/events", actor="u69").json()["events"][:1]
    assert post(errors, f"/v1/events/{event['id']}/hide", None).status_code == 204
    after = differences(errors, "metric", DAILY, {"t": stamp(BAD_DAY)})
    is_error = event["name"] == "error"
    assert after["events"] == before["events"] - is_error
