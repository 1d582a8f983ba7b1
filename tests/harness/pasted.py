"""Runs what a page tells its reader to paste into a terminal."""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)

# Exported variables reach the next block, as they do in one terminal.
KEEP_VARIABLES = '\nset +x\nenv -0 > "$TALLYROOM_KEPT_VARIABLES"\n'


class Block(NamedTuple):
    language: str
    code: str


def blocks(page: Path, heading: str) -> list[Block]:
    """The blocks of code between this heading of the second level and the next one."""
    section = page.read_text(encoding="utf-8").split(f"\n## {heading}\n", maxsplit=1)[1].split("\n## ", maxsplit=1)[0]
    return [Block(match["language"], match["code"]) for match in BLOCK.finditer(section)]


def in_one_terminal(all_blocks: list[Block], environment: dict[str, str], directory: Path) -> list[str]:
    """Run neighbouring shell blocks as one script, so that plain variables live on as well; returns the outputs."""
    outputs, script = [], ""
    kept = directory / "variables"
    for position, block in enumerate(all_blocks):
        following = all_blocks[position + 1].language if position + 1 < len(all_blocks) else ""
        if block.language == "sh":
            script += block.code
            if following != "sh":
                shell = environment | {"TALLYROOM_KEPT_VARIABLES": str(kept)}
                outputs.append(_run(["bash", "-e", "-o", "pipefail"], script + KEEP_VARIABLES, shell))
                environment = dict(line.split("=", 1) for line in kept.read_text(encoding="utf-8").split("\0") if line)
                script = ""
        elif block.language == "python":
            outputs.append(_run([sys.executable, "-"], block.code, environment))
        else:
            assert block.language == "js", f"no program runs {block.language}"
            outputs.append(_run(["node", "--input-type=module", "-"], block.code, environment))
    return outputs


def _run(command: list[str], code: str, environment: dict[str, str]) -> str:
    done = subprocess.run(command, input=code, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"
    return done.stdout
