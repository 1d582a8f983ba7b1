"""A child that gives no sign of life is killed, also while it starts."""

import signal
import sys
from pathlib import Path

import pytest

from tallyroom.core.settings import Settings
from tallyroom.server.workers import child_process
from tallyroom.server.workers.child_process import ChildProcess
from tallyroom.server.workers.messages import Assignment

STAND_STILL = "import time; time.sleep(600)"
BEAT_ONCE = """
import json, os, sys
os.write(json.loads(sys.stdin.readline())["heartbeats"], b"{}\\n")
"""


@pytest.mark.parametrize(
    ("program", "limit"),
    [(STAND_STILL, "SILENT_START_SECONDS"), (BEAT_ONCE + STAND_STILL, "SILENT_SECONDS")],
    ids=["before its first heartbeat", "after it"],
)
async def test_a_child_that_stands_still_at_its_start_is_killed(
    tmp_path: Path, program: str, limit: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(child_process, limit, 0.5)
    child = ChildProcess("0", [sys.executable, "-c", program], lambda: None)
    with (tmp_path / "lock").open("w") as lock:
        settings = Settings(data=str(tmp_path))
        await child.run(Assignment(name="0", settings=settings, heartbeats=-1, lock=lock.fileno()))
    assert child.exit_code == -signal.SIGKILL
    assert "a worker does not respond and is killed" in caplog.text
