"""The most of each kind, exactly, also for requests at once.

The rules: rules/people#workspace, rules/people#environment and rules/people#api-key.
"""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from harness.clients.at_once import at_once
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.stores.metadata_edits import put_beside

Post = Callable[[], httpx.Response]


def poster(workspace: Workspace, path: str, body: Any) -> Post:
    """A request that can be sent with others at once."""

    def send() -> httpx.Response:
        with workspace.client() as client:
            return client.post(path, json=body)

    return send


def environments(workspace: Workspace) -> int:
    return len(workspace.get("/v1/environments").json()["environments"])


def keys(workspace: Workspace) -> int:
    return len([key for key in workspace.get("/v1/keys").json()["keys"] if key["revokedAt"] is None])


def workspaces(workspace: Workspace) -> int:
    return len(workspace.get("/v1/workspaces").json()["workspaces"])


KINDS: list[tuple[str, int, Callable[[Workspace], int], Callable[[int], dict[str, Any]]]] = [
    ("/v1/workspaces", 100, workspaces, lambda number: {"name": f"w{number}"}),
    ("/v1/environments", 50, environments, lambda number: {"name": f"e{number}"}),
    ("/v1/keys", 100, keys, lambda number: {"name": f"k{number}", "environment": "development"}),
]


@pytest.mark.long
@pytest.mark.parametrize(("path", "most", "count", "body"), KINDS, ids=lambda value: str(value)[:20])
def test_one_more_is_409_and_two_at_once_do_not_both_pass(
    workspace: Workspace, path: str, most: int, count: Callable[[Workspace], int], body: Any
) -> None:
    with workspace.client() as client:
        for number in range(count(workspace), most - 1):
            assert client.post(path, json=body(number)).status_code == 201
    both = [poster(workspace, path, body(most + number)) for number in range(4)]
    assert at_once(*both) == [201, 409, 409, 409]
    assert count(workspace) == most
    message = check_refusal(poster(workspace, path, body(most + 9))(), 409, "conflict")["message"]
    assert f" {most} " in message
    assert count(workspace) == most


@pytest.mark.long
def test_a_revoked_key_makes_room(server: Server) -> None:
    workspace = sign_up(server.url)
    with workspace.client() as client:
        made = [client.post("/v1/keys", json={"name": "k", "environment": "production"}) for _ in range(99)]
        assert [answer.status_code for answer in made] == [201] * 99  # one was there
        check_refusal(client.post("/v1/keys", json={"name": "k", "environment": "production"}), 409)
        assert client.delete(f"/v1/keys/{made[0].json()['id']}").status_code == 204
        assert client.post("/v1/keys", json={"name": "k", "environment": "production"}).status_code == 201


def fill(server: Server, workspace: Workspace, more: int) -> None:
    """Make the owner of a workspace a member of so many more, as an earlier release let them be."""
    user = {"user_id": workspace.get("/v1/auth/me").json()["user"]["id"], "role": "owner", "joined_at_ms": 1}
    own = {"name": "more", "plan": "free", "timezone": "UTC", "created_at_ms": 1}
    ids = [f"{workspace.workspace_id[:-4]}{number:04}" for number in range(more)]
    put_beside(server.data, "workspaces", *[own | {"id": each} for each in ids])
    put_beside(server.data, "memberships", *[user | {"workspace_id": each} for each in ids])


def test_an_invitation_lets_nobody_into_one_more_and_stays_open(server: Server) -> None:
    guest = sign_up(server.url)
    hosts = [sign_up(server.url) for _ in range(2)]
    fill(server, guest, 98)
    tokens = [invited(host, guest) for host in hosts]
    accepting = [poster(guest, "/v1/invites/accept", {"token": token}) for token in tokens]
    assert at_once(*accepting) == [201, 409]
    [left] = [host for host in hosts if len(host.get("/v1/members").json()["members"]) == 1]
    check_refusal(poster(guest, "/v1/invites/accept", {"token": tokens[hosts.index(left)]})(), 409, "conflict")
    assert len(left.get("/v1/invites").json()["invites"]) == 1
    assert workspaces(guest) == 100


def invited(host: Workspace, guest: Workspace) -> str:
    with host.client() as client:
        answer = client.post("/v1/invites", json={"email": guest.email, "role": "viewer"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


def test_what_exists_remains(server: Server) -> None:
    """As an earlier release let it become."""
    workspace = sign_up(server.url)
    fill(server, workspace, 101)
    row = {"workspace_id": workspace.workspace_id, "created_at_ms": 1}
    put_beside(server.data, "environments", *[row | {"name": f"e{number}"} for number in range(60)])
    assert (workspaces(workspace), environments(workspace)) == (102, 62)
    with workspace.client() as client:
        assert client.patch("/v1/environments/e59", json={"displayName": "Last"}).status_code == 200
        assert client.delete("/v1/environments/e0").status_code == 204
        check_refusal(client.post("/v1/environments", json={"name": "new"}), 409)
        check_refusal(client.post("/v1/workspaces", json={"name": "new"}), 409)
        check_refusal(client.post("/v1/environments", json={"name": "e59"}), 409)
