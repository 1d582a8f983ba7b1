"""A token that is limited to an environment sees nothing of the others (rules/people#limited-token)."""

from typing import Any

import pytest

from harness.builders.alert_messages import make_channel
from harness.clients.dashboards import (
    make_alert,
    make_annotation,
    make_dashboard,
    make_digest,
    make_segment,
    make_widget,
)
from harness.clients.groups import register
from harness.clients.stream_client import listening
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.oracles.rights import MARK, SAVED, RouteCase
from harness.oracles.route_requests import ask, make_named
from harness.oracles.token_rights import NEEDED, SCOPES, SESSION_ROUTES, takes_limited
from harness.servers.server import Server
from harness.stores.metadata_edits import put_beside
from harness.suite.few import few

ROUTES = [row for row in SESSION_ROUTES if NEEDED[str(row)] and takes_limited(row)]
OWN = "?environment=development&timeRange=7d"
DEFAULTS_TO_ITS_OWN = {
    "GET /v1/environments": 200,
    "GET /v1/events": 200,
    "GET /v1/events/stream": 403,  # it is asked for an environment that is nowhere
    "POST /v1/events/:id/hide": 404,
    "DELETE /v1/events/:id/hide": 404,
    "GET /v1/schema": 200,
    "GET /v1/actors": 200,
    "GET /v1/actors/:key": 404,
    "GET /v1/actor": 404,
    "DELETE /v1/actors/:key": 200,
    "DELETE /v1/actor": 200,
    "GET /v1/export": 200,
    "GET /v1/dashboards": 200,
    "POST /v1/dashboards": 201,
    "GET /v1/segments": 200,
    "GET /v1/digests": 200,
    "POST /v1/digests": 404,
    "GET /v1/alerts": 200,
    "GET /v1/alerts/activity": 200,
    "GET /v1/alerts/history": 200,
}
"""What the requests of the table are answered that name neither an object nor an environment."""


@pytest.fixture(scope="module")
def limited(shared: Workspace) -> str:
    """Every scope, in development; in production there is an actor alice."""
    assert shared.send({"name": "x", "_actor": "alice"}).status_code == 202
    return shared.make_token(*SCOPES, environment="development")[0]


def expected(row: RouteCase) -> int:
    """The answer to the request of the table, which is about objects of production."""
    if str(row) in DEFAULTS_TO_ITS_OWN:
        return DEFAULTS_TO_ITS_OWN[str(row)]
    return 404 if "{" in row.ask else 403


@few(3, "row", ROUTES, ids=str)
def test_what_is_of_production_is_not_there_or_refused(shared: Workspace, limited: str, row: RouteCase) -> None:
    with shared.client(limited) as client:
        answer = ask(client, row, make_named(shared, row))
    assert answer.status_code == expected(row), answer.text
    if answer.status_code == 403:
        assert check_refusal(answer, 403)["message"] == "This token can only read the development environment."


def test_each_exception_is_a_route() -> None:
    assert DEFAULTS_TO_ITS_OWN.keys() <= {str(row) for row in ROUTES}


@pytest.fixture(scope="module")
def two(server: Server) -> Workspace:
    """The same things in both environments."""
    workspace = sign_up(server.url)
    for environment in ("production", "development"):
        key, _ = workspace.make_key(environment)
        event = {"name": environment, "_actor": environment, "properties": {"team": environment}}
        assert workspace.send(event, key=key).status_code == 202
        board = make_dashboard(workspace, name=environment, environment=environment)
        make_widget(workspace, board["id"], title=environment)
        make_digest(workspace, board["id"], name=environment)
        make_segment(workspace, name=environment, environment=environment)
        make_alert(workspace, name=environment, environment=environment)
        make_annotation(workspace, label=environment, environment=environment)
    register(workspace)
    return workspace


