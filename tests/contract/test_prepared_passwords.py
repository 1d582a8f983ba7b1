"""However a password is typed, it is the same one, wherever it is set and asked for (rules/people#passwords)."""

import httpx
import pytest
from argon2 import PasswordHasher

from harness.clients.at_once import at_once
from harness.clients.letters import letter_to, token_in
from harness.clients.member import accept, fresh_email, invite
from harness.clients.workspace import PASSWORD, Workspace, fresh_ip
from harness.oracles.refusal import check_refusal
from harness.servers.command import call
from harness.servers.server import Server
from harness.stores.metadata_edits import run_beside

COMPOSED = "ros\u00e9 au lait"
TYPED = ["rose\u0301 au lait", "ros\u00e9\u00a0au\u3000lait"]
SHORT = "e\u0301" * 9  # 18 characters as it is typed
FORBIDDEN = "a long \x07 password"
NO = {"U+0007", "10 or more"}


def statuses(url: str, email: str, *passwords: str) -> list[int]:
    """How sign-ins with these passwords are answered."""
    with httpx.Client(base_url=url, headers={"x-forwarded-for": fresh_ip()}, timeout=30) as client:
        return [
            client.post("/v1/auth/login", json={"email": email, "password": each}).status_code for each in passwords
        ]


def check_signs_in(url: str, email: str) -> None:
    assert statuses(url, email, COMPOSED, *TYPED, "rose au lait") == [200, 200, 200, 401]


def check_new(answer: httpx.Response, field: str) -> None:
    [detail] = check_refusal(answer, 400)["details"]
    assert detail["path"] == [field]
    assert any(reason in detail["message"] for reason in NO)


@pytest.mark.parametrize("typed", TYPED)
def test_at_sign_up(server: Server, typed: str) -> None:
    email, headers = fresh_email(), {"x-forwarded-for": fresh_ip()}
    for password, status in ((SHORT, 400), (FORBIDDEN, 400), (typed, 201)):
        body = {"email": email, "password": password, "name": "Ann"}
        answer = httpx.post(f"{server.url}/v1/auth/signup", json=body, headers=headers, timeout=30)
        assert answer.status_code == status
        if status == 400:
            check_new(answer, "password")
    check_signs_in(server.url, email)


def test_at_a_change(workspace: Workspace) -> None:
    with workspace.client() as client:
        for password in (SHORT, FORBIDDEN):
            check_new(client.post("/v1/auth/password", json={"current": PASSWORD, "new": password}), "new")
        answer = client.post("/v1/auth/password", json={"current": PASSWORD, "new": TYPED[0]})
        assert answer.status_code == 204
        client.headers["authorization"] = f"Bearer {answer.headers['x-session-token']}"
        again = client.post("/v1/auth/password", json={"current": TYPED[1], "new": COMPOSED})
        assert again.status_code == 204
    check_signs_in(workspace.url, workspace.email)


@pytest.mark.long
def test_at_a_reset(server: Server, workspace: Workspace) -> None:
    with workspace.client() as client:
        assert client.post("/v1/auth/reset", json={"email": workspace.email}).status_code == 202
        token = token_in(letter_to(server, workspace.email)["text"])
        for password in (SHORT, FORBIDDEN):
            check_new(client.post("/v1/auth/reset/confirm", json={"token": token, "password": password}), "password")
        answer = client.post("/v1/auth/reset/confirm", json={"token": token, "password": TYPED[0]})
        assert answer.status_code == 204
    check_signs_in(workspace.url, workspace.email)


def test_at_an_invitation(workspace: Workspace) -> None:
    made = invite(workspace, fresh_email())
    for password in (SHORT, FORBIDDEN):
        check_new(accept(workspace.url, made["token"], name="Ann", password=password), "password")
    assert accept(workspace.url, made["token"], name="Ann", password=TYPED[0]).status_code == 201
    check_signs_in(workspace.url, made["email"])


@pytest.mark.long
def test_on_the_command_line(server: Server, workspace: Workspace) -> None:
    beside = ["--password-stdin", "--data", str(server.data)]
    email = fresh_email()
    person = ["--email", email, "--name", "Ann", "--workspace", workspace.workspace_id, "--role", "viewer"]
    for password in (SHORT, FORBIDDEN):
        assert call("user", "create", *person, *beside, given=password).returncode == 1
    assert call("user", "create", *person, *beside, given=TYPED[0]).returncode == 0
    check_signs_in(server.url, email)
    assert call("user", "reset-password", "--email", workspace.email, *beside, given=TYPED[1]).returncode == 0
    check_signs_in(server.url, workspace.email)


def test_an_old_hash_is_replaced_when_it_fits_what_was_typed(server: Server, workspace: Workspace) -> None:
    old = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(TYPED[0])
    store = "UPDATE users SET password_hash = :old WHERE email = :email"
    run_beside(server.data, store, {"old": old, "email": workspace.email})
    assert statuses(workspace.url, workspace.email, COMPOSED, TYPED[1]) == [401, 401]
    assert workspace.get("/v1/auth/me").status_code == 200
    assert statuses(workspace.url, workspace.email, TYPED[0]) == [200]
    assert workspace.get("/v1/auth/me").status_code == 200  # no session has ended: it is the same password
    check_signs_in(workspace.url, workspace.email)


def test_several_sign_ins_replace_an_old_hash_together(server: Server, workspace: Workspace) -> None:
    old = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(TYPED[0])
    store = "UPDATE users SET password_hash = :old WHERE email = :email"
    run_beside(server.data, store, {"old": old, "email": workspace.email})
    body = {"email": workspace.email, "password": TYPED[0]}
    with workspace.client() as client:
        assert at_once(*[lambda: client.post("/v1/auth/login", json=body) for _ in range(8)]) == [200] * 8
