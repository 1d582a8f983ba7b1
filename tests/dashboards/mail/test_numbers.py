"""Numbers with all of their digits, and changes that need no color (rules/digests#numbers)."""

from typing import Any

import pytest

from tallyroom.dashboards.mail.numbers import NumberChange, describe_change, format_full, format_percent


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "–"),
        (0, "0"),
        (1234, "1,234"),
        (-1234567, "-1,234,567"),
        (2**53, "9,007,199,254,740,992"),
        (1234567.5, "1,234,567.5"),
        (31222.35, "31,222.35"),
        (0.125, "0.125"),
        (-0.5, "-0.5"),
        (23.456789012345, "23.46"),
        (1 / 3, "0.333"),
        (0.0123456789, "0.0123"),
        (100.0, "100"),
        (1e15, "1e+15"),
        (1e-9, "1e-09"),
        (1.5e300, "1.5e+300"),
    ],
)
def test_numbers(value: Any, written: str) -> None:
    assert format_full(value) == written


@pytest.mark.parametrize(
    ("fraction", "written"),
    [(0, "0%"), (1, "100%"), (0.125, "12.5%"), (12.3456, "1,234.6%"), (0.00001, "less than 0.1%"), (0.8, "80%")],
)
def test_percentages(fraction: float, written: str) -> None:
    assert format_percent(fraction) == written


@pytest.mark.parametrize(
    ("value", "previous", "good", "change"),
    [
        (12, 10, "up", NumberChange("▲", "20% up from 10, better", "good")),
        (12, 10, "down", NumberChange("▲", "20% up from 10, worse", "bad")),
        (8, 10, "up", NumberChange("▼", "20% down from 10, worse", "bad")),
        (8, 10, "down", NumberChange("▼", "20% down from 10, better", "good")),
        (8, 10, "none", NumberChange("▼", "20% down from 10", "neutral")),
        (8, 10, None, NumberChange("▼", "20% down from 10", "neutral")),
        (5, 0, "up", NumberChange("▲", "up from 0, better", "good")),
        (0, 0, "up", NumberChange("=", "the same as before (0)", "neutral")),
        (42, 10, "up", NumberChange("▲", "4.2\N{THIN SPACE}× as much as before (10), better", "good")),
        (-4, -7, "down", NumberChange("▲", "+3 from -7, worse", "bad")),
        (5, None, "up", None),
        (None, 5, "up", None),
    ],
)
def test_changes(value: Any, previous: Any, good: Any, change: NumberChange | None) -> None:
    assert describe_change(value, previous, good) == change
