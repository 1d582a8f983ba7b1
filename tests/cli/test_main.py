"""The command line as a whole: what the system refuses is a sentence too, and never a stack trace."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.clients.import_command import ndjson


@pytest.fixture
def previewed(tmp_path: Path) -> dict[str, Any]:
    """A command that writes half a megabyte."""
    path = ndjson(tmp_path / "events.ndjson", [{"name": "n", "properties": {"text": "x" * 1000}}] * 500)
    words = [sys.executable, "-m", "tallyroom", "import", "events", str(path), "--preview", "500"]
    return {"args": words, "stderr": subprocess.PIPE}


def test_whoever_reads_the_output_may_stop(previewed: dict[str, Any]) -> None:
    with subprocess.Popen(**previewed, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_an_output_that_is_full(previewed: dict[str, Any]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(**previewed, stdout=full, check=False)
    assert (done.returncode, done.stderr) == (1, b"tallyroom: No space left on device.\n")