LISTS = [
    ("/v1/environments", "environments", "name"),
    ("/v1/events?timeRange=7d", "events", "name"),
    ("/v1/actors?timeRange=7d", "actors", "actorKey"),
    ("/v1/schema?timeRange=7d", "events", "name"),
    (f"/v1/groups{OWN}", "groups", "groupKey"),
    ("/v1/dashboards", "dashboards", "name"),
    ("/v1/digests", "digests", "name"),
    ("/v1/segments", "segments", "name"),
    ("/v1/alerts", "alerts", "name"),
    ("/v1/annotations?environment=development", "annotations", "label"),
]


@pytest.mark.long
@pytest.mark.parametrize(("path", "rows", "name"), LISTS)
def test_lists_leave_out_what_is_of_another_environment(two: Workspace, path: str, rows: str, name: str) -> None:
    token, _ = two.make_token("read", environment="development")
    assert [each[name] for each in fetch(two, path, token)[rows]] == ["development"]


def fetch(workspace: Workspace, path: str, token: str | None = None) -> Any:
    """The answer to a GET."""
    with workspace.client(token) as client:
        answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_export_has_one_environment(two: Workspace) -> None:
    token, _ = two.make_token("export", environment="development")
    [line] = two.get("/v1/export", token=token).text.splitlines()
    assert '"name":"development"' in line.replace(": ", ":")
    check_refusal(two.get("/v1/export", token=token, environment="production"), 403)


def test_a_stream_hears_one_environment(workspace: Workspace) -> None:
    token, _ = workspace.make_token("read", environment="development")
    key, _ = workspace.make_key("development")
    with listening(workspace, token=token) as ear:
        assert workspace.send({"name": "elsewhere"}).status_code == 202
        assert workspace.send({"name": "here"}, key=key).status_code == 202
        assert ear.names(1) == ["here"]


@pytest.mark.long
def test_an_event_of_another_environment_can_be_neither_hidden_nor_shown(two: Workspace) -> None:
    [event] = two.get("/v1/events", name="production").json()["events"]
    path = f"/v1/events/{event['id']}/hide"
    with two.client(two.make_token("write", environment="development")[0]) as client:
        check_refusal(client.post(path), 404)
        check_refusal(client.delete(path), 404)
    with two.client(two.make_token("write", environment="production")[0]) as client:
        assert client.post(path).status_code == 204
        assert client.delete(path).status_code == 204


MOVES: list[tuple[str, str, Any]] = [
    ("PATCH", "/v1/dashboards/{board}", {"environment": "production"}),
    ("PATCH", "/v1/alerts/{alert}", {"environment": "production"}),
    ("POST", "/v1/segments", SAVED),
    ("POST", "/v1/annotations", MARK),
    ("GET", "/v1/events/stream?environment=production", None),
    ("GET", "/v1/digests?dashboardId={foreign}", None),
    ("POST", "/v1/digests", {"dashboardId": "{foreign}", "cadence": "daily", "recipients": ["a@example.com"]}),
]


@few(2, ("method", "path", "body"), MOVES)
def test_nothing_moves_to_or_names_another_environment(two: Workspace, method: str, path: str, body: Any) -> None:
    named = {each["name"]: each["id"] for each in two.get("/v1/dashboards").json()["dashboards"]}
    alerts = {each["name"]: each["id"] for each in two.get("/v1/alerts").json()["alerts"]}
    ids = {"board": named["development"], "foreign": named["production"], "alert": alerts["development"]}
    sent = body and {key: value.format_map(ids) if isinstance(value, str) else value for key, value in body.items()}
    before = everything(two)
    with two.client(two.make_token(*SCOPES, environment="development")[0]) as client:
        answer = client.request(method, path.format_map(ids), json=sent)
    check_refusal(answer, 404 if "foreign" in f"{path}{body}" else 403)
    assert everything(two) == before


def everything(workspace: Workspace) -> list[Any]:
    """What the owner sees, but for what the beats of alerts write."""
    paths = ("dashboards", "alerts", "segments", "digests", "annotations?environment=production")
    found = [fetch(workspace, f"/v1/{path}") for path in paths]
    for alert in found[1]["alerts"]:
        for written in ("status", "lastEvaluatedAt", "lastValue"):
            del alert[written]
    return found


