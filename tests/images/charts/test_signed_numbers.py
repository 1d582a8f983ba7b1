"""Numbers with a sign, as fixtures/charts/signed_numbers.json has them; the web app's function is tested by the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallyroom.images.charts.signed_numbers import format_signed, sign_tick

ROWS = json.loads((Path(__file__).parents[3] / "fixtures/charts/signed_numbers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_value_has_its_sign(row: dict[str, Any]) -> None:
    assert format_signed(row["value"], row["sign"]) == row["text"]


def test_the_label_of_an_axis_has_a_sign_and_a_unit() -> None:
    assert sign_tick("20", 20.0, "percent") == "+20\u2009%"
    assert sign_tick("\u221220", -20.0, "percent") == "\u221220\u2009%"
    assert sign_tick("0", 0.0, "percent") == "0\u2009%"
    assert sign_tick("1.5k", 1500.0, "difference") == "+1.5k"
    assert sign_tick("1.5k", 1500.0, "none") == "1.5k"
