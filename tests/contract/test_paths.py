"""A slash at the end of a path changes nothing; two in a row are no path (rules/safety#response-format)."""

from typing import Any

import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

EVENT = {"name": "x", "_actor": "alice"}
KEY = {"name": "k", "environment": "production"}

# Method, path, body, and the status of a request by whom it is meant for.
PATHS: list[tuple[str, str, Any, int]] = [
    ("GET", "/healthz", None, 200),
    ("GET", "/metrics", None, 200),
    ("GET", "/docs", None, 200),
    ("GET", "/openapi.json", None, 200),
    ("GET", "/v1/auth/me", None, 200),
    ("GET", "/v1/keys", None, 200),
    ("POST", "/v1/keys", KEY, 201),
    ("POST", "/v1/events", EVENT, 202),
    ("POST", "/v1/events", {"events": [EVENT] * 3}, 202),
    ("GET", "/v1/events", None, 200),
    ("OPTIONS", "/v1/events", None, 204),
    ("GET", "/v1/events/refusals", None, 200),
    ("GET", "/v1/actors", None, 200),
    ("GET", "/v1/actors/alice", None, 200),
    ("HEAD", "/v1/actors/alice", None, 200),
    ("GET", "/v1/actor", None, 400),
    ("PUT", "/v1/keys", None, 405),
    ("GET", "/v1/nope", None, 404),
]


def ask(workspace: Workspace, method: str, path: str, body: Any) -> Any:
    token = workspace.key if method == "POST" and path.startswith("/v1/events") else None
    with workspace.client(token) as client:
        return client.request(method, f"{workspace.url}{path}", json=body)


@pytest.fixture(scope="module", autouse=True)
def alice(shared: Workspace) -> None:
    assert shared.send(EVENT).status_code == 202


@few(4, ("method", "path", "body", "status"), PATHS)
def test_a_slash_at_the_end_changes_nothing(shared: Workspace, method: str, path: str, body: Any, status: int) -> None:
    plain, slashed = (ask(shared, method, f"{path}{end}", body) for end in ("", "/"))
    assert (plain.status_code, slashed.status_code) == (status, status)
    assert plain.headers.get("allow") == slashed.headers.get("allow")
    assert slashed.headers["x-request-id"]


@pytest.mark.parametrize("double", ["{path}//", "/{path}", "/{path}/"])
@pytest.mark.parametrize(("method", "path", "body", "status"), PATHS)
def test_two_slashes_in_a_row_are_no_path(
    shared: Workspace, method: str, path: str, body: Any, status: int, double: str
) -> None:
    answer = ask(shared, method, double.format(path=path), body)
    assert answer.status_code == 404
    assert answer.headers["x-request-id"]
    if method != "HEAD":
        check_refusal(answer, 404)


def test_the_root_has_one_slash(shared: Workspace) -> None:
    assert ask(shared, "GET", "/", None).status_code == 200
    check_refusal(ask(shared, "GET", "//", None), 404)


def test_slashes_of_an_actor_key_are_its_own(shared: Workspace) -> None:
    assert shared.send({"name": "x", "_actor": "a//b/"}).status_code == 202
    assert ask(shared, "GET", "/v1/actors/a%2F%2Fb%2F", None).json()["actorKey"] == "a//b/"
    check_refusal(ask(shared, "GET", "/v1/actors//alice", None), 404)
