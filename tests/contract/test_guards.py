"""Each route has exactly one guard, the one in this table, which lets in whom the table says (contract 2)."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import harness.routes
from harness.refusal import check_refusal
from harness.server import Server
from harness.viewer import add_viewer
from harness.workspace import PASSWORD, Workspace, sign_up
from tallyroom.auth.guards import GUARDS

WHO = ["anonymous", "revoked key", "production key", "development key", "viewer", "owner", "stranger"]


class Row(NamedTuple):
    """A route, a request to it, and the status that each of WHO gets."""

    method: str
    path: str
    guard: str
    statuses: list[int]
    ask: str = ""
    body: Any = None


ANYBODY = [200] * 7
SIGNED_IN = [401, 401, 401, 401, 200, 200, 200]
# The stranger is the owner of another workspace: what is named in the path is not there for him.
TABLE = [
    Row("GET", "/", "public", ANYBODY),
    Row("GET", "/healthz", "public", ANYBODY),
    Row("GET", "/readyz", "public", ANYBODY),
    Row("GET", "/metrics", "public", ANYBODY),
    Row("GET", "/docs", "public", ANYBODY),
    Row("GET", "/docs/:asset", "public", ANYBODY, "/docs/swagger-ui.css"),
    Row("GET", "/openapi.json", "public", ANYBODY),
    Row("POST", "/v1/auth/signup", "public", [400] * 7, body={}),
    Row("POST", "/v1/auth/login", "public", [400] * 7, body={}),
    Row("GET", "/v1/auth/me", "require_session", SIGNED_IN),
    Row("POST", "/v1/auth/logout", "require_session", [401, 401, 401, 401, 204, 204, 204]),
    Row("GET", "/v1/keys", "require_member", SIGNED_IN),
    Row(
        "POST",
        "/v1/keys",
        "require_developer",
        [401, 401, 401, 401, 403, 201, 201],
        body={"name": "k", "environment": "production"},
    ),
    Row(
        "DELETE",
        "/v1/keys/:id",
        "require_developer",
        [401, 401, 401, 401, 403, 204, 404],
        ask="/v1/keys/{doomed_key_id}",
    ),
    Row("POST", "/v1/events", "require_key", [401, 401, 202, 202, 401, 401, 401], body={"name": "x"}),
    Row("GET", "/v1/events/refusals", "require_member", SIGNED_IN),
    Row("GET", "/v1/actors", "require_member_or_key", [401, 401, 200, 200, 200, 200, 200]),
    Row("GET", "/v1/actors/:key", "require_member_or_key", [401, 401, 200, 404, 200, 200, 404], ask="/v1/actors/alice"),
    Row(
        "GET", "/v1/actor", "require_member_or_key", [401, 401, 200, 404, 200, 200, 404], ask="/v1/actor?actorKey=alice"
    ),
    Row("DELETE", "/v1/actors/:key", "require_developer", [401, 401, 401, 401, 403, 200, 200], ask="/v1/actors/bob"),
    Row("DELETE", "/v1/actor", "require_developer", [401, 401, 401, 401, 403, 200, 200], ask="/v1/actor?actorKey=bob"),
]

NOT_IN_THE_REFERENCE = {"/", "/docs", "/docs/:", "/openapi.json"}


def template(path: str) -> str:
    """`path` without the names of its parameters."""
    return re.sub(r"\{[^}]*\}|:\w+", ":", path)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    command = [sys.executable, str(Path(harness.routes.__file__)), str(tmp_path_factory.mktemp("routes"))]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout)


def test_every_route_stands_in_the_table_with_its_one_guard(found: Any) -> None:
    routes = sorted((method, template(path), guards) for method, path, guards in found["routes"])
    assert routes == sorted((row.method, template(row.path), [row.guard]) for row in TABLE)
    assert found["others"] == []  # no mounts, no websockets


def test_every_guard_of_the_table_is_one_of_the_guards() -> None:
    assert {row.guard for row in TABLE} <= {guard.__name__ for guard in GUARDS}


def test_every_route_is_in_the_reference(server: Server, shared: Workspace) -> None:
    document = shared.get("/openapi.json").json()
    documented = {(method.upper(), template(path)) for path, methods in document["paths"].items() for method in methods}
    assert documented == {(row.method, template(row.path)) for row in TABLE} - {
        ("GET", path) for path in NOT_IN_THE_REFERENCE
    }


@pytest.fixture(scope="module")
def people(server: Server, shared: Workspace) -> dict[str, str | None]:
    """A credential of each of WHO; in the workspace there is an actor alice."""
    assert shared.send({"name": "x", "_actor": "alice"}).status_code == 202
    revoked, key_id = shared.make_key()
    with shared.client() as client:
        assert client.delete(f"/v1/keys/{key_id}").status_code == 204
    return {
        "anonymous": None,
        "revoked key": revoked,
        "production key": shared.key,
        "development key": shared.make_key("development")[0],
        "viewer": add_viewer(server, shared),
        "owner": shared.session_token,
        "stranger": sign_up(server.url).session_token,
    }


@pytest.fixture(scope="module")
def doomed_key_id(shared: Workspace) -> str:
    return shared.make_key()[1]


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.method} {row.path}")
def test_who_gets_in(
    server: Server, shared: Workspace, people: dict[str, str | None], doomed_key_id: str, row: Row, who: str
) -> None:
    credential, status = people[who], row.statuses[WHO.index(who)]
    if row.path == "/v1/auth/logout" and status == 204:
        credential = sign_up(server.url).session_token  # the others are still needed
    with shared.client(credential) as client:
        if credential is None:
            del client.headers["authorization"]
        path = (row.ask or row.path).format(doomed_key_id=doomed_key_id)
        answer = client.request(row.method, path, json=row.body)
    assert answer.status_code == status, answer.text
    if status >= 400:
        check_refusal(answer, status)


def test_after_logout_the_token_is_worthless(server: Server) -> None:
    workspace = sign_up(server.url)
    with workspace.client() as client:
        assert client.post("/v1/auth/logout").status_code == 204
        for row in TABLE:
            if row.guard not in {"public", "require_key"}:
                path = (row.ask or row.path).format(doomed_key_id="x")
                check_refusal(client.request(row.method, path, json=row.body), 401)
        body = {"email": workspace.email, "password": PASSWORD}
        again = client.post("/v1/auth/login", json=body).headers["x-session-token"]
        assert client.get("/v1/keys", headers={"authorization": f"Bearer {again}"}).status_code == 200


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.method} {row.path}")
def test_options_tells_the_methods_and_nothing_else(shared: Workspace, row: Row) -> None:
    if row.path == "/v1/events":
        pytest.skip("goes around the framework")
    with shared.client() as client:
        answer = client.options((row.ask or row.path).format(doomed_key_id="x"))
    assert (answer.status_code, answer.content) == (204, b"")