def test_a_segment_of_another_environment_does_not_filter(two: Workspace) -> None:
    segments = {each["name"]: each["id"] for each in two.get("/v1/segments").json()["segments"]}
    config = {"event": "x", "measure": "count", "segmentId": segments["production"]}
    body = {"environment": "development", "timeRange": "7d", "type": "metric", "config": config}
    with two.client(two.make_token("read", environment="development")[0]) as client:
        limited = client.post("/v1/query", json=body)
    with two.client() as client:
        member = client.post("/v1/query", json=body)
    assert (limited.status_code, limited.json().get("message")) == (member.status_code, member.json().get("message"))


def test_a_board_that_moves_away_is_gone_with_its_widgets(workspace: Workspace) -> None:
    board = make_dashboard(workspace, environment="development")
    widget = make_widget(workspace, board["id"])
    digest = make_digest(workspace, board["id"])
    paths = [f"/v1/dashboards/{board['id']}", f"/v1/digests/{digest['id']}/preview"]
    with workspace.client(workspace.make_token(*SCOPES, environment="development")[0]) as client:
        for environment, status in (("production", 404), ("development", 200)):
            with workspace.client() as owner:
                assert owner.patch(paths[0], json={"environment": environment}).status_code == 200
            answers = [client.get(path) for path in paths] + [client.post(f"/v1/widgets/{widget['id']}/data")]
            assert [answer.status_code for answer in answers] == [status] * 3


def test_the_past_of_an_alert_stays_where_it_was(workspace: Workspace, server: Server) -> None:
    """An alert that moves does not bring along what it told of another environment."""
    alert = make_alert(workspace)
    with workspace.client() as owner:
        assert owner.patch(f"/v1/alerts/{alert['id']}", json={"environment": "development"}).status_code == 200
    note(server, workspace, alert["id"], "production")
    note(server, workspace, alert["id"], "development")
    assert len(activity(workspace, None)) == 2
    seen = activity(workspace, workspace.make_token("read", environment="development")[0])
    assert [each["alertName"] for each in seen] == ["development"]


@pytest.mark.long
def test_a_new_environment_has_nothing_of_an_earlier_one_of_its_name(workspace: Workspace, server: Server) -> None:
    with workspace.client() as owner:
        assert owner.post("/v1/environments", json={"name": "staging"}).status_code == 201
        note(server, workspace, "gone", "staging")
        assert owner.delete("/v1/environments/staging").status_code == 204
        assert owner.post("/v1/environments", json={"name": "staging"}).status_code == 201
    assert activity(workspace, workspace.make_token("read", environment="staging")[0]) == []
    assert [each["alertId"] for each in activity(workspace, None)] == ["gone"]


def activity(workspace: Workspace, token: str | None) -> list[Any]:
    return list(workspace.get("/v1/alerts/activity", token=token).json()["activity"])


def note(server: Server, workspace: Workspace, alert_id: str, environment: str) -> None:
    """A line of the history, as the evaluation writes it."""
    line = {
        "id": f"{workspace.workspace_id}{alert_id}{environment}",
        "workspace_id": workspace.workspace_id,
        "alert_id": alert_id,
        "alert_name": environment,
        "environment": environment,
        "type": "fired",
        "value": 1,
        "threshold": 1,
        "condition": "above",
        "severity": "warning",
        "at_ms": 1,
    }
    put_beside(server.data, "alert_activity", line)


def test_an_alert_of_the_environment_may_name_a_channel(workspace: Workspace) -> None:
    """Channels belong to the whole workspace; the token sees none of them."""
    channel = make_channel(workspace)
    alert = {"name": "Silence", "environment": "development", "event": "x", "condition": "nodata"}
    with workspace.client(workspace.make_token("read", "write", environment="development")[0]) as client:
        made = client.post("/v1/alerts", json=alert | {"channelIds": [channel["id"]]})
        assert (made.status_code, made.json()["channelIds"]) == (201, [channel["id"]]), made.text
        check_refusal(client.get("/v1/alert-channels"), 403)
