"""A child that gives no sign of life is killed, also while it starts or is in reserve."""

import signal
import sys

import pytest

from tallyroom.server.workers import child_process
from tallyroom.server.workers.child_process import ChildProcess

STAND_STILL = "import time; time.sleep(600)"
BEAT_ONCE = """
import os, sys
os.write(int(sys.argv[1]), b"{}\\n")
"""


@pytest.mark.parametrize(
    ("program", "limit"),
    [(STAND_STILL, "SILENT_START_SECONDS"), (BEAT_ONCE + STAND_STILL, "SILENT_SECONDS")],
    ids=["before its first heartbeat", "after it"],
)
async def test_a_child_that_stands_still_at_its_start_is_killed(
    program: str, limit: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(child_process, limit, 0.5)
    child = ChildProcess([sys.executable, "-c", program], [])
    await child.end_task
    assert child.exit_code == -signal.SIGKILL
    assert "a worker does not respond and is killed" in caplog.text
