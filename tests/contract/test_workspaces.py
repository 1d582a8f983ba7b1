"""Workspaces (rules/people#workspace): a person may belong to several, and the session holds the current one."""

from typing import Any

import pytest

from harness.clients.member import accept, add_member, invite
from harness.clients.workspace import PASSWORD, Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

FIELDS = ["id", "name", "plan", "timezone"]
OK = {"name": "x", "_actor": "a"}


def test_a_person_founds_and_lists_workspaces(workspace: Workspace) -> None:
    with workspace.client() as client:
        before = client.get("/v1/auth/me").json()
        answer = client.post("/v1/workspaces", json={"name": "Second"})
        made = answer.json()
        assert (answer.status_code, list(made)) == (201, [*FIELDS, "role"])
        assert made == {"id": made["id"], "name": "Second", "plan": "paid", "timezone": "UTC", "role": "owner"}
        assert client.get("/v1/workspaces").json() == {"workspaces": [before["workspaces"][0], made]}
        me = client.get("/v1/auth/me").json()
    assert me == before | {"workspaces": [*before["workspaces"], made]}  # the session stays where it is


def test_a_further_workspace_takes_its_time_zone(workspace: Workspace) -> None:
    with workspace.client() as client:
        answer = client.post("/v1/workspaces", json={"name": "Second", "timezone": "Asia/Tokyo"})
    assert (answer.status_code, answer.json()["timezone"]) == (201, "Asia/Tokyo")


def test_a_viewer_may_found_his_own(workspace: Workspace) -> None:
    with add_member(workspace, "viewer").client() as client:
        made = client.post("/v1/workspaces", json={"name": "Mine"}).json()
        assert client.post("/v1/auth/workspace", json={"workspaceId": made["id"]}).json()["role"] == "owner"
        assert client.post("/v1/keys", json={"name": "k", "environment": "development"}).status_code == 201


def test_switching_takes_everything_along_but_the_token(workspace: Workspace) -> None:
    """Role, keys, environments and events are those of the current workspace, for this session alone."""
    assert workspace.send(OK).status_code == 202
    with workspace.client() as client, workspace.client("none") as second:
        token = second.post("/v1/auth/login", json={"email": workspace.email, "password": PASSWORD})
        second.headers["authorization"] = f"Bearer {token.headers['x-session-token']}"
        there = client.post("/v1/workspaces", json={"name": "Second"}).json()
        answer = client.post("/v1/auth/workspace", json={"workspaceId": there["id"]})
        assert (answer.status_code, answer.json()["workspace"]["id"]) == (200, there["id"])
        assert "x-session-token" not in answer.headers
        assert answer.json() == client.get("/v1/auth/me").json()
        assert client.get("/v1/keys").json() == {"keys": []}
        assert client.get("/v1/actors").json()["actors"] == []
        assert len(client.get("/v1/members").json()["members"]) == 1
        assert client.get("/v1/workspace").json() == {field: there[field] for field in FIELDS}
        assert second.get("/v1/workspace").json()["id"] == workspace.workspace_id
        back = client.post("/v1/auth/workspace", json={"workspaceId": workspace.workspace_id})
        assert back.status_code == 200
        assert len(client.get("/v1/actors").json()["actors"]) == 1


def test_the_role_is_that_of_the_current_workspace(workspace: Workspace) -> None:
    other = sign_up(workspace.url)
    accept(workspace.url, invite(workspace, other.email, "viewer")["token"], other.session_token)
    key = {"name": "k", "environment": "production"}
    with other.client() as client:
        check_refusal(client.post("/v1/keys", json=key), 403)
        check_refusal(client.get("/v1/audit"), 403)
        client.post("/v1/auth/workspace", json={"workspaceId": other.workspace_id})
        assert client.post("/v1/keys", json=key).status_code == 201
        assert client.get("/v1/audit").status_code == 200


