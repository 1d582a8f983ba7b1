"""Each route has exactly one guard, the one in this table, which lets in whom the table says (rules/people#guards)."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import harness.oracles.routes
from harness.clients.member import add_member
from harness.clients.workspace import PASSWORD, Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.oracles.rights import BOT, BY_PROGRAM, BY_TOKEN, ELSEWHERE, INGEST_KEY, MEMBERS, TABLE, WHO, RouteCase
from harness.oracles.route_requests import ask, make_named, path_of
from harness.servers.server import Server
from harness.suite.few import few
from tallyroom.auth.guards import GUARDS
from tallyroom.core.settings import Settings
from tallyroom.rest.hosts import SERVER_SEGMENTS

NOT_IN_THE_REFERENCE = {"/", "/docs", "/docs/:", "/openapi.json", "/sign-in/:", "/unsubscribe/:", "/p/:", "/public/:"}


def template(path: str) -> str:
    """`path` without the names of its parameters."""
    return re.sub(r"\{[^}]*\}|:\w+", ":", path)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    command = [sys.executable, str(Path(harness.oracles.routes.__file__)), str(tmp_path_factory.mktemp("routes"))]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout)


def test_every_route_stands_in_the_table_with_its_one_guard(found: Any) -> None:
    routes = sorted((method, template(path), guards) for method, path, guards in found["routes"])
    assert routes == sorted((row.method, template(row.path), [row.guard]) for row in TABLE)
    assert found["others"] == []  # no mounts, no websockets


def test_no_platform_can_take_the_path_of_another_route(found: Any) -> None:
    first = {path.split("/")[1] for _, path, _ in found["routes"]}
    assert first - {"", *Settings().platforms} == SERVER_SEGMENTS - {"assets"}  # which the web app has


def test_every_guard_of_the_table_is_one_of_the_guards() -> None:
    assert {row.guard for row in TABLE} <= {guard.__name__ for guard in GUARDS}


def test_every_route_is_in_the_reference(server: Server, shared: Workspace) -> None:
    document = shared.get("/openapi.json").json()
    documented = {(method.upper(), template(path)) for path, methods in document["paths"].items() for method in methods}
    assert documented == {(row.method, template(row.path)) for row in TABLE} - {
        (method, path) for path in NOT_IN_THE_REFERENCE for method in ("GET", "POST")
    }


@pytest.fixture(scope="module")
def people(server: Server, shared: Workspace) -> dict[str, str | None]:
    """A credential of each of WHO; in the workspace there is an actor alice, and the bot that the cases name."""
    assert shared.send({"name": "x", "_actor": "alice"}).status_code == 202
    revoked, key_id = shared.make_key()
    revoked_token, token_id = shared.make_stats_token("write")
    removed = add_member(shared, "owner")
    with shared.client() as client:
        assert client.delete(f"/v1/keys/{key_id}").status_code == 204
        assert client.delete(f"/v1/stats-tokens/{token_id}").status_code == 204
    found = {
        "anonymous": None,
        "revoked key": revoked,
        "revoked token": revoked_token,
        "read token": shared.make_stats_token("read")[0],
        "write token": shared.make_stats_token("write")[0],
        "bot token": shared.make_stats_token("bot", BOT)[0],
        "production key": shared.key,
        "development key": shared.make_key("development")[0],
        INGEST_KEY: shared.make_key(kind="ingest")[0],
        **{role: add_member(shared, role).session_token for role in MEMBERS[:-1]},
        "owner": shared.session_token,
        ELSEWHERE: sign_up(server.url).session_token,
        "removed member": removed.session_token,
    }
    with shared.client(found["write token"]) as client:
        assert client.put(f"/chat/bots/{BOT}", json={"name": "b"}).is_success
    with removed.client() as client:
        assert client.get("/v1/members").status_code == 200
    with shared.client() as client:
        assert client.delete(f"/v1/members/{removed.user_id}").status_code == 204
    return found


@few(20, "row", TABLE, ids=str)
def test_who_gets_in(server: Server, shared: Workspace, people: dict[str, str | None], row: RouteCase) -> None:
    answers: dict[str, httpx.Response] = {}
    left = make_named(shared, row)  # by whoever is refused or only reads, to the next
    with shared.client() as client:
        for who in WHO:
            credential = people[who]
            if row.path in {"/v1/auth/logout", "/v1/auth/sessions"} and who in {*MEMBERS, ELSEWHERE}:
                credential = sign_up(server.url).session_token  # theirs are still needed
            client.cookies.clear()
            client.headers["authorization"] = f"Bearer {credential}"
            if credential is None:
                del client.headers["authorization"]
            stays = row.expected(who) >= 400 or row.method == "GET"
            answers[who] = ask(client, row, left if stays else make_named(shared, row))
    assert {who: answer.status_code for who, answer in answers.items()} == {who: row.expected(who) for who in WHO}
    for answer in answers.values():
        if answer.status_code >= 400 and row.otlp:
            assert answer.json().keys() == {"code", "message"}
        elif row.path == "/p/:slug":
            assert answer.headers["content-type"].startswith("text/html")  # a page says so in words
        elif answer.status_code >= 400:
            check_refusal(answer, answer.status_code)


@pytest.fixture(scope="module")
def unpaid(tight_server: Server) -> dict[str, str]:
    """A session of each kind of member of a free workspace."""
    workspace = sign_up(tight_server.url)
    others = {role: add_member(workspace, role).session_token for role in MEMBERS[:-1]}
    return {"url": tight_server.url, "owner": workspace.session_token} | others


@few(2, "who", [*MEMBERS, "anonymous"])
@pytest.mark.parametrize("row", [row for row in TABLE if row.guard.startswith("require_paid")], ids=str)
def test_on_a_free_workspace_the_plan_is_told_before_anything_else(
    unpaid: dict[str, str], row: RouteCase, who: str
) -> None:
    """Order of refusal: 401, 402, 403, 400, 404 (rules/actors-and-groups#paid-plan)."""
    headers = {"authorization": f"Bearer {unpaid[who]}"} if who in unpaid else {}
    path = (row.ask or row.path).partition("?")[0]
    with httpx.Client(base_url=unpaid["url"], headers=headers) as client:
        answers = [
            ask(client, row),
            client.request(row.method, path),  # nothing of what it needs
            client.request(row.method, f"{path}?nonsense=1&nonsense=2&timeRange=x"),
            client.request(row.method, path, content=b"{", headers={"content-type": "text/plain"}),
        ]
    for answer in answers:
        check_refusal(answer, 402, "paid_feature") if headers else check_refusal(answer, 401)


def test_after_logout_the_token_is_worthless(server: Server) -> None:
    workspace = sign_up(server.url)
    with workspace.client() as client:
        assert client.post("/v1/auth/logout").status_code == 204
        for row in TABLE:
            if row.guard not in {"public", *BY_PROGRAM}:
                check_refusal(ask(client, row), 401)
        body = {"email": workspace.email, "password": PASSWORD}
        again = client.post("/v1/auth/login", json=body).headers["x-session-token"]
        assert client.get("/v1/keys", headers={"authorization": f"Bearer {again}"}).status_code == 200


@few(
    30,
    "row",
    [row for row in TABLE if row.guard not in {"public", "require_scraper", "require_key"}],
    ids=str,
)
def test_no_route_takes_a_parameter_that_it_does_not_know(
    shared: Workspace, people: dict[str, str | None], row: RouteCase
) -> None:
    with shared.client(people["write token"] if row.guard in BY_TOKEN else None) as client:
        answer = ask(client, row, query=f"{'&' if '?' in row.ask else '?'}nonsense=1")
    assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [["nonsense"]]


@few(8, "row", TABLE, ids=str)
def test_options_and_405_tell_every_method_and_nothing_else(shared: Workspace, row: RouteCase) -> None:
    methods = {"OPTIONS"} | {other.method for other in TABLE if other.path == row.path}
    allow = ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods))
    path = path_of(row, {})
    with shared.client() as client:
        options, refused = client.options(path), client.request("PATCH" if "PUT" in methods else "PUT", path)
    assert (options.status_code, options.content, options.headers.get_list("allow")) == (204, b"", [allow])
    check_refusal(refused, 405)
    assert refused.headers.get_list("allow") == [allow]
