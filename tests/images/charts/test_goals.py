"""How far a number is from its goal; fixtures/charts has it for the web app, too."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallyroom.images.charts.goals import GoalProgress, measure_goal

ROWS = json.loads((Path(__file__).parents[3] / "fixtures/charts/goals.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['value']} of {row['goal']}, {row['good']}" for row in ROWS])
def test_a_number_and_its_goal(row: dict[str, Any]) -> None:
    expected = GoalProgress(row["state"], row["share"], row["text"])
    assert measure_goal(row["value"], row["goal"], row["good"]) == expected


def test_a_goal_in_a_sentence() -> None:
    assert measure_goal(2186, 2000, "up").sentence == "2,186 of 2,000, goal met"
    assert measure_goal(1400, 2000, "up").sentence == "1,400 of 2,000"
    assert measure_goal(312, 300, "down").sentence == "312 of 300, over the goal"
