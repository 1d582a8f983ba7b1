"""docs/howto/bot-statistics.md: from an empty workspace to a ranking of three bots, by what the page says to paste."""

import json
import os
import re
from pathlib import Path

from PIL import Image

from harness.clients.workspace import Workspace
from harness.suite.pasted_blocks import Block, blocks, in_one_terminal

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "bot-statistics.md"
HEADINGS = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_page_from_top_to_bottom(workspace: Workspace, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    environment |= {"TALLYROOM_URL": workspace.url, "TALLYROOM_TOKEN": workspace.session_token}

    pasted = [block for name in HEADINGS for block in blocks(PAGE, name)]
    (output,) = in_one_terminal([Block("sh", f"cd {tmp_path}\n"), *pasted], environment, tmp_path)

    answers = [json.loads(line) for line in output.splitlines() if line]
    assert [answer for answer in answers if "error" in answer] == []
    (ranking,) = (answer["data"] for answer in answers if "totalBotCount" in answer)
    places = [(bot["name"], bot["monthly_votes_rank"], bot["monthly_votes_rank_change"]) for bot in ranking]
    assert places == [("Timetable", 1, 1), ("Teapot", 2, -1), ("Umbrella", 3, 0)]
    assert [bot["server_count_rank"] for bot in ranking] == [2, 1, 3]
    (board,) = (answer["data"] for answer in answers if isinstance(answer.get("data"), dict))
    assert [(entry["position"], entry["voteCount"]) for entry in board["leaderboard"]] == [("1", 1)]
    for name in ("teapot.png", "race.png"):
        with Image.open(tmp_path / name) as picture:
            assert picture.size == (1000, 400)
    assert [answer["counted"] for answer in answers if "counted" in answer] == [True]
