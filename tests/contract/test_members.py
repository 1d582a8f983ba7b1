"""Members and their roles (rules/people#members): nobody reaches above their own role, and who is taken out is out."""

from typing import Any

import pytest

from harness.clients.member import Member, accept, add_member, invite, role_of
from harness.clients.workspace import PASSWORD, Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

ROLES = ["viewer", "developer", "admin", "owner"]
FIELDS = ["id", "email", "name", "role", "joinedAt"]
MISSING = ["nobody", "019aa0b0-0000-7000-8000-000000000000", "%00", "a" * 5000]


@pytest.fixture(scope="module")
def team(server: Server) -> dict[str, Member]:
    """A workspace with a member of each role, and one whose role the tests change; a second owner changes it."""
    workspace = sign_up(server.url)
    return {role: add_member(workspace, role) for role in ROLES} | {"target": add_member(workspace, "viewer")}


def set_role(workspace: Workspace, user_id: str, role: str) -> None:
    """As the owner who signed up."""
    with workspace.client() as client:
        answer = client.patch(f"/v1/members/{user_id}", json={"role": role})
    assert (answer.status_code, answer.json()["role"]) == (200, role)


def test_the_list_is_in_the_order_of_joining(workspace: Workspace) -> None:
    joined = [add_member(workspace, role) for role in ("viewer", "admin")]
    members = workspace.get("/v1/members").json()["members"]
    assert [list(row) for row in members] == [FIELDS] * 3
    assert [row["email"] for row in members] == [workspace.email, *[each.email for each in joined]]
    assert [row["role"] for row in members] == ["owner", "viewer", "admin"]
    assert [row["name"] for row in members] == ["Owner", "Member", "Member"]
    assert members[1]["id"] == joined[0].user_id
    assert members == sorted(members, key=lambda row: row["joinedAt"])


# For each who acts: the roles that they may touch and give.
REACH = {"viewer": [], "developer": [], "admin": ROLES[:3], "owner": ROLES}


@few(2, "after", ROLES)
@pytest.mark.parametrize("before", ROLES)
@pytest.mark.parametrize("who", ROLES)
def test_who_may_change_which_role_into_which(team: dict[str, Member], who: str, before: str, after: str) -> None:
    acting, target = team[who], team["target"]
    set_role(acting.workspace, target.user_id, before)
    with acting.client() as client:
        answer = client.patch(f"/v1/members/{target.user_id}", json={"role": after})
    if {before, after} <= set(REACH[who]):
        assert (answer.status_code, list(answer.json()), answer.json()["role"]) == (200, FIELDS, after)
        assert role_of(acting.workspace, target.user_id) == after
    else:
        check_refusal(answer, 403)
        assert role_of(acting.workspace, target.user_id) == before


@few(2, "whom", ROLES)
@pytest.mark.parametrize("who", ROLES)
def test_who_may_take_out_whom(team: dict[str, Member], who: str, whom: str) -> None:
    acting = team[who]
    target = add_member(acting.workspace, whom)
    with acting.client() as client:
        answer = client.delete(f"/v1/members/{target.user_id}")
    if whom in REACH[who]:
        assert (answer.status_code, answer.content) == (204, b"")
        assert role_of(acting.workspace, target.user_id) is None
    else:
        check_refusal(answer, 403)
        assert role_of(acting.workspace, target.user_id) == whom


@pytest.mark.parametrize("role", ROLES)
def test_everybody_may_leave(team: dict[str, Member], role: str) -> None:
    member = add_member(team["owner"].workspace, role)
    with member.client() as client:
        answer = client.delete(f"/v1/members/{member.user_id}")
        assert answer.status_code == 204
        assert f'{member.workspace.cookie}=""; ' in answer.headers["set-cookie"]
        check_refusal(client.get("/v1/auth/me"), 401)
    assert role_of(member.workspace, member.user_id) is None


@pytest.mark.parametrize("role", ROLES[:3])
def test_nobody_raises_himself(team: dict[str, Member], role: str) -> None:
    member = team[role]
    with member.client() as client:
        check_refusal(client.patch(f"/v1/members/{member.user_id}", json={"role": "owner"}), 403)
    assert role_of(member.workspace, member.user_id) == role


@pytest.mark.long
def test_a_role_holds_for_the_very_next_request(workspace: Workspace) -> None:
    member = add_member(workspace, "viewer")
    key = {"name": "k", "environment": "production"}
    with member.client() as client:  # one connection that stays open
        for _ in range(20):
            set_role(workspace, member.user_id, "developer")
            assert client.post("/v1/keys", json=key).status_code == 201
            set_role(workspace, member.user_id, "viewer")
            check_refusal(client.post("/v1/keys", json=key), 403)


