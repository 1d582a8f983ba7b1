"""Sessions: what a token is worth when, and who may use a cookie (rules/people#session, rules/people#cookies).

The hours (12 idle, 14 days at most) are held with a clock that a test moves, in tests/auth/test_sessions.py.
"""

import re
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from harness.clients.letters import letter_to, token_in
from harness.clients.member import add_member
from harness.clients.workspace import PASSWORD, Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from tallyroom.core.ids import IdGenerator

NEW = "another long password"
HTTPS = "https://stats.example.com"

FOREIGN = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "same-origin", "origin": "https://evil.example"},
]


@pytest.fixture(scope="module")
def https_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that browsers reach over https, through a proxy."""
    data = tmp_path_factory.mktemp("https") / "data"
    running = Server(data, open_signup="true", base_url=HTTPS, trusted_proxies="127.0.0.0/8").start()
    yield running
    running.stop()


def log_in(workspace: Workspace, password: str = PASSWORD, **headers: str) -> httpx.Response:
    body = {"email": workspace.email, "password": password}
    headers |= {"x-forwarded-for": workspace.ip}
    return httpx.post(f"{workspace.url}/v1/auth/login", json=body, headers=headers, timeout=30)


def holds(workspace: Workspace, token: str) -> bool:
    answer = workspace.get("/v1/auth/me", token=token)
    assert answer.status_code in {200, 401}
    return answer.status_code == 200


def browser(workspace: Workspace, token: str | None = None, name: str | None = None) -> httpx.Client:
    """A client with a cookie and without a header."""
    client = workspace.client()
    del client.headers["authorization"]
    client.headers["cookie"] = f"{name or workspace.cookie}={token or workspace.session_token}"
    return client


def attributes(answer: httpx.Response) -> tuple[str, set[str]]:
    """Name and attributes of the one cookie that the answer sets."""
    [cookie] = answer.headers.get_list("set-cookie")
    pair, *rest = cookie.split("; ")
    return pair.partition("=")[0], set(rest)


@pytest.mark.parametrize("planted", ["of nobody", "of somebody", "of the victim"])
def test_a_token_planted_before_the_sign_in_is_worthless_after_it(
    workspace: Workspace, server: Server, planted: str
) -> None:
    token = {
        "of nobody": f"trs_{IdGenerator().base62(43)}",
        "of somebody": sign_up(server.url).session_token,
        "of the victim": workspace.session_token,
    }[planted]
    answer = log_in(workspace, cookie=f"{workspace.cookie}={token}")
    assert answer.status_code == 200
    assert answer.headers["x-session-token"] != token
    assert answer.headers["set-cookie"].startswith(f"{workspace.cookie}={answer.headers['x-session-token']};")
    assert not holds(workspace, token)
    assert holds(workspace, answer.headers["x-session-token"])


def test_a_sign_in_that_fails_leaves_the_session_that_is_there(workspace: Workspace) -> None:
    check_refusal(log_in(workspace, "wrong", cookie=f"{workspace.cookie}={workspace.session_token}"), 401)
    assert holds(workspace, workspace.session_token)


def test_signing_out_ends_this_session_at_once_and_no_other(workspace: Workspace) -> None:
    other = log_in(workspace).headers["x-session-token"]
    with browser(workspace) as client:
        answer = client.post("/v1/auth/logout")
        assert (answer.status_code, answer.headers["set-cookie"].partition(";")[0]) == (204, f'{workspace.cookie}=""')
        check_refusal(client.get("/v1/auth/me"), 401)
    assert not holds(workspace, workspace.session_token)
    assert holds(workspace, other)


def test_signing_out_everywhere_ends_every_session_and_no_token(workspace: Workspace) -> None:
    others = [log_in(workspace).headers["x-session-token"] for _ in range(2)]
    somebody = add_member(workspace, "viewer").session_token
    token, _ = workspace.make_token("read")
    with browser(workspace) as client:
        answer = client.delete("/v1/auth/sessions")
        assert (answer.status_code, answer.headers["set-cookie"].partition(";")[0]) == (204, f'{workspace.cookie}=""')
        check_refusal(client.delete("/v1/auth/sessions"), 401)
    assert [holds(workspace, each) for each in (workspace.session_token, *others)] == [False] * 3
    assert holds(workspace, somebody)
    with workspace.client(token) as client:
        assert client.get("/v1/dashboards").status_code == 200
    assert log_in(workspace).status_code == 200


def test_a_new_password_ends_the_other_sessions_and_renews_this_one(workspace: Workspace) -> None:
    others = [log_in(workspace).headers["x-session-token"] for _ in range(3)]
    with browser(workspace) as client:
        answer = client.post("/v1/auth/password", json={"current": PASSWORD, "new": NEW})
    assert (answer.status_code, answer.content) == (204, b"")
    renewed = answer.headers["x-session-token"]
    assert [holds(workspace, token) for token in (workspace.session_token, *others)] == [False] * 4
    assert holds(workspace, renewed)
    check_refusal(log_in(workspace, PASSWORD), 401)
    assert log_in(workspace, NEW).status_code == 200


@pytest.mark.long
def test_a_mailed_link_ends_every_session_and_every_other_link(server: Server, workspace: Workspace) -> None:
    with browser(workspace) as client:
        for _ in range(2):
            assert client.post("/v1/auth/reset", json={"email": workspace.email}).status_code == 202
        first, second = [token_in(letter_to(server, workspace.email, number)["text"]) for number in (1, 2)]
        answer = client.post("/v1/auth/reset/confirm", json={"token": first, "password": NEW})
        assert (answer.status_code, answer.content, answer.headers.get_list("set-cookie")) == (204, b"", [])
        refusals = [
            client.post("/v1/auth/reset/confirm", json={"token": token, "password": NEW})
            for token in (first, second, "x")
        ]
    bodies = [check_refusal(refusal, 400) for refusal in refusals]
    assert len({str(body | {"requestId": ""}) for body in bodies}) == 1
    assert not holds(workspace, workspace.session_token)
    assert log_in(workspace, NEW).status_code == 200


def writes(document: Any) -> list[tuple[str, str]]:
    """Method and path of each write that a session may do, with something in the place of each parameter."""
    return [
        (method.upper(), re.sub(r"\{[^}]*\}", "x", path))
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method not in {"get", "head", "options"} and {"session": []} in operation["security"]
    ]


@pytest.mark.long
@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_no_write_by_cookie_comes_from_another_site(shared: Workspace, headers: dict[str, str]) -> None:
    found = writes(shared.get("/openapi.json").json())
    assert len(found) > 5
    with browser(shared) as client:
        for method, path in found:
            check_refusal(client.request(method, path, json={}, headers=headers), 403)
        assert client.get("/v1/auth/me", headers=headers).status_code == 200
    assert holds(shared, shared.session_token)


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("auth/signup", {"email": "new@example.com", "password": NEW, "name": "New"}),
        ("auth/login", {"email": "new@example.com", "password": NEW}),
        ("auth/logout", None),
        ("auth/reset", {"email": "new@example.com"}),
        ("auth/reset/confirm", {"token": "x", "password": NEW}),
        ("invites/accept", {"token": "x", "name": "New", "password": NEW}),
    ],
)
def test_no_door_is_opened_or_shut_by_another_site(
    shared: Workspace, path: str, body: Any, headers: dict[str, str]
) -> None:
    with browser(shared) as client:
        check_refusal(client.post(f"/v1/{path}", json=body, headers=headers), 403)
    assert holds(shared, shared.session_token)


@pytest.mark.parametrize("name", ["origin", "sec-fetch-site"])
def test_who_names_two_origins_may_not_write(shared: Workspace, name: str) -> None:
    values = {"origin": [shared.url, "https://evil.example"], "sec-fetch-site": ["same-origin", "cross-site"]}[name]
    with browser(shared) as client:
        for sent in (values, values[::-1], values[:1] * 2):
            headers = [(name, value) for value in sent]
            body = {"name": "k", "environment": "production"}
            check_refusal(client.post("/v1/keys", json=body, headers=headers), 403)


@pytest.mark.parametrize("site", [None, "same-origin", "none"])
@pytest.mark.parametrize("own_origin", [True, False])
def test_the_own_page_may_write(shared: Workspace, site: str | None, own_origin: bool) -> None:
    headers = ({"sec-fetch-site": site} if site else {}) | ({"origin": shared.url} if own_origin else {})
    with browser(shared) as client:
        answer = client.post("/v1/keys", json={"name": "k", "environment": "production"}, headers=headers)
    assert answer.status_code == 201


def test_a_script_with_a_token_needs_no_origin(shared: Workspace) -> None:
    with shared.client() as client:
        for headers in FOREIGN:
            answer = client.post("/v1/keys", json={"name": "k", "environment": "production"}, headers=headers)
            assert answer.status_code == 201


def cookies_of(workspace: Workspace) -> list[tuple[str, set[str]]]:
    """Each cookie that a session's life sets: sign-up, sign-in, new password, sign-out."""
    body = {"email": f"{uuid.uuid4().hex}@example.com", "password": PASSWORD, "name": "Owner"}
    answers = [httpx.post(f"{workspace.url}/v1/auth/signup", json=body, timeout=30), log_in(workspace)]
    with browser(workspace, answers[-1].headers["x-session-token"]) as client:
        answers.append(client.post("/v1/auth/password", json={"current": PASSWORD, "new": NEW}))
    with browser(workspace, answers[-1].headers["x-session-token"]) as client:
        answers.append(client.post("/v1/auth/logout"))
    assert [answer.status_code for answer in answers] == [201, 200, 204, 204]
    return [attributes(answer) for answer in answers]


