"""Numbers as answers show them."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

Value = int | float | None
"""The value of a measure: whole numbers are ints; None if there is no value, or one beyond the range of a double."""

_MOST_EXACT = 2**53
_DIGITS = 15  # significant digits that every double preserves
_NEAREST = Context(prec=_DIGITS, rounding=ROUND_HALF_EVEN)
_BELOW = Context(prec=_DIGITS, rounding=ROUND_DOWN)


def value_of(number: float | None) -> Value:
    """Convert a number from the store for an answer: 3 rather than 3.0."""
    if number is not None and number.is_integer() and abs(number) < _MOST_EXACT:
        return int(number)
    return number


def rounded(exact: Fraction) -> Value:
    """Round to 15 significant digits, but keep every digit of a whole number below 2^53."""
    if exact.denominator == 1 and abs(exact) < _MOST_EXACT:
        return int(exact)
    parts = Decimal(exact.numerator), Decimal(exact.denominator)
    for to_fifteen in (_NEAREST, _BELOW):  # the greatest double, rounded up to 15 digits, is out of range
        number = float(to_fifteen.divide(*parts))
        if math.isfinite(number):
            return value_of(number)
    return None
