"""What becomes of a token when something happens to its maker (rules/people#token-expiry)."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from harness.clients.letters import letter_to, token_in
from harness.clients.member import Member, accept, add_member, invite
from harness.clients.stream_client import listening
from harness.clients.workspace import PASSWORD, Workspace
from harness.oracles.refusal import check_refusal
from harness.oracles.token_rights import SCOPES
from harness.servers.command import tallyroom
from harness.servers.server import Server
from harness.stores.metadata_edits import run_beside

NEW = "another long password"
MARK = {"environment": "production", "label": "v1", "time": "2026-11-20T12:00:00Z"}


@contextmanager
def using(workspace: Workspace, token: str) -> Iterator[httpx.Client]:
    """A client with a token that reads, writes, annotates and exports."""
    with workspace.client(token) as client:
        assert statuses(client) == [200, 201, 201, 200]
        yield client


def statuses(client: httpx.Client) -> list[int]:
    """What a read, a write, an annotation and an export are answered."""
    return [
        client.get("/v1/dashboards").status_code,
        client.post("/v1/dashboards", json={"name": "d"}).status_code,
        client.post("/v1/annotations", json=MARK).status_code,
        client.get("/v1/export").status_code,
    ]


@pytest.fixture
def maker(workspace: Workspace) -> Member:
    """An admin of the workspace, who is not its last owner."""
    return add_member(workspace, "admin")


@pytest.fixture
def token(maker: Member) -> str:
    return maker.workspace.make_token(*SCOPES, session=maker.session_token)[0]


def change_role(maker: Member, role: str) -> None:
    with maker.workspace.client() as owner:
        assert owner.patch(f"/v1/members/{maker.user_id}", json={"role": role}).status_code == 200


def test_a_demoted_maker_has_weaker_tokens_with_the_very_next_request(maker: Member, token: str) -> None:
    with using(maker.workspace, token) as client:
        for _ in range(5):
            change_role(maker, "viewer")
            assert statuses(client) == [200, 403, 403, 200]
            change_role(maker, "developer")
            assert statuses(client) == [200, 201, 201, 200]
            change_role(maker, "owner")
            check_refusal(client.get("/v1/audit"), 403)


def test_a_token_that_only_reads_is_a_viewer_where_roles_differ_within_a_route(workspace: Workspace) -> None:
    """An External widget sends a secret of the workspace along: that takes a developer (rules/boards#external-source)."""
    with workspace.client() as owner:
        source = owner.post("/v1/external-sources", json={"name": "Shop", "host": "api.invalid"}).json()["id"]
    config = {"sourceId": source, "url": "https://api.invalid/", "valuePath": "value", "valueType": "number"}
    body = {"environment": "production", "timeRange": "7d", "type": "external", "config": config}
    for scopes, status in ((["read"], 403), (["read", "annotate", "export"], 403), (["read", "write"], 200)):
        with workspace.client(workspace.make_token(*scopes)[0]) as client:
            assert client.post("/v1/query", json=body).status_code == status, scopes


def test_the_tokens_of_a_removed_member_are_dead_for_ever(maker: Member, token: str) -> None:
    workspace = maker.workspace
    with using(workspace, token) as client:
        with workspace.client() as owner:
            assert owner.delete(f"/v1/members/{maker.user_id}").status_code == 204
        assert statuses(client) == [401] * 4
        again = accept(workspace.url, invite(workspace, maker.email, "admin")["token"], password=PASSWORD, name="Again")
        assert again.status_code == 201
        assert statuses(client) == [401] * 4
    assert workspace.get("/v1/tokens").json() == {"tokens": []}


def test_who_leaves_takes_their_tokens_along(maker: Member, token: str) -> None:
    with using(maker.workspace, token) as client, maker.client() as session:
        assert session.delete(f"/v1/members/{maker.user_id}").status_code == 204
        assert statuses(client) == [401] * 4


@pytest.mark.long
def test_the_plan_of_this_moment_counts(server: Server, workspace: Workspace) -> None:
    token, _ = workspace.make_token("read")
    path = "/v1/groups?environment=production&timeRange=7d"
    with workspace.client(token) as client:
        for plan, status in (("free", 402), ("paid", 200)):
            done = tallyroom("workspace", "set-plan", workspace.workspace_id, plan, "--data", str(server.data))
            assert done.returncode == 0, done.stderr
            assert client.get(path).status_code == status


def test_a_revoked_token_is_refused_with_the_very_next_request(workspace: Workspace) -> None:
    with workspace.client() as owner:
        for _ in range(10):
            token, token_id = workspace.make_token(*SCOPES)
            with workspace.client(token) as client:
                assert client.get("/v1/dashboards").status_code == 200
                assert owner.delete(f"/v1/tokens/{token_id}").status_code == 204
                assert statuses(client) == [401] * 4


@pytest.mark.long
def test_signing_out_and_moving_on_leave_tokens_alone(maker: Member, token: str) -> None:
    with using(maker.workspace, token) as client, maker.client() as session:
        other = session.post("/v1/workspaces", json={"name": "Other"}).json()["id"]
        assert session.post("/v1/auth/workspace", json={"workspaceId": other}).status_code == 200
        before = len(client.get("/v1/dashboards").json()["dashboards"])
        assert client.post("/v1/dashboards", json={"name": "here"}).status_code == 201
        assert len(maker.workspace.get("/v1/dashboards").json()["dashboards"]) == before + 1
        assert session.post("/v1/auth/logout").status_code == 204
        assert statuses(client) == [200, 201, 201, 200]


def test_a_changed_password_leaves_tokens_alone(maker: Member, token: str) -> None:
    with using(maker.workspace, token) as client, maker.client() as session:
        assert session.post("/v1/auth/password", json={"current": PASSWORD, "new": NEW}).status_code == 204
        assert statuses(client) == [200, 201, 201, 200]


@pytest.mark.long
def test_a_password_by_mail_revokes_all_tokens(server: Server, maker: Member, token: str) -> None:
    workspace = maker.workspace
    with using(workspace, token) as client:
        assert httpx.post(f"{server.url}/v1/auth/reset", json={"email": maker.email}).status_code == 202
        body = {"token": token_in(letter_to(server, maker.email, 2)["text"]), "password": NEW}
        assert httpx.post(f"{server.url}/v1/auth/reset/confirm", json=body).status_code == 204
        assert statuses(client) == [401] * 4
    [kept] = workspace.get("/v1/tokens").json()["tokens"]
    assert kept["revokedAt"] is not None


@pytest.mark.long
def test_a_password_by_the_operator_revokes_all_tokens(server: Server, maker: Member, token: str) -> None:
    with using(maker.workspace, token) as client:
        words = ("user", "reset-password", "--email", maker.email, "--password-stdin", "--data", str(server.data))
        done = tallyroom(*words, given=f"{NEW}\n")
        assert done.returncode == 0, done.stderr
        assert statuses(client) == [401] * 4


@pytest.mark.long
def test_a_token_of_a_deleted_environment_is_dead_for_ever(workspace: Workspace) -> None:
    with workspace.client() as owner:
        assert owner.post("/v1/environments", json={"name": "staging"}).status_code == 201
        token, _ = workspace.make_token("read", environment="staging")
        with workspace.client(token) as client:
            assert client.get("/v1/events").status_code == 200
            assert owner.delete("/v1/environments/staging").status_code == 204
            check_refusal(client.get("/v1/events"), 401)
            assert owner.post("/v1/environments", json={"name": "staging"}).status_code == 201
            check_refusal(client.get("/v1/events"), 401)


def test_a_stream_ends_with_its_token(workspace: Workspace) -> None:
    token, token_id = workspace.make_token("read")
    with listening(workspace, token=token) as ear, workspace.client() as owner:
        assert owner.delete(f"/v1/tokens/{token_id}").status_code == 204
        assert workspace.send({"name": "after"}).status_code == 202
        assert ear.ends() == []


@pytest.mark.long
def test_a_stream_ends_when_its_token_expires(server: Server, workspace: Workspace) -> None:
    token, token_id = workspace.make_token("read", expiresAt="2099-01-01T00:00:00Z")
    with listening(workspace, token=token) as ear:
        expire(server, token_id)
        assert ear.ends() == []


@pytest.mark.long
def test_a_stream_ends_when_the_maker_of_its_token_leaves(maker: Member, token: str) -> None:
    with listening(maker.workspace, token=token) as ear, maker.client() as session:
        assert session.delete(f"/v1/members/{maker.user_id}").status_code == 204
        assert ear.ends() == []


def expire(server: Server, token_id: str) -> None:
    """Let a token have expired long ago."""
    run_beside(server.data, "UPDATE personal_tokens SET expires_at_ms = 1 WHERE id = :id", {"id": token_id})


def test_what_a_token_does_is_a_deed_of_its_maker_by_this_token(workspace: Workspace) -> None:
    token, token_id = workspace.make_token("write", "export")
    alert = {"name": "Silence", "environment": "production", "event": "x", "condition": "nodata"}
    with workspace.client(token) as client:
        made = client.post("/v1/alerts", json=alert).json()
        assert client.get("/v1/export").status_code == 200
    with workspace.client() as client:
        assert client.delete(f"/v1/alerts/{made['id']}").status_code == 204
    deleted, exported, created, *_ = workspace.get("/v1/audit").json()["entries"]
    assert {each["by"]["email"] for each in (deleted, exported, created)} == {workspace.email}
    assert created["details"] == {"name": "Silence", "byToken": token_id}
    assert exported["details"] == {"format": "ndjson", "from": None, "to": None, "byToken": token_id}
    assert deleted["details"] == {"name": "Silence"}
