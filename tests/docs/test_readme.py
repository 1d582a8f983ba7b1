"""What the README tells a newcomer to paste works, in the order in which it stands there."""

import json
import os
import uuid
from pathlib import Path
from typing import Any

import pytest

from harness.suite.pasted_blocks import BLOCK, Block, blocks, in_one_terminal

README = Path(__file__).parents[2] / "README.md"
SECTION = "First event in a minute"


def test_the_section_shows_three_ways_to_send_an_event() -> None:
    assert {block.language for block in blocks(README, SECTION)} == {"sh", "python", "js"}


@pytest.mark.parametrize("words", ["make run", "make test"])
def test_the_first_block_names_the_two_commands(words: str) -> None:
    first = BLOCK.search(README.read_text(encoding="utf-8"))
    assert first is not None
    assert words in first["code"]


def test_the_first_event_arrives_as_pasted(server: Any, tmp_path: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    email = f"readme-{uuid.uuid4().hex}@example.com"
    pasted = [Block(block.language, block.code.replace("you@example.com", email)) for block in blocks(README, SECTION)]

    outputs = in_one_terminal(pasted, inherited | {"TALLYROOM_URL": server.url}, tmp_path)

    assert json.loads(outputs[0]) == {"accepted": 1}
    assert outputs[1] == "202 {'accepted': 1}\n"
    assert outputs[2] == "202 { accepted: 1 }\n"
    (actor,) = json.loads(outputs[3])["actors"]
    assert (actor["actorKey"], actor["label"], actor["eventCount"]) == ("customer-17", "Customer 17", 3)
