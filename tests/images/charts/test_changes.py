"""How a number differs from the one before; fixtures/charts has it for the web app, too."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallyroom.images.charts.changes import Change, find_change

ROWS = json.loads((Path(__file__).parents[3] / "fixtures/charts/changes.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['value']} from {row['previous']}" for row in ROWS])
def test_a_change_in_words(row: dict[str, Any]) -> None:
    expected = None if row["direction"] is None else Change(row["direction"], row["kind"], row["text"])
    assert find_change(row["value"], row["previous"]) == expected
