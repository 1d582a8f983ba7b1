"""Every route, with a token of each scope, by makers of each kind (rules/people#what-a-token-may-do)."""

from typing import Any

import httpx
import pytest

from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.oracles.rights import MEMBERS, RouteCase
from harness.oracles.route_requests import ask, make_named
from harness.oracles.token_rights import NEEDED, SCOPES, SESSION_ROUTES, covers, takes_limited
from harness.servers.server import Server
from harness.stores.metadata_edits import run_beside
from harness.suite.few import few

FIVE_A_MINUTE = {"POST /v1/alert-channels/:id/test"}
DEAD = ("unknown", "wrong checksum", "revoked", "expired", "of a removed member")


def test_every_route_that_takes_a_session_says_whether_it_takes_a_token() -> None:
    """A new route takes none until it is in the table."""
    assert {str(row) for row in SESSION_ROUTES} == NEEDED.keys()


@pytest.fixture(scope="module")
def tokens(shared: Workspace) -> dict[tuple[str, str], str]:
    """A token for each maker and scope; in the workspace there is an actor alice."""
    assert shared.send({"name": "x", "_actor": "alice"}).status_code == 202
    makers = {role: add_member(shared, role).session_token for role in MEMBERS[:-1]} | {"owner": None}
    return {
        (maker, scopes): shared.make_token(*scopes.split(" and "), session=session)[0]
        for maker, session in makers.items()
        for scopes in (*SCOPES, "read and write")
    }


@pytest.fixture(scope="module")
def dead(server: Server, shared: Workspace) -> dict[str, str]:
    """Tokens that were once good for everything, and some that never were."""
    removed = add_member(shared, "owner")
    left, _ = shared.make_token(*SCOPES, session=removed.session_token)
    revoked, revoked_id = shared.make_token(*SCOPES)
    expired, expired_id = shared.make_token(*SCOPES, expiresAt="2099-01-01T00:00:00Z")
    with shared.client() as client:
        assert client.delete(f"/v1/tokens/{revoked_id}").status_code == 204
        assert client.delete(f"/v1/members/{removed.user_id}").status_code == 204
    run_beside(server.data, "UPDATE personal_tokens SET expires_at_ms = 1 WHERE id = :id", {"id": expired_id})
    return dict(zip(DEAD, (expired[:-7] + "0000000", expired[:-1] + "_", revoked, expired, left), strict=True))


def expected(row: RouteCase, maker: str, scopes: str) -> int:
    """The lesser of the scopes and the maker's role."""
    return row.expected(maker) if covers(scopes, row) else 403


@pytest.mark.long
@pytest.mark.parametrize("row", SESSION_ROUTES, ids=str)
def test_a_scope_and_a_role_open_what_both_cover(
    shared: Workspace, tokens: dict[tuple[str, str], str], row: RouteCase
) -> None:
    if str(row) in FIVE_A_MINUTE:  # a sixth token may not do it
        tokens = {(maker, scope): token for (maker, scope), token in tokens.items() if scope != "read and write"}
    answers = {}
    left = make_named(shared, row)
    with shared.client() as client:
        for (maker, scope), token in tokens.items():
            client.headers["authorization"] = f"Bearer {token}"
            stays = expected(row, maker, scope) >= 400 or row.method == "GET"
            answers[maker, scope] = ask(client, row, left if stays else make_named(shared, row))
    statuses = {who: answer.status_code for who, answer in answers.items()}
    assert statuses == {(maker, scope): expected(row, maker, scope) for maker, scope in tokens}
    for (maker, scope), answer in answers.items():
        if not covers(scope, row):
            message = check_refusal(answer, 403, "forbidden")["message"]
            asked_for = " or ".join(NEEDED[str(row)])
            assert message.endswith(f"with the {asked_for} scope." if asked_for else "Sign in instead."), maker


@few(8, "row", SESSION_ROUTES, ids=str)
def test_a_dead_token_is_401_everywhere(shared: Workspace, dead: dict[str, str], row: RouteCase) -> None:
    named = make_named(shared, row)
    messages = set()
    for token in dead.values():
        with shared.client(token) as client:
            answer = ask(client, row, named)
        messages.add(check_refusal(answer, 401, "unauthorized")["message"])
        assert answer.headers["www-authenticate"] == 'Bearer realm="tallyroom"'
    assert len(messages) == 1


