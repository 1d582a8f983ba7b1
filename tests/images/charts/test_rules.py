"""The rules of ticks, numbers and colors, as fixtures/charts has them; the web app's charts are tested by the same."""

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tallyroom.images.charts.colors import THEMES, ThemeName, parse_color
from tallyroom.images.charts.number_format import (
    format_among,
    format_duration,
    format_percent,
    format_short,
    format_tick,
    format_whole_percent,
)
from tallyroom.images.charts.scale import build_value_ticks
from tallyroom.images.charts.shades import shade_step_of_count, shade_step_of_share, text_paint_on
from tallyroom.images.charts.time_ticks import build_time_ticks, build_zoned_ticks

FIXTURES = Path(__file__).parents[3] / "fixtures" / "charts"


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FIXTURES / name).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("row", rows("numbers.json"), ids=str)
def test_numbers(row: dict[str, Any]) -> None:
    assert (format_among(row["value"], *row["among"]) if "among" in row else format_short(row["value"])) == row["text"]


@pytest.mark.parametrize("row", rows("ticks.json"), ids=lambda row: f"{row['lowest']}..{row['highest']}")
def test_ticks(row: dict[str, Any]) -> None:
    ticks = build_value_ticks(row["lowest"], row["highest"], row["most"], is_whole=row.get("whole", False))
    assert ticks.values == pytest.approx(row["values"])
    assert ticks.values[0] <= row["lowest"]
    assert ticks.values[-1] >= row["highest"] * (1 - 1e-9)
    largest = max(abs(ticks.values[0]), abs(ticks.values[-1]))
    labels = [format_tick(value, ticks.step, largest) for value in ticks.values]
    assert labels == row["labels"]
    assert len(set(labels)) == len(labels) <= max(row["most"], 2)


@pytest.mark.parametrize("row", rows("moments.json"), ids=lambda row: f"{row['from']}..{row['to']}")
def test_moments(row: dict[str, Any]) -> None:
    found = build_time_ticks(row["from"], row["to"], row["most"])
    assert [int(each.position) for each in found] == row["moments"]
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
    assert THEMES[row["theme"]].rest == row["rest"]
    assert list(THEMES[row["theme"]].ramp) == row["ramp"]


@pytest.mark.parametrize("row", rows("shares.json"), ids=lambda row: str(row["share"]))
def test_shares(row: dict[str, Any]) -> None:
    assert format_percent(row["share"]) == row["text"]
    if "whole" in row:
        assert format_whole_percent(row["share"]) == row["whole"]


@pytest.mark.parametrize("row", rows("durations.json"), ids=lambda row: str(row["seconds"]))
def test_durations(row: dict[str, Any]) -> None:
    assert format_duration(row["seconds"]) == row["text"]


@pytest.mark.parametrize("row", rows("shades.json"), ids=str)
def test_shades(row: dict[str, Any]) -> None:
    found = shade_step_of_share(row["share"]) if "share" in row else shade_step_of_count(row["count"], row["most"])
    assert found == row["step"]


@pytest.mark.parametrize("row", rows("zones.json"), ids=lambda row: f"{row['zone']} {row['from']}")
def test_zones(row: dict[str, Any]) -> None:
    found = build_zoned_ticks(row["from"], row["to"], row["most"], ZoneInfo(row["zone"]))
    assert [int(each.position) for each in found] == row["moments"]
    assert [each.label for each in found] == row["labels"]
    assert row["moments"] == sorted(set(row["moments"]))


def contrast(color: str, other: str) -> float:
    """As WCAG 2 has it."""
    high, low = sorted((luminance(color), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(color: str) -> float:
    """As WCAG 2 has it."""
    shares = [byte / 255 for byte in bytes.fromhex(color.removeprefix("#"))]
    red, green, blue = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", list(THEMES))
def test_every_color_is_seen_on_its_ground(name: ThemeName) -> None:
    theme = THEMES[name]
    contrasts = {
        color: contrast(color, theme.background) for color in (theme.text, theme.muted, theme.rest, *theme.series)
    }
    assert min(contrasts[theme.text], contrasts[theme.muted]) >= 4.5
    assert min(contrasts.values()) >= 3, contrasts
    assert min(contrast(theme.better, theme.background), contrast(theme.worse, theme.background)) >= 4.5


@pytest.mark.parametrize("name", list(THEMES))
def test_words_are_read_on_every_ground(name: ThemeName) -> None:
    theme = THEMES[name]
    assert contrast(theme.text, theme.bar) >= 4.5
    inks = {"text": theme.text, "inverse": theme.background}
    for step, ground in enumerate(theme.ramp, 1):
        assert contrast(inks[text_paint_on(step)], ground) >= 4.5, (step, ground)
    grounds = [luminance(color) for color in theme.ramp]
    assert grounds == sorted(grounds, reverse=name == "light")
