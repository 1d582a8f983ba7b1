"""Processes that begin with everything loaded: forked from one that has imported the product and done nothing else.

Importing it takes four fifths of a server's start, and the tests start hundreds of servers. The process that is forked
is Python's own fork server; it has one thread and none of the test's state.
"""

import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerContext
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any, TextIO

from harness.servers.child import WITH_HARNESS

WITHOUT_PYDANTIC = str(Path(__file__).parent / "uninstalled")
"""A folder that hides Pydantic, which one test needs: a server is installed without it, and would read all of it."""

_PRELOAD = "harness.servers.preload"
_PYTHONPATH = os.environ.get("PYTHONPATH")


def is_preloadable(command: Sequence[str]) -> bool:
    """Whether a command runs a module in this interpreter, with the modules that the tests have themselves."""
    return [*command[:2]] == [sys.executable, "-m"] and os.environ.get("PYTHONPATH") == _PYTHONPATH


class PreloadedProcess:
    """A running program, with what tests use of `subprocess.Popen`.

    Args:
        program: a module that ``python -m`` could run, and its arguments.
        environment: its whole environment; it finds the harness whatever this says.
    """

    def __init__(self, program: Sequence[str], environment: Mapping[str, str]) -> None:
        reading, writing = os.pipe()
        process = _context().Process(target=_run, args=(list(program), dict(environment), _Output(writing)))
        process.start()
        os.close(writing)
        assert process.pid
        self.args = [*program]
        self.pid: int = process.pid
        self.stdout: TextIO = os.fdopen(reading, encoding="utf-8")
        self._process = process

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it ends; returns the exit code, which is negative for a signal."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class _Output:
    """The writing end of a pipe, on its way to the child."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (DupFd(self._descriptor),)


def _received(end: Any) -> int:
    descriptor: int = end.detach()
    return descriptor


@cache
def _context() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload([_PRELOAD])
    import pytest  # noqa: PLC0415 # servers load this module

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", os.pathsep.join([WITHOUT_PYDANTIC, WITH_HARNESS["PYTHONPATH"]]))
        forkserver.ensure_running()
    return context


def _run(program: list[str], environment: dict[str, str], output: int) -> None:
    """Become the program."""
    os.environ.clear()
    os.environ.update(environment)
    for stream in (1, 2):
        os.dup2(output, stream)
    os.close(output)
    sys.path.insert(0, WITHOUT_PYDANTIC)
    sys.argv = program
    runpy.run_module(program[0], run_name="__main__", alter_sys=True)
