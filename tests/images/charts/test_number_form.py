"""The numbers of widgets, as fixtures/charts/widget_numbers.json has them; the web app's are tested by the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallyroom.images.charts.number_form import NumberForm, format_exact

ROWS = json.loads((Path(__file__).parents[3] / "fixtures/charts/widget_numbers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['value']} {row['decimals']} {row['unit']}")
def test_numbers(row: dict[str, Any]) -> None:
    form = NumberForm(row["decimals"], row["unit"] or "")
    assert form.write(row["value"]) == row["exact"]
    assert form.write_alone(row["value"]) == row["alone"]


def test_a_whole_number_that_no_double_holds_keeps_every_digit() -> None:
    assert format_exact(-205_680_187_394_752_513, 2) == "\N{MINUS SIGN}205,680,187,394,752,513"


@pytest.mark.parametrize(
    ("max_length", "text"),
    [(20, "123,456,789.12\N{THIN SPACE}EUR"), (10, "123M\N{THIN SPACE}EUR"), (5, "123M"), (1, "123M")],
)
def test_a_number_without_room_is_short_and_then_without_its_unit(max_length: int, text: str) -> None:
    assert NumberForm(unit="EUR").write(123_456_789.12, lambda choice: len(choice) <= max_length) == text
