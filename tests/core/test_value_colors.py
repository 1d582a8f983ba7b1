"""The color of a value, as fixtures/charts/value_colors.json has it; the web app's function is tested by the same."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.core.value_colors import COLOR_COUNT, assign_colors

ROWS = json.loads((Path(__file__).parents[2] / "fixtures/charts/value_colors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["case"])
def test_the_colors_of_an_answer(row: dict[str, Any]) -> None:
    colors = assign_colors(row["values"], row["chosen"])
    assert [colors[value] for value in row["values"]] == row["colors"]


@given(st.lists(st.text(), unique=True), st.dictionaries(st.text(), st.integers(1, COLOR_COUNT)), st.randoms())
def test_a_color_depends_on_no_order_and_is_shared_only_if_it_must_be(
    values: list[str], chosen_colors: dict[str, int], random: Any
) -> None:
    colors = assign_colors(values, chosen_colors)
    shuffled_values = random.sample(values, len(values))
    assert assign_colors(shuffled_values, chosen_colors) == colors
    assert set(colors) == set(values)
    for value, color in chosen_colors.items():
        assert colors.get(value, color) == color
    if len(values) <= COLOR_COUNT and not chosen_colors:
        assert len(set(colors.values())) == len(values)


def test_a_saved_color_stays_whatever_comes_with_it() -> None:
    saved_colors = assign_colors(["EWR", "JFK", "LGA"], {})
    colors_later = assign_colors(["ATL", "BOS", "JFK", "LGA", "SEA"], saved_colors)
    assert {value: colors_later[value] for value in ("JFK", "LGA")} == {
        value: saved_colors[value] for value in ("JFK", "LGA")
    }
    assert len(set(colors_later.values())) == len(colors_later)
