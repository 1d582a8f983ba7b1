"""The command `tallyroom` in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.server import BIG_DISK_RESERVE

Done = subprocess.CompletedProcess[str]


def tallyroom(
    *arguments: str | Path, inside: Sequence[str] = (), limits: str = "", given: str = "", **settings: str
) -> Done:
    """Run one subcommand to its end.

    Args:
        arguments: the words after `tallyroom`.
        inside: a command that enters a namespace.
        limits: resource limits, as shell words for `ulimit`.
        given: what stands on standard input.
        settings: environment variables without the prefix.
    """
    command, environment = _command(arguments, settings)
    if limits:
        command = ["bash", "-c", f'ulimit {limits} && exec "$@"', "tallyroom", *command]
    return subprocess.run(
        [*inside, *command], env=environment, input=given, capture_output=True, text=True, timeout=120, check=False
    )


def launch_tallyroom(*arguments: str | Path, inside: Sequence[str] = (), **settings: str) -> "subprocess.Popen[str]":
    """Begin one subcommand; arguments as for `tallyroom`."""
    command, environment = _command(arguments, settings)
    command = [*inside, *command]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def refusal(done: Done) -> str:
    """The sentence with which a command refused."""
    assert done.returncode == 1, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("tallyroom: "), done.stderr
    return done.stderr.removeprefix("tallyroom: ").strip()


def _command(arguments: Sequence[str | Path], settings: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {"TALLYROOM_DISK_RESERVE_BYTES": BIG_DISK_RESERVE}
    environment |= {f"TALLYROOM_{name.upper()}": value for name, value in settings.items()}
    return [sys.executable, "-m", "tallyroom", *map(str, arguments)], environment
