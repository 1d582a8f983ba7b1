"""docs/howto/groups.md: events, a group key, groups and a second key, with what the page says to paste."""

import json
import os
from pathlib import Path
from typing import Any

from harness.clients.groups import defaults, group_keys
from harness.clients.workspace import Workspace
from harness.suite.pasted_blocks import blocks, in_one_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "groups.md"


def test_groups_are_registered_and_seen(workspace: Workspace, tmp_path: Path) -> None:
    mine = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    mine |= {
        "TALLYROOM_URL": workspace.url,
        "TALLYROOM_KEY": workspace.key,
        "TALLYROOM_TOKEN": workspace.session_token,
    }

    def pasted(heading: str, first: int = 0, last: int = 9) -> list[Any]:
        outputs = [in_one_terminal([block], mine, tmp_path)[0] for block in blocks(PAGE, heading)[first:last]]
        return [json.loads(output) for output in outputs]

    assert pasted("Send events with a group") == [{"accepted": 3}]
    candidates, team = pasted("Register the property")
    assert candidates == {"keys": [], "candidates": ["plan", "team"]}
    assert (team["label"], team["isDefault"]) == ("Team", True)
    groups, gold, north, same = pasted("See the groups")
    assert [each["groupKey"] for each in gold["groups"]] == ["Acme / North"]
    assert [(each["groupKey"], each["eventCount"]) for each in groups["groups"]] == [("Acme / North", 2), ("Bolt", 1)]
    assert (north["groupKey"], north["perDay"]) == ("Acme / North", 2)
    assert same == north
    plan, still = pasted("Register a second key", 0, 2)
    assert (plan["isDefault"], still["groups"]) == (True, groups["groups"])
    in_one_terminal(blocks(PAGE, "Register a second key")[2:], mine, tmp_path)
    assert defaults(workspace) == ["plan"]
    assert [key["propKey"] for key in group_keys(workspace)["keys"]] == ["plan"]
