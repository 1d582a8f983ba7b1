"""docs/howto/import.md says what comes of it, and names each option of the command, and no other."""

import re
from pathlib import Path

import pytest

from harness.clients.workspace import Workspace
from harness.servers.child import run_child
from harness.servers.server import Server
from harness.suite.pasted_blocks import all_blocks, in_one_terminal, like_a_clone, new_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "import.md"
HELP = "from tallyroom.cli.main import app; app(['import', 'events', '--help'])"
OPTION = re.compile(r"--[a-z][a-z-]+")
FOR_EVERY_COMMAND = {"--help", "--version"}
ENVIRONMENT = {"--key", "--url"}  # the page tells of TALLYROOM_KEY, which no other user of the machine can read


def test_the_page_names_every_option() -> None:
    offered = set(OPTION.findall(run_child(HELP).stdout)) - FOR_EVERY_COMMAND - ENVIRONMENT
    assert set(OPTION.findall(PAGE.read_text(encoding="utf-8"))) == offered


@pytest.mark.long
def test_the_page_from_top_to_bottom(workspace: Workspace, server: Server, tmp_path: Path) -> None:
    clone = like_a_clone(tmp_path, server.data)
    terminal = new_terminal(clone, TALLYROOM_URL=workspace.url, TALLYROOM_KEY=workspace.key)
    (output,) = in_one_terminal(all_blocks(PAGE), terminal, clone)
    summaries = [line for line in output.splitlines() if "rows" in line]
    assert len(summaries) == 4
    text = PAGE.read_text(encoding="utf-8")
    assert [line for line in summaries if line not in text] == []