@few(24, "row", SESSION_ROUTES, ids=str)
def test_the_reference_tells_the_scopes(shared: Workspace, document: Any, row: RouteCase) -> None:
    schemes = operation(document, row)["security"]
    told = [" and ".join(scheme["personalToken"]) for scheme in schemes if "personalToken" in scheme]
    assert tuple(told) == NEEDED[str(row)]


@pytest.fixture(scope="module")
def document(shared: Workspace) -> Any:
    return shared.get("/openapi.json").json()


def operation(document: Any, row: RouteCase) -> Any:
    """The entry of the reference."""
    parts = [part[:1] if part.startswith(":") else part for part in row.path.split("/")]
    for path, methods in document["paths"].items():
        if [":" if part.startswith("{") else part for part in path.split("/")] == parts:
            return methods[row.method.lower()]
    raise AssertionError(row)


ALL_OF_THEM = [row for row in SESSION_ROUTES if NEEDED[str(row)] and not takes_limited(row)]


@few(7, "row", ALL_OF_THEM, ids=str)
def test_what_belongs_to_the_whole_workspace_is_closed_to_a_limited_token(
    shared: Workspace, limited: str, row: RouteCase
) -> None:
    with shared.client(limited) as client:
        message = check_refusal(ask(client, row, make_named(shared, row)), 403, "forbidden")["message"]
    assert "limited to the development environment" in message


@pytest.fixture(scope="module")
def limited(shared: Workspace) -> str:
    """Every scope, in development."""
    return shared.make_token(*SCOPES, environment="development")[0]


HEADERS: list[dict[str, str]] = [
    {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    {"cookie": "tallyroom_session=trs_nobody"},
]


@pytest.mark.parametrize("headers", HEADERS)
def test_a_token_is_no_cookie(shared: Workspace, headers: dict[str, str]) -> None:
    """Nothing that a browser would send by itself: where the request comes from does not matter."""
    token, _ = shared.make_token("write")
    with shared.client(token) as client:
        assert client.post("/v1/dashboards", json={"name": "d"}, headers=headers).status_code == 201
    answer = httpx.get(f"{shared.url}/v1/dashboards", cookies={shared.cookie: token})
    check_refusal(answer, 401)


def test_a_token_is_no_key_and_no_statistics_token(shared: Workspace) -> None:
    token, _ = shared.make_token(*SCOPES)
    with shared.client(token) as client:
        check_refusal(client.post("/v1/events", json={"name": "x"}), 401)
        check_refusal(client.get("/v1/key"), 401)
        check_refusal(client.get("/chat/rankings/bots"), 401)
        check_refusal(client.get("/chat/rankings/bots", headers={"authorization": token}), 401)


def test_a_token_does_not_accept_an_invitation(shared: Workspace) -> None:
    """Not even its maker's: it would move nobody's session."""
    other = sign_up(shared.url)
    with other.client() as client:
        invite = client.post("/v1/invites", json={"email": shared.email, "role": "owner"}).json()
    with shared.client(shared.make_token(*SCOPES)[0]) as client:
        check_refusal(client.post("/v1/invites/accept", json={"token": invite["token"]}), 403)
    assert len(other.get("/v1/members").json()["members"]) == 1


def test_a_token_signs_nobody_out(shared: Workspace) -> None:
    token, _ = shared.make_token("read")
    with shared.client(token) as client:
        assert client.post("/v1/auth/logout").status_code == 204
        assert client.get("/v1/dashboards").status_code == 200
    assert shared.get("/v1/auth/me").status_code == 200


@pytest.mark.parametrize("scheme", ["bearer", "BEARER"])
def test_the_scheme_has_any_case(shared: Workspace, scheme: str) -> None:
    token, _ = shared.make_token("read")
    with shared.client() as client:
        answer = client.get("/v1/dashboards", headers={"authorization": f"{scheme} {token}"})
    assert answer.status_code == 200
