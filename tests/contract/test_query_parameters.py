"""A query parameter is one that the route knows, once: no slip is understood (rules/safety#unknown-fields)."""

import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

# Method, path and query, and the parameter that is wrong with it.
WRONG = [
    ("GET", "/v1/actors?limit=1&limit=2", "limit"),
    ("GET", "/v1/actors?limit=1&limit=1", "limit"),
    ("GET", "/v1/actors?timeRange=1h&timeRange=90d", "timeRange"),
    ("GET", "/v1/actors?environment=production&environment=development", "environment"),
    ("GET", "/v1/actors?q=a&q=b", "q"),
    ("GET", "/v1/actors?cursor=&cursor=", "cursor"),
    ("GET", "/v1/actors?timerange=1h", "timerange"),
    ("GET", "/v1/actors?time_range=1h", "time_range"),
    ("GET", "/v1/actors?workspace=x", "workspace"),
    ("GET", "/v1/actors?actorKey=x", "actorKey"),
    ("HEAD", "/v1/actors?timerange=1h", ""),
    ("GET", "/v1/actors/a?limit=5", "limit"),
    ("GET", "/v1/actors/a?actor_key=b", "actor_key"),
    ("GET", "/v1/actors/a?timeRange=1h&timeRange=1h", "timeRange"),
    ("GET", "/v1/actor?actorKey=a&actorKey=b", "actorKey"),
    ("GET", "/v1/actor?actorkey=a", "actorkey"),
    ("DELETE", "/v1/actors/a?environments=development", "environments"),
    ("DELETE", "/v1/actors/a?timeRange=1h", "timeRange"),
    ("DELETE", "/v1/actor?actorKey=a&environment=production&environment=development", "environment"),
    ("GET", "/v1/keys?limit=5", "limit"),
    ("POST", "/v1/keys?environment=development", "environment"),
    ("DELETE", "/v1/keys/x?force=true", "force"),
    ("GET", "/v1/events/refusals?limit=5", "limit"),
    ("GET", "/v1/auth/me?verbose=1", "verbose"),
    ("GET", "/v1/actors?limit=1&q=a%ff", "q"),
    ("GET", "/v1/actor?actorKey=%C3", "actorKey"),
    ("GET", "/v1/events?actor=%ed%a0%80", "actor"),  # half of a surrogate pair
]


@few(6, ("method", "path", "name"), WRONG)
def test_a_wrong_parameter_is_400_by_name(shared: Workspace, method: str, path: str, name: str) -> None:
    with shared.client() as client:
        answer = client.request(method, path, json={} if method == "POST" else None)
    assert answer.status_code == 400
    if name:
        assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [[name]]


def test_a_slip_erases_nothing(workspace: Workspace) -> None:
    assert workspace.send({"name": "x", "_actor": "a"}).status_code == 202
    with workspace.client() as client:
        check_refusal(client.delete("/v1/actors/a?environments=development"), 400)
    assert workspace.get("/v1/actors/a").status_code == 200


def test_what_is_no_utf8_is_not_taken_for_the_character_that_says_so(workspace: Workspace) -> None:
    assert workspace.send({"name": "x", "_actor": "\ufffd"}).status_code == 202
    with workspace.client() as client:
        check_refusal(client.delete("/v1/actor?actorKey=%ff"), 400)
        assert client.get("/v1/actor?actorKey=%ef%bf%bd").status_code == 200


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/metrics", "/docs", "/docs/start.js", "/openapi.json"])
def test_what_everybody_may_see_takes_what_others_add_to_a_link(shared: Workspace, path: str) -> None:
    with shared.client() as client:
        assert client.get(f"{path}?utm_source=mail&_=1&_=2").status_code == 200


def test_options_is_answered_whatever_is_asked(shared: Workspace) -> None:
    with shared.client() as client:
        assert client.options("/v1/actors?timerange=1h&limit=1&limit=2").status_code == 204
