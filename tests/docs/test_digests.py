"""docs/howto/digests.md: a digest from nothing to its mails, made by what the page says to paste."""

import json
import os
import re
from pathlib import Path

from harness.clients.letters import letters_to
from harness.clients.workspace import Workspace
from harness.servers.server import Server
from harness.suite.pasted_blocks import blocks, in_one_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "digests.md"
HEADINGS = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_page_from_top_to_bottom(workspace: Workspace, server: Server, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {
        "TALLYROOM_URL": workspace.url,
        "TALLYROOM_KEY": workspace.key,
        "TALLYROOM_TOKEN": workspace.session_token,
    }
    pasted = [block for name in HEADINGS for block in blocks(PAGE, name)]

    (output,) = in_one_terminal(pasted, environment, tmp_path)

    lines = [line for line in output.splitlines() if line]
    [preview] = [line for line in lines if line.startswith('{"subject":"Shop: ')]
    answers = [json.loads(line) for line in lines if line != preview]
    assert [answer for answer in answers if "error" in answer] == []
    [listed] = [answer["digests"] for answer in answers if "digests" in answer]
    assert (listed[0]["cadence"], listed[0]["weekday"]) == ("weekly", 1)
    [sendings] = [answer["sendings"] for answer in answers if "sendings" in answer]
    [first] = sendings
    assert {(mail["recipient"], mail["status"]) for mail in first["mails"]} == {
        ("ann@example.com", "failed"),
        ("ben@example.com", "failed"),
    }
    assert "TALLYROOM_SMTP_URL" in first["mails"][0]["error"]
    assert [letter for letter in letters_to(server, "ann@example.com") if "Orders: 2" in letter["text"]]
    assert (answers[-1]["enabled"], answers[-1]["recipients"]) == (False, ["ann@example.com"])
