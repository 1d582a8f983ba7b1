"""Values of filters as numbers, and what keeps their digits."""

from typing import Any

import pytest

from tallyroom.queries.scalars import parse_number, write_digits_as_text


@pytest.mark.parametrize(
    ("value", "number"),
    [("1e3", 1000.0), ("-0.5", -0.5), (7, 7.0), ("", None), ("01", None), (" 1", None), (True, None), ("1e999", None)],
)
def test_what_reads_as_a_number(value: Any, number: float | None) -> None:
    assert parse_number(value) == number


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (2**53, 2**53),
        (2**53 + 1, "9007199254740993"),
        (-(2**64) - 1, "-18446744073709551617"),
        (10**22, 10**22),
        (10**309, 10**309),  # refused when the filter is checked
        (1.5, 1.5),
        (True, True),
        ([1, 2**53 + 1, "x"], [1, "9007199254740993", "x"]),
    ],
)
def test_integers_beyond_their_double_become_text(value: Any, kept: Any) -> None:
    assert write_digits_as_text(value) == kept