@pytest.mark.long
def test_who_is_taken_out_is_out_with_the_very_next_request(workspace: Workspace) -> None:
    """On connections that stay open, and in every session that they have in the workspace."""
    for role in ROLES:
        member = add_member(workspace, role)
        again = {"email": member.email, "password": PASSWORD}
        with member.client() as first, workspace.client("none") as second, workspace.client() as owner:
            token = second.post("/v1/auth/login", json=again).headers["x-session-token"]
            second.headers["authorization"] = f"Bearer {token}"
            for client in (first, second):
                assert client.get("/v1/keys").status_code == 200
            assert owner.delete(f"/v1/members/{member.user_id}").status_code == 204
            for client in (first, second):
                for path in ("/v1/keys", "/v1/auth/me", "/v1/actors"):
                    check_refusal(client.get(path), 401)


def test_what_he_has_elsewhere_stays(workspace: Workspace) -> None:
    """Taken out here, they go on in their own workspace, also with a session that was here before."""
    other = sign_up(workspace.url)
    answer = accept(workspace.url, invite(workspace, other.email)["token"], other.session_token)
    user_id = answer.json()["user"]["id"]
    with other.client() as client:
        here = client.get("/v1/auth/me").json()
        assert here["workspace"]["id"] == workspace.workspace_id
        assert client.post("/v1/auth/workspace", json={"workspaceId": other.workspace_id}).status_code == 200
        with workspace.client() as owner:
            assert owner.delete(f"/v1/members/{user_id}").status_code == 204
        me = client.get("/v1/auth/me").json()
        assert (me["workspace"]["id"], len(me["workspaces"])) == (other.workspace_id, 1)
        check_refusal(client.post("/v1/auth/workspace", json={"workspaceId": workspace.workspace_id}), 404)


def test_the_keys_that_he_made_stay_the_workspaces(workspace: Workspace) -> None:
    member = add_member(workspace, "developer")
    with member.client() as client:
        key = client.post("/v1/keys", json={"name": "k", "environment": "production"}).json()
    with workspace.client() as owner:
        assert owner.delete(f"/v1/members/{member.user_id}").status_code == 204
    assert workspace.send({"name": "x"}, key=key["secret"]).status_code == 202


def test_another_workspaces_member_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    theirs = stranger.get("/v1/auth/me").json()["user"]["id"]
    bodies = set()
    with workspace.client() as client:
        for user_id in (theirs, theirs.upper(), *MISSING):
            for answer in (
                client.patch(f"/v1/members/{user_id}", json={"role": "viewer"}),
                client.delete(f"/v1/members/{user_id}"),
            ):
                bodies.add(check_refusal(answer, 404)["message"])
    assert len(bodies) == 1
    assert role_of(stranger, theirs) == "owner"


WRONG: list[tuple[Any, list[str]]] = [
    ({}, ["role"]),
    *[({"role": value}, ["role"]) for value in (None, "", "Owner", "member", 1, ["owner"])],
    *[({"role": "viewer", field: "x"}, [field]) for field in ("id", "email", "name", "workspaceId", "joinedAt")],
]


@few(4, ("body", "path"), WRONG)
def test_a_wrong_body_changes_nothing(team: dict[str, Member], body: Any, path: list[str]) -> None:
    target = team["target"]
    before = target.workspace.get("/v1/members").json()
    with target.workspace.client() as owner:
        refusal = check_refusal(owner.patch(f"/v1/members/{target.user_id}", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]
    assert target.workspace.get("/v1/members").json() == before


@few(
    2,
    ("deed", "left"),
    [
        ("removed", []),
        ("viewer", []),
        ("developer", []),
        ("admin", ["admin", "viewer"]),
    ],
)
def test_invitations_go_that_their_maker_could_no_longer_make(workspace: Workspace, deed: str, left: list[str]) -> None:
    """Else somebody who is about to lose their membership could come back through one of them."""
    maker = add_member(workspace, "owner")
    kept = invite(workspace, f"kept-{maker.user_id}@example.com", "owner")
    with maker.client() as client:
        for role in ("viewer", "admin", "owner"):
            body = {"email": f"{role}-{maker.user_id}@example.com", "role": role}
            assert client.post("/v1/invites", json=body).status_code == 201
    with workspace.client() as owner:
        if deed == "removed":
            assert owner.delete(f"/v1/members/{maker.user_id}").status_code == 204
        else:
            set_role(workspace, maker.user_id, deed)
        invites = owner.get("/v1/invites").json()["invites"]
        assert owner.delete(f"/v1/invites/{kept['id']}").status_code == 204
    assert sorted(row["role"] for row in invites if row["id"] != kept["id"]) == left
    assert kept["id"] in {row["id"] for row in invites}
