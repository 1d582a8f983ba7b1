"""A workspace always has an owner, also when several things happen in one moment (rules/people#last-owner)."""

from functools import partial

import pytest

from harness.clients.at_once import at_once
from harness.clients.member import add_member, role_of
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server

ROLES = ["viewer", "developer", "admin", "owner"]


def test_the_last_owner_stays_an_owner(workspace: Workspace) -> None:
    me = workspace.get("/v1/auth/me").json()["user"]["id"]
    add_member(workspace, "admin")
    with workspace.client() as owner:
        for role in ROLES[:3]:
            check_refusal(owner.patch(f"/v1/members/{me}", json={"role": role}), 409)
        check_refusal(owner.delete(f"/v1/members/{me}"), 409)
        assert owner.patch(f"/v1/members/{me}", json={"role": "owner"}).status_code == 200
    assert role_of(workspace, me) == "owner"
    other = add_member(workspace, "owner")
    with workspace.client() as owner:
        assert owner.patch(f"/v1/members/{me}", json={"role": "viewer"}).status_code == 200
    with other.client() as client:
        check_refusal(client.delete(f"/v1/members/{other.user_id}"), 409)


ROUNDS = pytest.mark.parametrize("rounds", [2, pytest.param(10, marks=pytest.mark.long)])


@ROUNDS
def test_two_owners_who_demote_each_other_leave_one(workspace: Workspace, rounds: int) -> None:
    for _ in range(rounds):
        one, two = add_member(workspace, "owner"), add_member(workspace, "owner")
        with one.client() as first, two.client() as second:
            statuses = at_once(
                partial(first.patch, f"/v1/members/{two.user_id}", json={"role": "admin"}),
                partial(second.patch, f"/v1/members/{one.user_id}", json={"role": "admin"}),
            )
        assert statuses == [200, 403]
        assert sorted(role_of(workspace, each.user_id) or "" for each in (one, two)) == ["admin", "owner"]


@pytest.mark.long
@ROUNDS
def test_the_last_two_owners_cannot_both_leave(server: Server, rounds: int) -> None:
    for _ in range(rounds):
        workspace = sign_up(server.url)
        me = workspace.get("/v1/auth/me").json()["user"]["id"]
        other = add_member(workspace, "owner")
        with workspace.client() as first, other.client() as second:
            statuses = at_once(
                partial(first.delete, f"/v1/members/{me}"), partial(second.delete, f"/v1/members/{other.user_id}")
            )
            assert statuses == [204, 409]
            left = [client.get("/v1/members") for client in (first, second)]
        assert sorted(answer.status_code for answer in left) == [200, 401]
