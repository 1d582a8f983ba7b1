"""Numbers as sentences and mails have them."""

import pytest

from tallyroom.images.charts.full_numbers import format_full_number


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0.0, "0"),
        (100.0, "100"),
        (-1.5, "-1.5"),
        (1 / 3, "0.333"),
        (18.333333333333332, "18.33"),
        (1.0845, "1.0845"),
        (166.327125, "166.33"),
        (123456789.25, "123,456,789.25"),
        (1e300, "1e+300"),
        (10**19, "10,000,000,000,000,000,000"),
        (-3, "-3"),
    ],
)
def test_numbers_are_written_in_full(number: float, written: str) -> None:
    assert format_full_number(number) == written
