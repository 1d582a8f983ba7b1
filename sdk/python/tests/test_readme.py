"""What the package's README tells its reader to paste works as pasted, with a real server."""

import os
from pathlib import Path

from harness.clients.workspace import Workspace
from harness.suite.pasted_blocks import all_blocks, in_one_terminal

PROJECT = Path(__file__).parents[1]


def test_every_block_runs_as_pasted(workspace: Workspace, tmp_path: Path) -> None:
    pasted = [block for block in all_blocks(PROJECT / "README.md") if block.language == "python"]
    settings = {
        "TALLYROOM_URL": workspace.url,
        "TALLYROOM_KEY": workspace.key,
        "TALLYROOM_QUEUE": str(tmp_path / "queue"),
    }
    outputs = in_one_terminal(pasted, os.environ | settings | {"PYTHONPATH": str(PROJECT / "src")}, tmp_path)
    assert outputs == ["", "True\n2\n", "True\n", "", ""]
    answer = workspace.get("/v1/actors")
    assert [actor["eventCount"] for actor in answer.json()["actors"]] == [3]
