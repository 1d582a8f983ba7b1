"""How numbers are shown."""

from fractions import Fraction

import pytest

from tallyroom.queries.values import round_fraction, to_answer_value


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (3.0, "3"),
        (3, "3"),
        (2**53, "9007199254740992"),
        (-0.0, "0"),
        (2.5, "2.5"),
        (2.0**53, "9007199254740992.0"),
        (1e300, "1e+300"),
        (None, "None"),
    ],
)
def test_a_whole_number_is_shown_as_one(number: float | None, shown: str) -> None:
    assert repr(to_answer_value(number)) == shown


@pytest.mark.parametrize(
    ("exact", "shown"),
    [
        (Fraction(0), "0"),
        (Fraction(1, 3), "0.333333333333333"),
        (Fraction(-2, 3), "-0.666666666666667"),
        (Fraction(474_056_859_999_953_3, 10**10), "474056.859999953"),
        (Fraction(2**53 - 1), "9007199254740991"),
        (Fraction(1 - 2**53), "-9007199254740991"),
        (Fraction(2**53), "9007199254740990"),
        (Fraction(12_345_678_901_234_565, 10), "1234567890123460"),  # as even as the digit before allows
        (Fraction(10**15 - 1) + Fraction(1, 2), "1000000000000000"),
        (Fraction(5e-324), "5e-324"),
        (Fraction(5e-324) / 2, "0"),
        (Fraction(1.7976931348623157e308), "1.79769313486231e+308"),
        (Fraction(10**309), "None"),
        (-Fraction(10**309), "None"),
    ],
)
def test_other_numbers_have_fifteen_digits(exact: Fraction, shown: str) -> None:
    assert repr(round_fraction(exact.numerator, exact.denominator)) == shown
