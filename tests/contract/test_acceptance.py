"""Accepting an invitation (rules/people#invitation): who comes in by a token, and who does not."""

from functools import partial
from typing import Any

import httpx
import pytest

from harness.clients.at_once import at_once
from harness.clients.member import accept, add_member, fresh_email, invite, open_invites
from harness.clients.workspace import PASSWORD, Workspace, fresh_ip, sign_up
from harness.oracles.refusal import check_refusal
from harness.suite.few import few


def log_in(workspace: Workspace, email: str, password: str) -> httpx.Response:
    with workspace.client("none") as client:
        return client.post("/v1/auth/login", json={"email": email, "password": password})


def test_a_new_person_gets_an_account_and_is_signed_in(workspace: Workspace) -> None:
    made = invite(workspace, fresh_email(), "developer")
    answer = accept(workspace.url, made["token"], name="Ann", password=PASSWORD)
    body, token = answer.json(), answer.headers["x-session-token"]
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    assert answer.headers["set-cookie"].startswith(f"{workspace.cookie}={token};")
    assert body["user"] == {"id": body["user"]["id"], "email": made["email"], "name": "Ann"}
    assert (body["workspace"]["id"], body["role"]) == (workspace.workspace_id, "developer")
    assert body["workspaces"] == [{**body["workspace"], "role": "developer"}]
    assert workspace.get("/v1/auth/me", token=token).json() == body
    assert log_in(workspace, made["email"], PASSWORD).status_code == 200
    assert workspace.get("/v1/keys", token=token).json() == workspace.get("/v1/keys").json()


def test_a_signed_in_person_joins_with_the_session_that_he_has(workspace: Workspace) -> None:
    other = sign_up(workspace.url)
    made = invite(workspace, other.email.upper(), "admin")
    answer = accept(workspace.url, made["token"], other.session_token)
    assert answer.status_code == 201
    assert "set-cookie" not in answer.headers
    assert "x-session-token" not in answer.headers
    me = other.get("/v1/auth/me").json()
    assert me == answer.json()
    assert (me["workspace"]["id"], me["role"]) == (workspace.workspace_id, "admin")
    assert {row["id"]: row["role"] for row in me["workspaces"]} == {
        workspace.workspace_id: "admin",
        other.workspace_id: "owner",
    }


def test_whatever_a_token_no_longer_opens_answers_the_same(workspace: Workspace) -> None:
    """Used, withdrawn, replaced, never made: 400 as for any field that names nothing, and no word about which."""
    used, withdrawn, replaced = (invite(workspace, fresh_email()) for _ in range(3))
    assert accept(workspace.url, used["token"]).status_code == 201
    with workspace.client() as owner:
        assert owner.delete(f"/v1/invites/{withdrawn['id']}").status_code == 204
    newest = invite(workspace, replaced["email"], "admin")
    spent = [each["token"] for each in (used, withdrawn, replaced)]
    other = sign_up(workspace.url)
    bodies = set()
    for token in (*spent, "tri_" + "0" * 43, "", "\0", "😀" * 200, newest["token"][:-1]):
        for answer in (accept(workspace.url, token), accept(workspace.url, token, other.session_token)):
            refusal = check_refusal(answer, 400)
            bodies.add((refusal["message"], str(refusal["details"])))
    assert len(bodies) == 1
    assert accept(workspace.url, newest["token"]).json()["role"] == "admin"


@pytest.mark.long
def test_one_token_lets_one_person_in(workspace: Workspace) -> None:
    for _ in range(5):
        token = invite(workspace, fresh_email())["token"]
        assert at_once(*[partial(accept, workspace.url, token)] * 4) == [201, 400, 400, 400]


def test_a_token_is_for_the_invited_address(workspace: Workspace) -> None:
    """Whoever else holds the link while signed in stays out; the invitation stays open."""
    made, other = invite(workspace, fresh_email()), sign_up(workspace.url)
    check_refusal(accept(workspace.url, made["token"], other.session_token), 403)
    assert other.get("/v1/auth/me").json()["workspace"]["id"] == other.workspace_id
    assert [row["id"] for row in open_invites(workspace)] == [made["id"]]
    assert accept(workspace.url, made["token"]).status_code == 201


def test_an_invitation_takes_over_no_account(workspace: Workspace) -> None:
    victim = sign_up(workspace.url)
    made = invite(workspace, victim.email)
    for password in ("another long password", PASSWORD):
        refusal = check_refusal(accept(workspace.url, made["token"], name="Me", password=password), 409)
        assert "Sign in first" in refusal["message"]
    assert log_in(workspace, victim.email, "another long password").status_code == 401
    assert log_in(workspace, victim.email, PASSWORD).json()["user"]["name"] == "Owner"
    assert accept(workspace.url, made["token"], victim.session_token).status_code == 201


