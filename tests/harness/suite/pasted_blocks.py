"""Runs what a page tells its reader to paste into a terminal."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from harness.suite.patience import PATIENCE

BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)

PROGRAMS = {"sh", "python", "js"}

# Exported variables reach the next block, as they do in one terminal.
KEEP_VARIABLES = '\nset +x\nenv -0 > "$TALLYROOM_KEPT_VARIABLES"\n'


class Block(NamedTuple):
    language: str
    code: str


def blocks(page: Path, heading: str) -> list[Block]:
    """The blocks of code between this heading of the second level and the next one."""
    section = page.read_text(encoding="utf-8").split(f"\n## {heading}\n", maxsplit=1)[1].split("\n## ", maxsplit=1)[0]
    return [Block(match["language"], match["code"]) for match in BLOCK.finditer(section)]


def all_blocks(page: Path) -> list[Block]:
    """The blocks of a page that its reader is to run, from top to bottom."""
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(match["language"], match["code"]) for match in found if match["language"] in PROGRAMS]


def new_terminal(directory: Path, **variables: str) -> dict[str, str]:
    """The environment of a terminal that was just opened in `directory`, with some variables: it knows no `tallyroom`.

    What commands remember of their user lies there as well.
    """
    variables["XDG_STATE_HOME"] = str(directory / "state")
    mine = {name: value for name, value in os.environ.items() if not name.startswith(("TALLYROOM_", "VIRTUAL_ENV"))}
    own = str(Path(sys.prefix) / "bin")
    path = ":".join(folder for folder in mine["PATH"].split(":") if folder != own)
    return mine | {"PATH": path} | variables


def like_a_clone(directory: Path, data: Path) -> Path:
    """`directory` as a clone in which `make run` was said: with `.venv`, and with the data directory of a server."""
    (directory / ".venv").symlink_to(sys.prefix)
    (directory / "data").symlink_to(data)
    return directory


def in_one_terminal(pasted: list[Block], environment: dict[str, str], directory: Path) -> list[str]:
    """Run neighbouring shell blocks as one script, so that plain variables live on as well; returns the outputs.

    Args:
        pasted: what to run.
        environment: of the terminal.
        directory: where the terminal is.
    """
    outputs, script = [], ""
    kept = directory / "variables"
    for position, block in enumerate(pasted):
        following = pasted[position + 1].language if position + 1 < len(pasted) else ""
        if block.language == "sh":
            script += block.code
            if following != "sh":
                shell = environment | {"TALLYROOM_KEPT_VARIABLES": str(kept)}
                outputs.append(_run(["bash", "-e", "-o", "pipefail"], script + KEEP_VARIABLES, shell, directory))
                environment = dict(line.split("=", 1) for line in kept.read_text(encoding="utf-8").split("\0") if line)
                script = ""
        elif block.language == "python":
            outputs.append(_run([sys.executable, "-"], block.code, environment, directory))
        else:
            assert block.language == "js", f"no program runs {block.language}"
            outputs.append(_run(["node", "--input-type=module", "-"], block.code, environment, directory))
    return outputs


def _run(command: list[str], code: str, environment: dict[str, str], directory: Path) -> str:
    done = subprocess.run(
        command,
        input=code,
        env=environment,
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"
    return done.stdout
