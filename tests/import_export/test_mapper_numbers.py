"""Numbers with a decimal comma; those with a point are tried in test_mapper."""

import pytest
from msgspec import Raw

from tallyroom.import_export.mapper import parse_comma_number_or_text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("623,60", "623.60"),
        ("1.234,50", "1234.50"),
        ("1.234.567", "1234567"),
        ("1\u202f234,5", "1234.5"),
        ("1 234,5", "1234.5"),
        ("1\u2019234,5", "1234.5"),
        ("-0,5", "-0.5"),
        ("+5,00", "5.00"),
        ("007", "7"),
        ("0", "0"),
        ("0,1234567890123456789", "0.1234567890123456789"),
        ("999.999.999.999.999", "999999999999999"),
    ],
)
def test_a_number_keeps_its_digits(text: str, number: str) -> None:
    found = parse_comma_number_or_text(text)
    assert isinstance(found, Raw)
    assert bytes(found).decode() == number


@pytest.mark.parametrize(
    "text", ["1.5", "12.34,5", "1,234,5", ",5", "5,", "1.234.567.890.123.456", "5 €", "paid", "-", "1e3", "١,٢", " 1,5"]
)
def test_what_is_no_number_stays_text(text: str) -> None:
    assert parse_comma_number_or_text(text) == text
