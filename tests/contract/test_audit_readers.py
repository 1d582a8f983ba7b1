"""Who reads the audit log: admins, and only that of their workspace (rules/people#audit-log)."""

from typing import Any

from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal


def entries(workspace: Workspace) -> list[Any]:
    answer = workspace.get("/v1/audit")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["entries"])


def test_another_workspaces_cursor_opens_nothing(workspace: Workspace) -> None:
    other = sign_up(workspace.url)
    cursor = other.get("/v1/audit", limit=1).json()["next"]
    assert cursor
    check_refusal(workspace.get("/v1/audit", cursor=cursor), 400)


def test_it_is_for_the_workspaces_own_admins(workspace: Workspace) -> None:
    people = {role: add_member(workspace, role) for role in ("viewer", "developer", "admin", "owner")}
    statuses = {}
    for role, member in people.items():
        with member.client() as client:
            statuses[role] = client.get("/v1/audit").status_code
    assert statuses == {"viewer": 403, "developer": 403, "admin": 200, "owner": 200}
    other = sign_up(workspace.url)
    assert {entry["id"] for entry in entries(other)}.isdisjoint({entry["id"] for entry in entries(workspace)})
    assert len(entries(other)) == 2  # its foundation and its first key
