"""Numbers as answers show them."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

Value = int | float | None
"""What a measure answers: a whole number as one, and None where it has no value or one beyond the range of a double."""

_MOST_EXACT = 2**53
_DIGITS = 15  # as many as any double keeps
_NEAREST = Context(prec=_DIGITS, rounding=ROUND_HALF_EVEN)
_BELOW = Context(prec=_DIGITS, rounding=ROUND_DOWN)


def value_of(number: float | None) -> Value:
    """A number of the store: 3 and not 3.0."""
    if number is not None and number.is_integer() and abs(number) < _MOST_EXACT:
        return int(number)
    return number


def rounded(exact: Fraction) -> Value:
    """A number to 15 significant digits; a whole one below 2^53 with all of them."""
    if exact.denominator == 1 and abs(exact) < _MOST_EXACT:
        return int(exact)
    parts = Decimal(exact.numerator), Decimal(exact.denominator)
    for to_fifteen in (_NEAREST, _BELOW):  # 15 digits of the greatest double, rounded up, are no double
        number = float(to_fifteen.divide(*parts))
        if math.isfinite(number):
            return value_of(number)
    return None
