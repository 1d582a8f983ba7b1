"""`tallyroom user` beside a running server: who is created can sign in, and no password stands on a command line."""

import sys
import uuid
from typing import Any

import httpx
import pytest

from harness.clients.workspace import PASSWORD as WORKSPACE_PASSWORD
from harness.clients.workspace import Workspace, fresh_ip
from harness.servers.command import Done, call, call_bytes, refusal, tallyroom
from harness.servers.server import Server
from tallyroom.cli import user
from tallyroom.core.errors import TallyroomError

PASSWORD = "battery staple"


def create(server: Server, workspace: str, **change: Any) -> Done:
    options: dict[str, Any] = {"email": f"{uuid.uuid4().hex}@example.com", "name": "Ann", "role": "developer"} | change
    given = options.pop("password", PASSWORD)
    words = [word for name, value in options.items() if value is not None for word in (f"--{name}", value)]
    return call(
        "user", "create", "--workspace", workspace, *words, "--password-stdin", "--data", str(server.data), given=given
    )


def log_in(server: Server, email: str, password: str = PASSWORD) -> httpx.Response:
    body = {"email": email, "password": password}
    headers = {"x-forwarded-for": fresh_ip()}
    return httpx.post(f"{server.url}/v1/auth/login", json=body, headers=headers, timeout=30)


def audit(workspace: Workspace) -> Any:
    return workspace.get("/v1/audit").json()["entries"]


def test_a_created_user_signs_in(server: Server, workspace: Workspace) -> None:
    email = f"Ann-{uuid.uuid4().hex}@Example.com"
    done = create(server, workspace.workspace_id, email=email)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{email.lower()} can sign in and has the developer role in Owner's workspace")
    answer = log_in(server, email)
    assert answer.status_code == 200
    assert (answer.json()["role"], answer.json()["workspace"]["id"]) == ("developer", workspace.workspace_id)


def test_a_password_has_one_line(server: Server, workspace: Workspace) -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    assert create(server, workspace.workspace_id, email=email, password=f"{PASSWORD}\r\nmore\n").returncode == 0
    assert log_in(server, email).status_code == 200


@pytest.mark.parametrize("part", ["email", "name", "workspace"])
def test_what_is_no_text_is_refused_in_a_sentence(server: Server, workspace: Workspace, part: str) -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    given = {"email": email, "name": "Ann", "workspace": workspace.workspace_id}
    given[part] = f"\udcff{given[part]}"  # the byte FF, as Python has it
    done = create(server, given.pop("workspace"), **given)
    no_text = "An argument is not UTF-8 text. Nothing was changed."
    no_address = "email is not an email address: The email address contains unsafe characters: U+DCFF."
    assert refusal(done) == (no_address if part == "email" else no_text)
    assert log_in(server, email).status_code == 401


def test_a_password_that_is_no_text_is_refused_in_a_sentence(server: Server, workspace: Workspace) -> None:
    words = ["user", "reset-password", "--email", workspace.email, "--password-stdin", "--data", str(server.data)]
    done = call_bytes(*words, given=b"\xff" * 20)
    said = b"tallyroom: The password is not UTF-8 text. Nothing was changed.\n"
    assert (done.returncode, done.stderr) == (1, said)
    assert log_in(server, workspace.email, WORKSPACE_PASSWORD).status_code == 200


def test_the_command_line_takes_no_password(server: Server, workspace: Workspace) -> None:
    command = ["user", "create", "--email", "a@example.com", "--name", "a", "--workspace", workspace.workspace_id]
    done = call(*command, "--role", "viewer", "--data", str(server.data), "--password", PASSWORD)
    assert done.returncode != 0
    assert "Unknown option" in done.stderr


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"password": "short"}, "password must have 10 or more characters"),
        ({"password": ""}, "password must have 10 or more characters"),
        ({"password": "x" * 257}, "password must have 256 or fewer characters"),
        ({"email": "ann"}, "email is not an email address"),
        ({"name": " "}, "name must contain a visible character and no control characters"),
    ],
)
def test_the_rules_of_a_sign_up_hold(
    server: Server, workspace: Workspace, change: dict[str, str | None], reason: str
) -> None:
    assert refusal(create(server, workspace.workspace_id, **change)) == reason


def test_an_address_has_one_account(server: Server, workspace: Workspace) -> None:
    assert "already has an account" in refusal(create(server, workspace.workspace_id, email=workspace.email))


def test_an_unknown_workspace_and_role_are_refused(server: Server, workspace: Workspace) -> None:
    assert "No workspace has the ID or name 'nowhere'" in refusal(create(server, "nowhere"))
    done = create(server, workspace.workspace_id, role="boss")
    assert done.returncode != 0
    assert "owner" in done.stderr


def test_without_a_terminal_the_password_has_to_be_given(server: Server, workspace: Workspace) -> None:
    command = ["user", "reset-password", "--email", workspace.email, "--data", str(server.data)]
    assert "--password-stdin" in refusal(call(*command, given=PASSWORD))


def test_a_data_directory_without_metadata_is_left_as_it_is(tmp_path: Any) -> None:
    command = ["user", "reset-password", "--email", "a@example.com", "--password-stdin"]
    assert "start the server once" in refusal(call(*command, given=PASSWORD, data=str(tmp_path / "none")))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_reset_password_holds_at_once_and_ends_all_sessions(server: Server, workspace: Workspace) -> None:
    command = ["user", "reset-password", "--email", workspace.email.upper(), "--password-stdin"]
    done = tallyroom(*command, given=PASSWORD, data=str(server.data))
    assert (done.returncode, done.stdout) == (
        0,
        f"{workspace.email} has a new password and was signed out everywhere.\n",
    )
    assert workspace.get("/v1/auth/me").status_code == 401
    assert log_in(server, workspace.email).status_code == 200
    nobody = ["user", "reset-password", "--email", "nobody@example.com", "--password-stdin", "--data", str(server.data)]
    assert refusal(call(*nobody, given=PASSWORD)) == "nobody@example.com has no account."


def test_the_audit_log_names_the_operator(server: Server, workspace: Workspace) -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    assert create(server, workspace.workspace_id, email=email, role="viewer").returncode == 0
    entry = audit(workspace)[0]
    assert (entry["action"], entry["by"]) == ("member.add", None)
    assert entry["details"] == {"email": email, "role": "viewer"}


class Terminal:
    """Standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("again", [PASSWORD, "another"])
def test_a_password_is_typed_twice_and_unseen(monkeypatch: pytest.MonkeyPatch, again: str) -> None:
    typed = iter([PASSWORD, again])
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(user, "getpass", lambda _prompt: next(typed))
    if again == PASSWORD:
        assert user._read_password(from_stdin=False) == PASSWORD
    else:
        with pytest.raises(TallyroomError, match="do not match"):
            user._read_password(from_stdin=False)
