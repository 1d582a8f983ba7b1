"""`tallyroom import events` as a person runs it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from harness.clients.workspace import Workspace
from harness.servers.command import call_bytes
from harness.suite.patience import PATIENCE

SUMMARY = re.compile(r"^([\d,]+) rows?: ([\d,]+) accepted, ([\d,]+) already counted, ([\d,]+) refused\.$", re.MULTILINE)


def command(workspace: Workspace, *arguments: object) -> tuple[list[str], dict[str, str]]:
    """The words of the command, and the environment that holds address and key."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {"TALLYROOM_URL": workspace.url, "TALLYROOM_KEY": workspace.key}
    return [sys.executable, "-m", "tallyroom", "import", "events", *map(str, arguments)], environment


def run(
    workspace: Workspace, *arguments: object, given: bytes = b"", exits: int = 0
) -> subprocess.CompletedProcess[bytes]:
    """Run an import to its end; fails unless it exits with `exits`, or when it shows a stack trace or the key."""
    words, environment = command(workspace, *arguments)
    done = subprocess.run(words, env=environment, input=given, capture_output=True, timeout=PATIENCE, check=False)
    return _checked(workspace, done, exits)


def run_here(
    workspace: Workspace, *arguments: object, given: bytes = b"", exits: int = 0
) -> subprocess.CompletedProcess[bytes]:
    """The same in this process, which spares loading it; not for Parquet, which brings an event engine."""
    words = [str(argument) for argument in arguments]
    done = call_bytes("import", "events", *words, given=given, url=workspace.url, key=workspace.key)
    return _checked(workspace, done, exits)


def _checked(
    workspace: Workspace, done: subprocess.CompletedProcess[bytes], exits: int
) -> subprocess.CompletedProcess[bytes]:
    assert done.returncode == exits, f"exit {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    assert b"Traceback" not in done.stderr
    assert workspace.key.encode() not in done.stdout + done.stderr
    return done


def numbers(done: subprocess.CompletedProcess[bytes]) -> tuple[int, ...]:
    """Rows, and of these accepted, already counted, refused."""
    found = SUMMARY.search(done.stdout.decode())
    assert found, done.stdout
    return tuple(int(group.replace(",", "")) for group in found.groups())


def one_sentence(done: subprocess.CompletedProcess[bytes], words: str) -> None:
    """The last line of the error output is a refusal with these words."""
    line = done.stderr.decode().splitlines()[-1]
    assert line.startswith("tallyroom: ")
    assert words in line


def events(count: int, actors_: int = 50) -> list[dict[str, Any]]:
    """Events of some actors, each with its number."""
    return [
        {"name": "step", "_actor": f"actor-{number % actors_}", "properties": {"number": number}}
        for number in range(count)
    ]


def ndjson(path: Path, listed: list[dict[str, Any]]) -> Path:
    """Write events as a file in Tallyroom's own shape."""
    path.write_text("".join(json.dumps(event) + "\n" for event in listed))
    return path
