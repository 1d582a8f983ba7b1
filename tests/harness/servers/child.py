"""Python in a process of its own: for what a test must not do to the process of the tests."""

import contextlib
import io
import json
import os
import subprocess
import sys
import textwrap
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.suite.patience import PATIENCE

WITH_HARNESS: dict[str, Any] = {"PYTHONPATH": str(Path(__file__).parents[2])}
"""The environment of a child that imports what the tests share."""


def run_child(code: str, *arguments: object, exits: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `code` with warnings as errors and return what it wrote; fails unless it exits with `exits`."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code), *map(str, arguments)]
    done = subprocess.run(
        command, env=_bare() | environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == exits, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


class Interpreter:
    """A child that runs one piece of code after the other, so that what they import is loaded once."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, code: str, **values: str) -> list[str]:
        """The lines that `code` prints, with `values` as its names; and the traceback where it fails."""
        assert self._process.stdin
        assert self._process.stdout
        patience = threading.Timer(PATIENCE, self._process.kill)
        patience.start()
        try:
            self._process.stdin.write(json.dumps([textwrap.dedent(code), values]) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        finally:
            patience.cancel()
        assert answer, "the child ended"
        printed: list[str] = json.loads(answer)
        return printed


@contextmanager
def interpreter(prelude: str) -> Iterator[Interpreter]:
    """A child with warnings as errors that finds the harness, and in which `prelude` has run."""
    command = [sys.executable, "-W", "error", "-c", "from harness.servers.child import answer_all; answer_all()"]
    with subprocess.Popen(
        command, env=_bare() | WITH_HARNESS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        made = Interpreter(process)
        assert made.run(prelude) == []
        yield made


def answer_all() -> None:
    """The child's end of `Interpreter`."""
    names: dict[str, Any] = {}
    for line in sys.stdin:
        code, values = json.loads(line)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                names.update(values)
                exec(code, names)
            except Exception:  # noqa: BLE001 # the test shows it
                traceback.print_exc(file=printed)
        sys.stdout.write(json.dumps(printed.getvalue().splitlines()) + "\n")
        sys.stdout.flush()


def _bare() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
