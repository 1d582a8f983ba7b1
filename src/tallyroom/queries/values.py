"""Numbers as answers show them."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import msgspec

Value = int | float | None
"""The value of a measure: whole numbers are ints; None if there is no value, or one beyond the range of a double."""

MAX_EXACT = 2**53
"""From here on, a double does not tell each whole number from the next."""

_MILLION = 10**6
_MAX_SHORT = 10**15
_DIGITS = 15  # significant digits that every double preserves
_NEAREST = Context(prec=_DIGITS, rounding=ROUND_HALF_EVEN)
_ROUND_DOWN = Context(prec=_DIGITS, rounding=ROUND_DOWN)


class Bucket(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """How many values are at least `from` and less than `to`; the last bucket has its `to` as well."""

    from_: float
    to: float
    count: int


def value_of(number: float | None) -> Value:
    """Convert a number from the store for an answer: 3 rather than 3.0."""
    if isinstance(number, float) and number.is_integer() and abs(number) < MAX_EXACT:
        return int(number)
    return number


def fraction_of(value: Value) -> Fraction | None:
    """Return the decimal that the shortest text of a value shows."""
    return None if value is None else Fraction(repr(value))


def round_to_15_digits(number: float) -> Fraction:
    """Return the decimal of 15 significant digits that is nearest to a number."""
    return Fraction(_NEAREST.create_decimal(Decimal(number)))


def round_fraction(numerator: int, denominator: int) -> Value:
    """Round a fraction to 15 significant digits, but keep every digit of a whole number below 2^53."""
    if denominator == _MILLION and -_MAX_SHORT < numerator < _MAX_SHORT:  # at most 15 digits, which a double preserves
        return value_of(numerator / denominator)
    quotient, remainder = divmod(numerator, denominator)
    if not remainder and abs(quotient) < MAX_EXACT:
        return quotient
    return round_quotient(Decimal(numerator), Decimal(denominator))


def round_quotient(numerator: Decimal, denominator: Decimal) -> Value:
    """Round the quotient of two decimals to 15 significant digits; None if it is beyond the range of a double."""
    for context in (_NEAREST, _ROUND_DOWN):  # the greatest double, rounded up to 15 digits, is out of range
        number = float(context.divide(numerator, denominator))
        if math.isfinite(number):
            return value_of(number)
    return None
