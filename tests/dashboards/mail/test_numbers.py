"""Numbers with all of their digits, and changes that need no color (rules/digests#numbers)."""

from typing import Any

import pytest

from tallyroom.dashboards.mail.numbers import NumberChange, add_unit, describe_change, format_full


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
    ("value", "previous", "good", "change"),
    [
        (12, 10, "up", NumberChange("▲", "20.0\N{THIN SPACE}% up from 10, better", "good")),
        (12, 10, "down", NumberChange("▲", "20.0\N{THIN SPACE}% up from 10, worse", "bad")),
        (8, 10, "up", NumberChange("▼", "20.0\N{THIN SPACE}% down from 10, worse", "bad")),
        (8, 10, "down", NumberChange("▼", "20.0\N{THIN SPACE}% down from 10, better", "good")),
        (8, 10, "none", NumberChange("▼", "20.0\N{THIN SPACE}% down from 10", "neutral")),
        (8, 10, None, NumberChange("▼", "20.0\N{THIN SPACE}% down from 10", "neutral")),
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


def test_a_unit_follows_every_number_but_factors_and_percentages() -> None:
    in_euros = [
        describe_change(value, previous, None, unit="EUR") for value, previous in ((-4, -7), (12, 10), (42, 10))
    ]
    assert [change and change.description for change in in_euros] == [
        "+3\N{THIN SPACE}EUR from -7\N{THIN SPACE}EUR",
        "20.0\N{THIN SPACE}% up from 10\N{THIN SPACE}EUR",
        "4.2\N{THIN SPACE}× as much as before (10\N{THIN SPACE}EUR)",
    ]
    assert [add_unit(format_full, "ms")(value) for value in (842, None)] == ["842\N{THIN SPACE}ms", "–"]
