"""Processes that a test kills, each with a module of the harness."""

import os
import subprocess
import sys

from harness.servers.child import WITH_HARNESS


class KillableProcess:
    """A process that has said its first line when it is made.

    Args:
        module: what it runs.
        words: its arguments.
    """

    def __init__(self, module: str, *words: object) -> None:
        command = [sys.executable, "-W", "error", "-m", module, *map(str, words)]
        self._process = subprocess.Popen(command, env=os.environ | WITH_HARNESS, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        self.said = self._process.stdout.readline().strip()

    def kill(self) -> None:
        """`kill -9`."""
        self._process.kill()
        with self._process:
            pass
