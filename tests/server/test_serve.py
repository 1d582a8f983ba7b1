"""A real server: it holds its directory alone, says where it listens, and stops without losing anything."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from harness.servers.vitals import memory
from harness.suite.patience import PATIENCE
from tallyroom.core.data_directory import CONTROL_SOCKET, DATABASE_FILE, LOCK_FILE, SPOOL_FILE, STORE_FOLDER
from tallyroom.core.version import VERSION

OWNERS_ALONE = {
    "": 0o700,
    STORE_FOLDER: 0o700,
    DATABASE_FILE: 0o600,
    SPOOL_FILE: 0o600,
    CONTROL_SOCKET: 0o600,
    LOCK_FILE: 0o600,
}
STOPPED = {0, -signal.SIGTERM}  # which of the two is right is a question of tests/faults/test_sigterm.py


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data", open_signup="true", log_level="info").start()
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.mark.long
def test_it_starts_tells_serves_refuses_a_second_one_and_stops(running: Server) -> None:
    [said] = [line for line in running.output if " listens on " in line]
    assert re.sub(r"\+[0-9a-f]{8} ", " ", said) == (
        f"Tallyroom {VERSION} listens on {running.url} and keeps its data in {running.data}\n"
    )
    assert running.ready_within(PATIENCE)
    assert httpx.get(f"{running.url}/readyz").json()["version"].startswith(VERSION)
    assert (running.data / LOCK_FILE).read_text() == str(running.process.pid)
    assert {name: stat.S_IMODE((running.data / name).stat().st_mode) for name in OWNERS_ALONE} == OWNERS_ALONE
    if sys.platform == "linux":  # which alone says what is in memory: the code that only a start runs is given back
        assert memory(running, "RssFile") < 100_000_000  # 188 MB before

    second = Server(running.data).launch()
    assert second.wait() == 1
    [line] = second.output
    assert line.startswith(
        f"tallyroom: Another Tallyroom server (process {running.process.pid}) is using {running.data}"
    )
    assert running.ready_within(PATIENCE)

    workspace = sign_up(running.url)
    assert workspace.send({"name": "signup", "_actor": "ann@example.com"}).status_code == 202
    workspace.get("/v1/actors/ann@example.com")
    assert running.stop() in STOPPED
    assert not (running.data / CONTROL_SOCKET).exists()
    check_that_the_log_is_json_and_names_no_secret(running, workspace)

    (running.data / LOCK_FILE).write_text(str(os.getpid()))  # as a server that died leaves it; it does not hold
    again = Server(running.data).start()  # the lock was given back
    try:
        actors = httpx.get(f"{again.url}/v1/actors", headers={"authorization": f"Bearer {workspace.key}"}, timeout=30)
        assert [actor["actorKey"] for actor in actors.json()["actors"]] == ["ann@example.com"]
    finally:
        assert again.stop() in STOPPED


def check_that_the_log_is_json_and_names_no_secret(running: Server, workspace: Workspace) -> None:
    lines = [json.loads(line) for line in running.output if line.startswith("{")]
    asked = [line for line in lines if line["message"] == "request"]
    assert {"POST", "GET"} <= {line["method"] for line in asked}
    assert all(line["requestId"] for line in asked)
    assert "ann@example.com" not in running.text()
    assert workspace.key[10:] not in running.text()
    assert workspace.session_token[6:] not in running.text()


def test_a_port_that_is_taken_ends_the_start_before_anything_is_made(server: Server, tmp_path: Path) -> None:
    refused = Server(tmp_path / "data", port=server.port).launch()
    assert refused.wait() == 1
    [line] = refused.output
    assert line == (
        f"tallyroom: Port {server.port} on 127.0.0.1 is in use: stop the program that listens there, or choose another port"
        " with --port.\n"
    )
    assert list(tmp_path.iterdir()) == []
    assert server.ready_within(5)


def test_a_start_loads_no_library_that_only_some_servers_or_requests_need() -> None:
    libraries = {"asyncpg", "chdb", "email_validator", "redis", "sqlalchemy.dialects.postgresql"}
    program = f"import sys, tallyroom.server.serve; print(sorted({libraries} & sys.modules.keys()))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