def test_nobody_switches_to_where_he_does_not_belong(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    before = workspace.get("/v1/auth/me").json()
    bodies = set()
    with workspace.client() as client:
        for workspace_id in (stranger.workspace_id, "019aa0b0-0000-7000-8000-000000000000", "", "nonsense", "\0"):
            answer = client.post("/v1/auth/workspace", json={"workspaceId": workspace_id})
            bodies.add(check_refusal(answer, 404)["message"])
        for body in ({}, {"workspaceId": None}, {"workspaceId": 1}, {"workspaceId": "x", "role": "owner"}):
            check_refusal(client.post("/v1/auth/workspace", json=body), 400)
    assert len(bodies) == 1
    assert workspace.get("/v1/auth/me").json() == before


CHANGES: list[tuple[Any, Any]] = [
    ({"name": "New name"}, {"name": "New name"}),
    ({"timezone": "Europe/Berlin"}, {"timezone": "Europe/Berlin"}),
    ({"name": "🗝" * 120, "timezone": "America/Argentina/Buenos_Aires"}, None),
    ({"timezone": "UTC"}, {"timezone": "UTC"}),
    ({"timezone": "Etc/GMT+12"}, {"timezone": "Etc/GMT+12"}),
    ({"timezone": "Asia/Kolkata"}, {"timezone": "Asia/Kolkata"}),
    ({}, {}),
]


@pytest.mark.parametrize(("body", "changed"), CHANGES)
def test_what_is_sent_changes_and_the_rest_stays(workspace: Workspace, body: Any, changed: Any) -> None:
    with workspace.client() as client:
        before = client.get("/v1/workspace").json()
        answer = client.patch("/v1/workspace", json=body)
        assert answer.status_code == 200
        assert answer.json() == before | (body if changed is None else changed)
        assert client.get("/v1/workspace").json() == answer.json()
        assert client.get("/v1/auth/me").json()["workspace"] == answer.json()


WRONG: list[tuple[Any, list[str]]] = [
    *[({"name": value}, ["name"]) for value in (None, "", " ", "x" * 121, "a\0", 1, [])],
    *[
        ({"timezone": value}, ["timezone"])
        for value in (
            None,
            "",
            1,
            "Mars/Olympus",
            "europe/berlin",
            "Berlin",
            "+02:00",
            "localtime",
            "Factory",
            "posix/Europe/Berlin",
            "right/UTC",
            "../UTC",
            "/etc/passwd",
            "Europe/Berlin\n",
            "Europe",
            "UTC'",
        )
    ],
    *[({"name": "Changed", field: "x"}, [field]) for field in ("id", "plan", "createdAt", "retentionDays")],
]


@few(4, ("body", "path"), WRONG)
def test_a_refused_change_changes_nothing(shared: Workspace, body: Any, path: list[str]) -> None:
    """Neither does the right half of a body whose other half is wrong."""
    with shared.client() as client:
        before = client.get("/v1/workspace").json()
        right = {"name": "Changed", "timezone": "Asia/Tokyo"}
        refusal = check_refusal(client.patch("/v1/workspace", json=right | body), 400)
        assert [detail["path"] for detail in refusal["details"]] == [path]
        assert client.get("/v1/workspace").json() == before


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": None},
        {"name": "a", "plan": "paid"},
        {"name": "a\n"},
        {"name": "a", "timezone": "Berlin"},
    ],
)
def test_a_wrong_body_founds_nothing(shared: Workspace, body: Any) -> None:
    with shared.client() as client:
        before = client.get("/v1/workspaces").json()
        check_refusal(client.post("/v1/workspaces", json=body), 400)
        assert client.get("/v1/workspaces").json() == before


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("developer", 403), ("admin", 200), ("owner", 200)])
def test_admins_change_the_workspace(server: Server, workspace: Workspace, role: str, status: int) -> None:
    with add_member(workspace, role).client() as client:
        assert client.get("/v1/workspace").status_code == 200
        assert client.patch("/v1/workspace", json={"name": "Changed"}).status_code == status
    assert (workspace.get("/v1/workspace").json()["name"] == "Changed") is (status == 200)