def test_who_belongs_nowhere_comes_back_with_his_own_password(workspace: Workspace) -> None:
    """They cannot sign in first: without a workspace there is no session."""
    member = add_member(workspace, "viewer")
    with workspace.client() as owner:
        assert owner.delete(f"/v1/members/{member.user_id}").status_code == 204
    check_refusal(log_in(workspace, member.email, PASSWORD), 403)
    token = invite(workspace, member.email, "developer")["token"]
    check_refusal(accept(workspace.url, token, name="Somebody", password="another long password"), 401)
    refusal = check_refusal(accept(workspace.url, token, name="Somebody"), 400)
    assert [detail["path"] for detail in refusal["details"]] == [["password"]]
    answer = accept(workspace.url, token, password=PASSWORD)
    assert answer.status_code == 201
    assert answer.json()["user"] == {"id": member.user_id, "email": member.email, "name": "Member"}
    assert answer.json()["role"] == "developer"


def test_his_password_cannot_be_guessed_through_an_invitation(workspace: Workspace) -> None:
    member = add_member(workspace, "viewer")
    with workspace.client() as owner:
        assert owner.delete(f"/v1/members/{member.user_id}").status_code == 204
    token = invite(workspace, member.email)["token"]
    with workspace.client("none") as client:
        del client.headers["authorization"]
        body = {"token": token, "password": "a wrong password"}
        statuses = [client.post("/v1/invites/accept", json=body).status_code for _ in range(12)]
    assert statuses == [401] * 10 + [429] * 2


def test_wrong_tokens_are_counted(workspace: Workspace) -> None:
    with workspace.client("none") as client:
        del client.headers["authorization"]
        statuses = [client.post("/v1/invites/accept", json={"token": str(n)}).status_code for n in range(32)]
    assert statuses == [400] * 30 + [429] * 2


@pytest.mark.parametrize("other", [{"name": "Ann"}, {"password": PASSWORD}, {"name": "Ann", "password": PASSWORD}])
def test_a_session_needs_no_name_and_no_password(workspace: Workspace, other: dict[str, str]) -> None:
    """They would be left out without a word."""
    person = sign_up(workspace.url)
    token = invite(workspace, person.email)["token"]
    check_refusal(accept(workspace.url, token, person.session_token, **other), 400)
    assert accept(workspace.url, token, person.session_token).status_code == 201


def test_a_token_in_the_header_must_hold_and_a_cookie_need_not(workspace: Workspace) -> None:
    """A browser cannot throw away the cookie of a session that has ended; a script knows what it sends."""
    ended = sign_up(workspace.url)
    with ended.client() as client:
        assert client.post("/v1/auth/logout").status_code == 204
    for credential in (ended.session_token, workspace.key, "nonsense"):
        check_refusal(accept(workspace.url, invite(workspace, fresh_email())["token"], credential), 401)
    token = invite(workspace, fresh_email())["token"]
    headers = {"cookie": f"{ended.cookie}={ended.session_token}", "x-forwarded-for": fresh_ip()}
    body = {"token": token, "name": "Ann", "password": PASSWORD}
    answer = httpx.post(f"{workspace.url}/v1/invites/accept", json=body, headers=headers)
    assert answer.status_code == 201


def test_another_sites_page_cannot_accept(workspace: Workspace) -> None:
    person = sign_up(workspace.url)
    token = invite(workspace, person.email)["token"]
    for cookie in ("", f"{person.cookie}={person.session_token}"):
        headers = {"cookie": cookie, "origin": "https://evil.example", "x-forwarded-for": fresh_ip()}
        answer = httpx.post(f"{workspace.url}/v1/invites/accept", json={"token": token}, headers=headers)
        check_refusal(answer, 403)
    assert len(open_invites(workspace)) == 1


@few(
    2,
    ("body", "paths"),
    [
        ({}, [["name"], ["password"]]),
        ({"name": None, "password": None}, [["name"], ["password"]]),
        ({"name": "Ann"}, [["password"]]),
        ({"password": PASSWORD}, [["name"]]),
        ({"name": "Ann", "password": "short"}, [["password"]]),
        ({"name": "", "password": PASSWORD}, [["name"]]),
        ({"name": "Ann", "password": PASSWORD, "role": "owner"}, [["role"]]),
        ({"name": "Ann", "password": PASSWORD, "email": "a@example.com"}, [["email"]]),
    ],
)
def test_a_wrong_acceptance_leaves_the_invitation_open(workspace: Workspace, body: Any, paths: list[Any]) -> None:
    made = invite(workspace, fresh_email())
    with workspace.client("none") as client:
        del client.headers["authorization"]
        refusal = check_refusal(client.post("/v1/invites/accept", json={"token": made["token"]} | body), 400)
    assert [detail["path"] for detail in refusal["details"]] == paths
    assert [row["id"] for row in open_invites(workspace)] == [made["id"]]
    assert accept(workspace.url, made["token"]).status_code == 201
