"""`tallyroom workspace` beside a running server: a plan holds from the next request on (rules/people#plans)."""

import httpx
import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.servers.command import call, refusal
from harness.servers.server import Server


def set_plan(server: Server, workspace: str, plan: str) -> str:
    done = call("workspace", "set-plan", workspace, plan, "--data", str(server.data))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_workspace_is_listed_on_a_line_that_is_never_broken(server: Server, workspace: Workspace) -> None:
    with workspace.client() as client:
        name = "[red]" + "w" * 114
        assert client.patch("/v1/workspace", json={"name": name}).status_code == 200
    done = call("workspace", "list", data=str(server.data))
    assert (done.returncode, done.stderr) == (0, "")
    heading, *lines = done.stdout.splitlines()
    assert heading.split() == ["ID", "NAME", "PLAN", "MEMBERS", "CREATED"]
    [line] = [line for line in lines if line.startswith(workspace.workspace_id)]
    assert line.split()[1:4] == [name, "paid", "1"]


@pytest.mark.long
def test_a_plan_holds_from_the_very_next_request_on(free_server: Server) -> None:
    workspace = sign_up(free_server.url)
    with workspace.client(workspace.key) as client:  # one kept-alive connection, whose key is remembered

        def send() -> httpx.Response:
            return client.post("/v1/events", json={"events": [{"name": "x"}] * 3})

        assert [send().status_code for _ in range(2)] == [202, 202]
        for _ in range(3):
            assert "is now free; it was paid." in set_plan(free_server, workspace.workspace_id, "free")
            assert send().status_code == 402
            assert "is now paid; it was free." in set_plan(free_server, workspace.workspace_id, "paid")
            assert send().status_code == 202
    assert workspace.get("/v1/auth/me").json()["workspace"]["plan"] == "paid"
    actions = [(entry["action"], entry["details"]) for entry in workspace.get("/v1/audit").json()["entries"]]
    assert actions[:2] == [
        ("workspace.plan", {"from": "free", "to": "paid"}),
        ("workspace.plan", {"from": "paid", "to": "free"}),
    ]


def test_the_same_plan_again_changes_nothing(server: Server, workspace: Workspace) -> None:
    before = workspace.get("/v1/audit").json()
    assert "is already paid." in set_plan(server, workspace.workspace_id, "paid")
    assert workspace.get("/v1/audit").json() == before


def test_a_name_will_do_when_it_is_one_workspaces(server: Server, workspace: Workspace) -> None:
    sign_up(server.url)
    sentence = refusal(call("workspace", "set-plan", "Owner's workspace", "free", data=str(server.data)))
    assert "use the ID of one" in sentence
    assert workspace.workspace_id in sentence
    with workspace.client() as client:
        assert client.patch("/v1/workspace", json={"name": workspace.email}).status_code == 200
    assert set_plan(server, workspace.email, "free").startswith(
        f"{workspace.email} ({workspace.workspace_id}) is now free"
    )


def test_another_plan_or_workspace_is_refused(server: Server, workspace: Workspace) -> None:
    done = call("workspace", "set-plan", workspace.workspace_id, "gold", data=str(server.data))
    assert done.returncode != 0
    assert '"free", "paid"' in done.stderr
    sentence = refusal(call("workspace", "set-plan", "nowhere", "free", data=str(server.data)))
    assert "`tallyroom workspace list` lists them" in sentence
