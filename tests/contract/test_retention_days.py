"""`retentionDays` of an environment: what is older goes, what is not stays (rules/events#retention-days)."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.actor import counts
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.export_files import read_csv
from harness.servers.command import tallyroom
from harness.servers.server import Server
from harness.stores.metadata_edits import run_beside


def exported(workspace: Workspace, environment: str = "production") -> list[str]:
    rows = read_csv(workspace.get("/v1/export", format="csv", environment=environment).content)
    return [row[0] for row in rows[1:]]


def becomes(workspace: Workspace, names: list[str]) -> None:
    """Wait until the environment has these events, in order."""
    deadline = time.monotonic() + 40
    while (found := exported(workspace)) != names:
        assert time.monotonic() < deadline, found
        time.sleep(0.2)


def make_due(data: Path) -> None:
    """Let the job be due as if an hour had passed."""
    assert len(run_beside(data, "UPDATE work_items SET due_ms = 0 WHERE id = 'retention' RETURNING id")) == 1


@pytest.mark.long
def test_old_events_go_and_nothing_else(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", open_signup="true", trusted_proxies="127.0.0.0/8").start()
    try:
        kept, other = sign_up(server.url), sign_up(server.url)
        ages = {"ancient": 400, "old": 31.5, "young": 29.5, "now": 0}
        events: list[dict[str, Any]] = [
            {"name": name, "_timestamp": ago(days=age), "_actor": name, "_actorLabel": name.title()}
            for name, age in ages.items()
        ]
        for workspace in (kept, other):
            assert workspace.send({"events": events}).status_code == 202
        development = kept.make_key("development")[0]
        assert kept.send({"events": events}, key=development).status_code == 202
        with kept.client() as client:
            assert client.patch("/v1/environments/production", json={"retentionDays": 30}).status_code == 200
        server.stop()
        make_due(tmp_path / "data")
        server.start()
        kept.url = other.url = server.url
        becomes(kept, ["young", "now"])
        assert counts(kept) == {"young": 1, "now": 1}
        assert exported(kept, "development") == exported(other) == list(ages)
        server.stop()
        done = tallyroom("doctor", "--data", tmp_path / "data", "--json")
        states = {each["subject"]: each["state"] for each in json.loads(done.stdout)["findings"]}
        assert (states.get("events"), done.returncode) == ("ok", 0), done.stdout
        assert "2 erased" in done.stdout
    finally:
        if server.process.poll() is None:
            server.kill()
