"""A password that is tried first is refused wherever one is set (OWASP ASVS 6.2.4, rules/people#passwords)."""

import uuid
from typing import Any

import httpx
import pytest

from harness.clients.letters import letter_to, token_in
from harness.clients.member import accept, fresh_email, invite
from harness.clients.workspace import PASSWORD, Workspace, fresh_ip, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.command import call, refusal
from harness.servers.server import Server
from harness.suite.few import few

COMMON = ["qwertyuiop", "PassWord123", "1Q2W3E4R5T", "Tallyroom2026!"]


def check_refused(answer: httpx.Response, field: str) -> None:
    assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [[field]]


def attempt(server: Server, **change: str) -> httpx.Response:
    """A sign-up from a place of its own."""
    body = {"email": fresh_email(), "password": PASSWORD, "name": "Ann", "workspaceName": "Blue Teapot"} | change
    headers = {"x-forwarded-for": fresh_ip()}
    return httpx.post(f"{server.url}/v1/auth/signup", json=body, headers=headers, timeout=30)


@pytest.mark.parametrize("password", [*COMMON, "BlueTeapot1", "blue teapot"])
def test_at_sign_up(server: Server, password: str) -> None:
    check_refused(attempt(server, password=password), "password")


def test_an_address_is_no_password(server: Server) -> None:
    email = fresh_email()
    check_refused(attempt(server, email=email, password=email.upper()), "password")
    assert attempt(server, email=email).status_code == 201


@pytest.fixture(scope="module")
def owner(server: Server) -> Workspace:
    return sign_up(server.url)


@few(1, "password", [*COMMON, "Owner's workspace"])
def test_at_a_change(owner: Workspace, password: str) -> None:
    with owner.client() as client:
        check_refused(client.post("/v1/auth/password", json={"current": PASSWORD, "new": password}), "new")
        wrong = {"current": "another pass phrase", "new": password}
        check_refused(client.post("/v1/auth/password", json=wrong), "current")


def test_at_a_reset(server: Server, owner: Workspace) -> None:
    headers = {"x-forwarded-for": fresh_ip()}
    with httpx.Client(base_url=server.url, headers=headers, timeout=30) as client:
        assert client.post("/v1/auth/reset", json={"email": owner.email}).status_code == 202
        token = token_in(letter_to(server, owner.email)["text"])
        for password in (*COMMON, owner.email, "Owner's workspace"):
            answer = client.post("/v1/auth/reset/confirm", json={"token": token, "password": password})
            check_refused(answer, "password")
        answer = client.post("/v1/auth/reset/confirm", json={"token": token, "password": PASSWORD})
        assert answer.status_code == 204


@few(1, "password", [*COMMON, "Owner's workspace"])
def test_at_an_invitation(server: Server, workspace: Workspace, password: str) -> None:
    token = invite(workspace, fresh_email())["token"]
    check_refused(accept(server.url, token, name="Ann", password=password), "password")
    assert accept(server.url, token, name="Ann", password=PASSWORD).status_code == 201


@few(1, "password", [*COMMON, "Owner's workspace"])
def test_on_the_command_line(server: Server, workspace: Workspace, password: str) -> None:
    beside = ["--password-stdin", "--data", str(server.data)]
    person = ["--email", fresh_email(), "--name", "Ann", "--workspace", workspace.workspace_id, "--role", "viewer"]
    made = call("user", "create", *person, *beside, given=password)
    changed = call("user", "reset-password", "--email", workspace.email, *beside, given=password)
    for done in (made, changed):
        assert refusal(done).startswith("password is ")
        assert done.returncode == 1


WRONG = [
    "<x@example.com>",
    "x\u200b@example.com",
    "x@exa\u200bmple.com",
    "x@-.com",
    "Ann <x@example.com>",
    "x@example.com.",
    "x@xn--bcher-kva.example",
]


@few(2, "email", WRONG)
def test_what_is_no_address_is_refused(server: Server, workspace: Workspace, email: str) -> None:
    check_refused(attempt(server, email=email), "email")
    with workspace.client() as client:
        check_refused(client.post("/v1/invites", json={"email": email, "role": "viewer"}), "email")
    person = ["--email", email, "--name", "Ann", "--workspace", workspace.workspace_id, "--role", "viewer"]
    done = call("user", "create", *person, "--password-stdin", "--data", str(server.data), given=PASSWORD)
    assert refusal(done).startswith("email is not an email address")


@pytest.mark.parametrize("domain", ["münchen.example", "corp.local"])
def test_addresses_in_any_script_and_in_a_house_are_taken(server: Server, domain: str) -> None:
    for name in (uuid.uuid4().hex, f"jürgen-{uuid.uuid4().hex}"):
        email = f"{name}@{domain}"
        assert attempt(server, email=email).status_code == 201
        body: dict[str, Any] = {"email": email.upper(), "password": PASSWORD}
        headers = {"x-forwarded-for": fresh_ip()}
        answer = httpx.post(f"{server.url}/v1/auth/login", json=body, headers=headers, timeout=30)
        assert answer.status_code == 200