def test_over_http_the_cookie_is_as_closed_as_it_can_be(workspace: Workspace) -> None:
    kept = {"HttpOnly", "Max-Age=1209600", "Path=/", "SameSite=lax"}
    gone = kept - {"Max-Age=1209600"} | {"Max-Age=0"}
    assert cookies_of(workspace) == [(workspace.cookie, each) for each in (kept, kept, kept, gone)]


@pytest.mark.long
def test_over_https_the_cookie_is_secure_and_bound_to_its_host(https_server: Server) -> None:
    kept = {"HttpOnly", "Max-Age=1209600", "Path=/", "SameSite=lax", "Secure"}
    gone = kept - {"Max-Age=1209600"} | {"Max-Age=0"}
    workspace = sign_up(https_server.url)
    assert cookies_of(workspace) == [(workspace.cookie, each) for each in (kept, kept, kept, gone)]


@pytest.mark.long
def test_behind_https_the_public_origin_is_the_own_one(https_server: Server) -> None:
    workspace = sign_up(https_server.url)
    body = {"name": "k", "environment": "production"}
    with browser(workspace) as client:
        assert client.post("/v1/keys", json=body, headers={"origin": HTTPS}).status_code == 201
        check_refusal(client.post("/v1/keys", json=body, headers={"origin": "http://stats.example.com"}), 403)


@pytest.mark.long
def test_over_https_the_unbound_cookie_is_nobodys(https_server: Server) -> None:
    workspace = sign_up(https_server.url)
    for name in (workspace.cookie.removeprefix("__Host-"), "tallyroom_session", "tallyroom_abcdefgh"):
        with browser(workspace, name=name) as client:
            check_refusal(client.get("/v1/auth/me"), 401)
