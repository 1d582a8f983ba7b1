"""The rules of ticks, numbers and colors, as fixtures/charts has them; the web app's charts are tested by the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallyroom.charts.colors import THEMES, ThemeName, parse_color
from tallyroom.charts.moments import time_ticks
from tallyroom.charts.numbers import short, tick, told
from tallyroom.charts.scale import value_ticks

FIXTURES = Path(__file__).parents[2] / "fixtures" / "charts"


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FIXTURES / name).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("row", rows("numbers.json"), ids=str)
def test_numbers(row: dict[str, Any]) -> None:
    assert (told(row["value"], *row["among"]) if "among" in row else short(row["value"])) == row["text"]


@pytest.mark.parametrize("row", rows("ticks.json"), ids=lambda row: f"{row['lowest']}..{row['highest']}")
def test_ticks(row: dict[str, Any]) -> None:
    ticks = value_ticks(row["lowest"], row["highest"], row["most"])
    assert ticks.values == pytest.approx(row["values"])
    assert ticks.values[0] <= row["lowest"]
    assert ticks.values[-1] >= row["highest"] * (1 - 1e-9)
    largest = max(abs(ticks.values[0]), abs(ticks.values[-1]))
    labels = [tick(value, ticks.step, largest) for value in ticks.values]
    assert labels == row["labels"]
    assert len(set(labels)) == len(labels) <= max(row["most"], 2)


@pytest.mark.parametrize("row", rows("moments.json"), ids=lambda row: f"{row['from']}..{row['to']}")
def test_moments(row: dict[str, Any]) -> None:
    found = time_ticks(row["from"], row["to"], row["most"])
    assert [int(each.at) for each in found] == row["moments"]
    assert [each.label for each in found] == row["labels"]
    assert len(found) <= row["most"]


@pytest.mark.parametrize(
    "row", [row for row in rows("colors.json") if "text" in row], ids=lambda row: repr(row["text"])
)
def test_colors(row: dict[str, Any]) -> None:
    found = parse_color(row["text"])
    assert (None if found is None else list(found)) == row["color"]


@pytest.mark.parametrize("row", [row for row in rows("colors.json") if "theme" in row], ids=lambda row: row["theme"])
def test_palettes(row: dict[str, Any]) -> None:
    assert list(THEMES[row["theme"]].series) == row["series"]


def luminance(color: str) -> float:
    """As WCAG 2 has it."""
    shares = [byte / 255 for byte in bytes.fromhex(color.removeprefix("#"))]
    red, green, blue = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", list(THEMES))
def test_every_color_is_seen_on_its_ground(name: ThemeName) -> None:
    theme = THEMES[name]
    ground = luminance(theme.background)
    contrasts = {}
    for color in (theme.text, theme.muted, *theme.series):
        high, low = sorted((luminance(color), ground), reverse=True)
        contrasts[color] = (high + 0.05) / (low + 0.05)
    assert min(contrasts[theme.text], contrasts[theme.muted]) >= 4.5
    assert min(contrasts.values()) >= 3, contrasts
