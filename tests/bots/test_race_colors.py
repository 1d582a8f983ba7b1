"""Colors of a race are those of fixtures/bots/race_colors.json, shared with the web app (rules/statistics#race-colors)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.bots.race_colors import assign_race_colors
from tallyroom.core.value_colors import COLOR_COUNT, choose_own_color

ROWS = json.loads((Path(__file__).parents[2] / "fixtures/bots/race_colors.json").read_text(encoding="utf-8"))
BLUES = {1, 6, 8}

ids = st.integers(10**17, 10**18).map(str)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["case"])
def test_the_colors_are_as_the_fixture_says(row: dict[str, Any]) -> None:
    colors = assign_race_colors(row["ids"], row["kept"])
    assert [colors[bot_id] for bot_id in row["ids"]] == row["colors"]


@given(st.lists(ids, unique=True, max_size=3), st.randoms())
def test_three_bots_are_told_apart_in_whatever_order(bot_ids: list[str], random: Any) -> None:
    colors = assign_race_colors(bot_ids, {})
    assert assign_race_colors(random.sample(bot_ids, len(bot_ids)), {}) == colors
    assert len(set(colors.values())) == len(bot_ids)
    assert len(BLUES.intersection(colors.values())) <= 1


@given(st.lists(ids, unique=True, min_size=1, max_size=10), ids)
def test_a_bot_keeps_its_color_whoever_comes(bot_ids: list[str], later_id: str) -> None:
    colors = assign_race_colors(bot_ids, {})
    assert assign_race_colors([*bot_ids, later_id], colors).items() >= colors.items()
    assert set(colors.values()) <= set(range(1, COLOR_COUNT + 1))
    assert any(colors[bot_id] == choose_own_color(bot_id) for bot_id in bot_ids)
