"""docs/howto/events.md: events are listed, hidden and kept only so long, with what the page says to paste."""

import json
import os
from pathlib import Path
from typing import Any

from harness.clients.workspace import Workspace
from harness.suite.pasted_blocks import blocks, in_one_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "events.md"


def test_the_newest_event_is_hidden_and_shown_again(workspace: Workspace, tmp_path: Path) -> None:
    mine = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    mine |= {"TALLYROOM_URL": workspace.url, "TALLYROOM_TOKEN": workspace.session_token}

    def pasted(heading: str) -> Any:
        (output,) = in_one_terminal(blocks(PAGE, heading), mine, tmp_path)
        return [json.loads(line) for line in output.splitlines()]

    workspace.send({"name": "first"})
    workspace.send({"name": "second"})
    assert [event["name"] for answer in pasted("Hide an event") for event in answer["events"]] == ["second"]
    assert workspace.get("/v1/events", hidden="true").json()["events"] == []
    assert [each["retentionDays"] for each in pasted("Limit how long events are kept")] == [None, 30]
