"""`tallyroom doctor` on a real directory: lines for people, JSON for machines, an exit status for both."""

import json
from pathlib import Path

import pytest

from harness.clients.workspace import Workspace
from harness.servers.command import call
from harness.servers.server import Server


def test_a_running_server_is_healthy(server: Server, workspace: Workspace) -> None:
    assert workspace.send({"name": "n", "_actor": "a"}).status_code == 202
    done = call("doctor", "--data", server.data)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["ok", "server", "runs", "as", "process", str(server.process.pid)]
    assert any(line.startswith("warning mail") for line in lines)
    assert any(line.strip().startswith("→ Set it and TALLYROOM_MAIL_FROM") for line in lines)
    assert "\x1b" not in done.stdout


def test_the_same_as_json(server: Server) -> None:
    done = call("doctor", "--data", server.data, "--json", "--quick")
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert answer["ok"] is True
    assert {finding["state"] for finding in answer["findings"]} <= {"ok", "warning"}
    [events] = [finding for finding in answer["findings"] if finding["subject"] == "events"]
    assert events.keys() == {"subject", "state", "text"}


@pytest.mark.parametrize("json_too", [False, True])
def test_something_broken_is_exit_status_1(tmp_path: Path, *, json_too: bool) -> None:
    done = call("doctor", "--data", tmp_path / "none", *(["--json"] if json_too else []))
    assert done.returncode == 1
    assert "There is no Tallyroom data in" in done.stdout
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []
