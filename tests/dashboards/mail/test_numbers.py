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
    ("value", "previous", "good", "words"),
    [
        (12, 10, "up", ("↑", "20.0\N{THIN SPACE}%", "10", "good")),
        (12, 10, "down", ("↑", "20.0\N{THIN SPACE}%", "10", "bad")),
        (8, 10, "up", ("↓", "20.0\N{THIN SPACE}%", "10", "bad")),
        (8, 10, "down", ("↓", "20.0\N{THIN SPACE}%", "10", "good")),
        (8, 10, "none", ("↓", "20.0\N{THIN SPACE}%", "10", "neutral")),
        (8, 10, None, ("↓", "20.0\N{THIN SPACE}%", "10", "neutral")),
        (5, 0, "up", ("", "", "0", "neutral")),
        (0, 0, "up", ("", "no change", "0", "neutral")),
        (42, 10, "up", ("↑", "4.2\N{THIN SPACE}×", "10", "good")),
        (-4, -7, "down", ("", "+3", "-7", "bad")),
    ],
)
def test_changes(value: Any, previous: Any, good: Any, words: Any) -> None:
    assert describe_change(value, previous, good) == NumberChange(value, previous, *words)


def test_nothing_is_compared_with_nothing() -> None:
    assert describe_change(5, None, "up") is None
    assert describe_change(None, 5, "up") is None


@pytest.mark.parametrize(
    ("value", "previous", "good", "short", "spoken"),
    [
        (12, 10, "up", "↑ 20.0\N{THIN SPACE}%", "up 20.0\N{THIN SPACE}%, better"),
        (8, 10, "up", "↓ 20.0\N{THIN SPACE}%", "down 20.0\N{THIN SPACE}%, worse"),
        (8, 10, None, "↓ 20.0\N{THIN SPACE}%", "down 20.0\N{THIN SPACE}%"),
        (-4, -7, None, "+3", "+3"),
        (5, 5, "up", "no change", "no change"),
    ],
)
def test_a_change_has_words_for_its_arrow_and_its_color(
    value: Any, previous: Any, good: Any, short: str, spoken: str
) -> None:
    change = describe_change(value, previous, good)
    assert change is not None
    assert (change.short_text, change.spoken_text) == (short, spoken)


def test_a_unit_follows_every_number_but_factors_and_percentages() -> None:
    in_euros = [
        describe_change(value, previous, None, unit="EUR") for value, previous in ((-4, -7), (12, 10), (5, 5), (-5, -5))
    ]
    assert [change and (change.text, change.previous_text) for change in in_euros] == [
        ("+3\N{THIN SPACE}EUR", "-7\N{THIN SPACE}EUR"),
        ("20.0\N{THIN SPACE}%", "10\N{THIN SPACE}EUR"),
        ("no change", "5\N{THIN SPACE}EUR"),
        ("no change", "-5\N{THIN SPACE}EUR"),
    ]
    assert [add_unit(format_full, "ms")(value) for value in (842, None)] == ["842\N{THIN SPACE}ms", "–"]
