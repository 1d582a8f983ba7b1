"""docs/howto/dashboards.md: a dashboard with each type of widget, made by what the page says to paste."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from harness.clients.workspace import Workspace
from harness.oracles.export_files import read_csv
from harness.suite.pasted_blocks import blocks, in_one_terminal
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.config import DisplayOptions

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "dashboards.md"
HEADINGS = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
VIEWERS = ["ann", "ben", "cat", "dan", "eve"]
TABLE = "Widget reference"


@pytest.mark.long
def test_the_page_from_top_to_bottom(workspace: Workspace, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {
        "TALLYROOM_URL": workspace.url,
        "TALLYROOM_KEY": workspace.key,
        "TALLYROOM_TOKEN": workspace.session_token,
    }

    (output,) = in_one_terminal([block for name in HEADINGS for block in blocks(PAGE, name)], environment, tmp_path)

    answers = [json.loads(line) for line in output.splitlines() if line]
    assert [answer for answer in answers if "error" in answer] == []
    first, filtered = (answer for answer in answers if answer.get("kind") == "counter")
    assert (first["value"], first["previous"], first["delta"]) == (3, 0, None)
    assert filtered["value"] == 1
    funnel, public = (answer["steps"] for answer in answers if answer.get("kind") == "funnel")
    assert [step["count"] for step in funnel] == [step["count"] for step in public] == [5, 3, 2]
    assert funnel[2]["rate"] == 0.4
    [behind] = (answer for answer in answers if "total" in answer)
    assert (behind["total"], [row["actorKey"] for row in behind["actors"]]) == (1, ["cat"])
    assert [row[0] for row in read_csv((tmp_path / "viewers.csv").read_bytes())] == ["actorKey", *VIEWERS]
    assert final(workspace) == {"name": "Shop", "timeRange": "30d", "types": set(KINDS) - {"note", "external"}}


def final(workspace: Workspace) -> Any:
    """What is there at the end; the note was deleted, and External widgets have a page of their own."""
    [row] = workspace.get("/v1/dashboards").json()["dashboards"]
    widgets = workspace.get(f"/v1/dashboards/{row['id']}").json()["widgets"]
    assert widgets[0]["title"] == "Views on the web"  # it was the last one
    return {"name": row["name"], "timeRange": row["timeRange"], "types": {widget["type"] for widget in widgets}}


def test_every_type_stands_in_the_table_with_every_field() -> None:
    section = PAGE.read_text(encoding="utf-8").split(f"## {TABLE}\n")[1].split("\nMeasures: ")[0]
    of_many = {"segmentId", "events", "display", *DisplayOptions.__struct_encode_fields__}
    above = section.split("| Type |")[0]
    assert [field for field in of_many if not re.search(rf"`{field}\??`", above)] == []
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE))
    assert set(rows) == set(KINDS)
    for name, kind in KINDS.items():
        for field in set(kind.config.__struct_encode_fields__) - of_many:
            assert re.search(rf"\b{field}\b", rows[name]), f"{name}: {field}"
