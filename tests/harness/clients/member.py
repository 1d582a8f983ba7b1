"""Members of a workspace, who come as people do: invited and accepted."""

import uuid
from dataclasses import dataclass
from typing import Any

import httpx

from harness.clients.workspace import PASSWORD, Workspace, fresh_ip


@dataclass
class Member:
    """A signed-in person in somebody's workspace."""

    workspace: Workspace
    user_id: str
    email: str
    role: str
    session_token: str

    def client(self) -> httpx.Client:
        """An HTTP client that is signed in as this person."""
        return self.workspace.client(self.session_token)


def add_member(workspace: Workspace, role: str) -> Member:
    """A new person with this role in the workspace."""
    email = fresh_email()
    answer = accept(workspace.url, invite(workspace, email, role)["token"])
    assert answer.status_code == 201, answer.text
    return Member(workspace, answer.json()["user"]["id"], email, role, answer.headers["x-session-token"])


def fresh_email() -> str:
    """An address that nobody has."""
    return f"{uuid.uuid4().hex}@example.com"


def invite(workspace: Workspace, email: str, role: str = "viewer") -> Any:
    """A new invitation by the owner of the workspace, as it is answered."""
    with workspace.client() as client:
        answer = client.post("/v1/invites", json={"email": email, "role": role})
    assert answer.status_code == 201, answer.text
    return answer.json()


def accept(url: str, token: str, session_token: str | None = None, **body: str) -> httpx.Response:
    """Accept by session, or as a new person; each of these comes from an address of its own."""
    headers = {"x-forwarded-for": fresh_ip()}
    if session_token is not None:
        headers["authorization"] = f"Bearer {session_token}"
    elif not body:
        body = {"name": "Member", "password": PASSWORD}
    content = {"token": token} | body
    return httpx.post(f"{url}/v1/invites/accept", json=content, headers=headers, timeout=30, verify=False)


def open_invites(workspace: Workspace) -> list[Any]:
    """The open invitations as they are listed."""
    return list(workspace.get("/v1/invites").json()["invites"])


def role_of(workspace: Workspace, user_id: str) -> str | None:
    """The role in the list of members, None for no member."""
    return {row["id"]: row["role"] for row in workspace.get("/v1/members").json()["members"]}.get(user_id)
