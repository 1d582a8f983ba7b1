"""docs/howto/bots-import.md: a file and another listing, by what the page says to paste; and every option."""

import json
import os
import re
import socket
import sys
from pathlib import Path

import pytest

from harness.clients.workspace import Workspace
from harness.servers.child import run_child
from harness.suite.pasted_blocks import BLOCK, Block, in_one_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "bots-import.md"
HELP = "from tallyroom.cli.main import app; app(['bots', '{command}', '--help'])"
OPTION = re.compile(r"--[a-z][a-z-]+")
FOR_EVERY_COMMAND = {"--help", "--version"}
ENVIRONMENT = {"--token", "--url"}  # the page tells of variables, which no other user of the machine can read


@pytest.mark.long
def test_the_page_from_top_to_bottom(workspace: Workspace, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {"TALLYROOM_URL": workspace.url, "TALLYROOM_TOKEN": workspace.session_token, "TMPDIR": str(tmp_path)}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    text = PAGE.read_text(encoding="utf-8").replace("8799", port)
    pasted = [Block("sh", match["code"]) for match in BLOCK.finditer(text) if match["language"] == "sh"]

    (output,) = in_one_terminal(pasted, environment, tmp_path)

    first, preview, second, collected, ranking = output.splitlines()
    assert first == "4 rows: 4 accepted, 0 already counted, 0 refused."
    assert first in text
    assert json.loads(preview)["owners"] == ["205680187394752512", "140862798832861184"]
    assert second == "2 rows: 2 accepted, 0 already counted, 0 refused."
    assert collected.endswith(" 2 bots fed, 1 left out.")
    found = [(bot["name"], bot["server_count"], bot["server_count_rank"]) for bot in json.loads(ranking)["data"]]
    assert found == [("Teapot", 1200, 1), ("Timetable", 980, 2), ("583807014896140293", 15, 3)]


def test_the_page_names_every_option() -> None:
    offered = {
        option
        for command in ("import", "collect")
        for option in OPTION.findall(run_child(HELP.format(command=command)).stdout)
    }
    beside = {"--bind", "--directory"}  # options of Python's server
    found = set(OPTION.findall(PAGE.read_text(encoding="utf-8"))) - beside
    assert found == offered - FOR_EVERY_COMMAND - ENVIRONMENT
