"""Which properties have ids; the web app is tested by the same fixture (rules/boards#ids-in-tables)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallyroom.dashboards.mail.id_names import is_id_key

ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parents[3] / "fixtures" / "ids.json").read_text("utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: ascii(row["key"]))
def test_keys_of_ids(row: dict[str, Any]) -> None:
    assert is_id_key(row["key"]) == row["id"]
