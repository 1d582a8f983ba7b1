"""What the README tells a newcomer to paste works, in the order in which it stands there."""

import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any, NamedTuple

import pytest

README = Path(__file__).parents[2] / "README.md"
SECTION = "## First event in a minute\n"
BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)

# Exported variables reach the next block, as they do in one terminal.
KEEP_VARIABLES = '\nset +x\nenv -0 > "$TALLYROOM_README_ENV"\n'


class Block(NamedTuple):
    language: str
    code: str


def blocks() -> list[Block]:
    section = README.read_text(encoding="utf-8").split(SECTION, maxsplit=1)[1].split("\n## ", maxsplit=1)[0]
    return [Block(match["language"], match["code"]) for match in BLOCK.finditer(section)]


def run(command: list[str], code: str, environment: dict[str, str]) -> str:
    done = subprocess.run(command, input=code, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def in_one_terminal(all_blocks: list[Block], environment: dict[str, str], directory: Path) -> list[str]:
    """Run neighbouring shell blocks as one script, so that plain variables live on as well; returns the outputs."""
    outputs, script = [], ""
    kept = directory / "variables"
    for position, block in enumerate(all_blocks):
        following = all_blocks[position + 1].language if position + 1 < len(all_blocks) else ""
        if block.language == "sh":
            script += block.code
            if following != "sh":
                shell = environment | {"TALLYROOM_README_ENV": str(kept)}
                outputs.append(run(["bash", "-e", "-o", "pipefail"], script + KEEP_VARIABLES, shell))
                environment = dict(line.split("=", 1) for line in kept.read_text(encoding="utf-8").split("\0") if line)
                script = ""
        elif block.language == "python":
            outputs.append(run([sys.executable, "-"], block.code, environment))
        else:
            assert block.language == "js", f"no program runs {block.language}"
            outputs.append(run(["node", "--input-type=module", "-"], block.code, environment))
    return outputs


def test_the_section_shows_three_ways_to_send_an_event() -> None:
    assert {block.language for block in blocks()} == {"sh", "python", "js"}


@pytest.mark.parametrize("words", ["make run", "make test"])
def test_the_first_block_names_the_two_commands(words: str) -> None:
    first = BLOCK.search(README.read_text(encoding="utf-8"))
    assert first is not None
    assert words in first["code"]


def test_the_first_event_arrives_as_pasted(server: Any, tmp_path: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    email = f"readme-{uuid.uuid4().hex}@example.com"
    pasted = [Block(block.language, block.code.replace("you@example.com", email)) for block in blocks()]

    outputs = in_one_terminal(pasted, inherited | {"TALLYROOM_URL": server.url}, tmp_path)

    assert json.loads(outputs[0]) == {"accepted": 1}
    assert outputs[1] == "202 {'accepted': 1}\n"
    assert outputs[2] == "202 { accepted: 1 }\n"
    (actor,) = json.loads(outputs[3])["actors"]
    assert (actor["actorKey"], actor["label"], actor["eventCount"]) == ("customer-17", "Customer 17", 3)
