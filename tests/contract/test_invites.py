"""Invitations (rules/people#invitation): who may invite whom to what."""

import re
from typing import Any

import pytest

from harness.clients.letters import letter_to, token_in
from harness.clients.member import Member, accept, add_member, fresh_email, invite, open_invites
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

ROLES = ["viewer", "developer", "admin", "owner"]
FIELDS = ["id", "email", "role", "createdAt", "createdBy", "expiresAt"]


@pytest.fixture(scope="module")
def team(server: Server) -> dict[str, Member]:
    """A workspace with a member of each role."""
    workspace = sign_up(server.url)
    return {role: add_member(workspace, role) for role in ROLES}


def test_the_form_of_an_invitation(workspace: Workspace) -> None:
    with workspace.client() as client:
        email = fresh_email()
        answer = client.post("/v1/invites", json={"email": email.upper(), "role": "developer"})
        me = client.get("/v1/auth/me").json()["user"]["id"]
    made = answer.json()
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    assert list(made) == [*FIELDS, "token"]
    assert (made["email"], made["role"], made["createdBy"]) == (email, "developer", me)
    assert re.fullmatch("tri_[0-9A-Za-z]{43}", made["token"])


def test_the_token_is_told_once(workspace: Workspace) -> None:
    made = [invite(workspace, fresh_email(), role) for role in ("viewer", "admin")]
    answer = workspace.get("/v1/invites")
    assert answer.json() == {"invites": [{name: each[name] for name in FIELDS} for each in reversed(made)]}
    assert "tri_" not in answer.text


def test_the_token_is_mailed_to_the_address(server: Server, workspace: Workspace) -> None:
    made = invite(workspace, fresh_email(), "developer")
    letter = letter_to(server, made["email"])
    assert token_in(letter["text"]) == made["token"]
    assert "/invite?token=" in letter["text"]
    for told in (workspace.email, "Owner's workspace", "developer", "seven days"):
        assert told in letter["text"]
    assert "Owner" not in letter["subject"]


def test_nobody_is_flooded_with_invitations(workspace: Workspace) -> None:
    email = fresh_email()
    with workspace.client() as client:
        body = {"email": email, "role": "viewer"}
        answers = [client.post("/v1/invites", json=body) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    check_refusal(answers[-1], 429)
    assert len(open_invites(workspace)) == 1


# For each who acts: the roles that they may invite to, and whose invitations they may withdraw or replace.
REACH = {"viewer": [], "developer": [], "admin": ROLES[:3], "owner": ROLES}


@few(2, "role", ROLES)
@pytest.mark.parametrize("who", ROLES)
def test_who_may_invite_to_what(team: dict[str, Member], who: str, role: str) -> None:
    acting, email = team[who], fresh_email()
    with acting.client() as client:
        answer = client.post("/v1/invites", json={"email": email, "role": role})
    if role in REACH[who]:
        assert (answer.status_code, answer.json()["role"]) == (201, role)
        assert accept(acting.workspace.url, answer.json()["token"]).json()["role"] == role
    else:
        check_refusal(answer, 403)
        assert email not in {row["email"] for row in open_invites(acting.workspace)}


@few(2, "role", ROLES)
@pytest.mark.parametrize("who", ROLES)
def test_who_may_withdraw_or_replace_which(team: dict[str, Member], who: str, role: str) -> None:
    acting = team[who]
    made = invite(acting.workspace, fresh_email(), role)
    with acting.client() as client:
        replaced = client.post("/v1/invites", json={"email": made["email"], "role": "viewer"})
        there = made if replaced.status_code != 201 else replaced.json()
        withdrawn = client.delete(f"/v1/invites/{there['id']}")
    left = [row["id"] for row in open_invites(acting.workspace) if row["email"] == made["email"]]
    if role in REACH[who]:
        assert (replaced.status_code, withdrawn.status_code, left) == (201, 204, [])
        check_refusal(accept(acting.workspace.url, made["token"]), 400)
    else:
        check_refusal(replaced, 403)
        check_refusal(withdrawn, 403)
        assert left == [made["id"]]


def test_a_member_is_not_invited_again(workspace: Workspace) -> None:
    member = add_member(workspace, "viewer")
    with workspace.client() as client:
        for email in (member.email, member.email.upper(), workspace.email):
            check_refusal(client.post("/v1/invites", json={"email": email, "role": "admin"}), 409)
    assert open_invites(workspace) == []


def test_another_workspaces_invitation_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    theirs = invite(stranger, fresh_email())
    bodies = set()
    with workspace.client() as client:
        for invite_id in (
            theirs["id"],
            "019aa0b0-0000-7000-8000-000000000000",
            "nonsense",
            "%00",
            "accept",
            "a" * 5000,
        ):
            if invite_id != "accept":  # that path takes POST only
                bodies.add(check_refusal(client.delete(f"/v1/invites/{invite_id}"), 404)["message"])
    assert len(bodies) == 1
    assert [row["id"] for row in open_invites(stranger)] == [theirs["id"]]
    assert open_invites(workspace) == []


WRONG: list[tuple[Any, list[str]]] = [
    ({"role": "viewer"}, ["email"]),
    ({"email": "a@example.com"}, ["role"]),
    *[({"email": value, "role": "viewer"}, ["email"]) for value in (None, "", "a", "a@b@c", "a b@c", "a\n@b", 1, [])],
    *[({"email": f"a{mark}@example.com", "role": "viewer"}, ["email"]) for mark in ("\x80", "\x9f", "\u2028", "\0")],
    *[({"email": "a@example.com", "role": value}, ["role"]) for value in (None, "", "Admin", "member", 1)],
    *[({"email": "a@example.com", "role": "viewer", field: "x"}, [field]) for field in ("id", "token", "workspaceId")],
]


@few(4, ("body", "path"), WRONG)
def test_a_wrong_body_invites_nobody(shared: Workspace, body: Any, path: list[str]) -> None:
    with shared.client() as client:
        before = client.get("/v1/invites").json()
        refusal = check_refusal(client.post("/v1/invites", json=body), 400)
        assert [detail["path"] for detail in refusal["details"]] == [path]
        assert client.get("/v1/invites").json() == before
