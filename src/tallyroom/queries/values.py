"""Numbers as answers show them."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import msgspec

Value = int | float | None  # None if there is no value, or one beyond the range of a double

MAX_EXACT_INTEGER = 2**53  # above this, a double cannot represent every integer

_MILLION = 10**6
_MAX_SHORT_NUMERATOR = 10**15
_SIGNIFICANT_DIGITS = 15  # every double preserves this many
_NEAREST_CONTEXT = Context(prec=_SIGNIFICANT_DIGITS, rounding=ROUND_HALF_EVEN)
_ROUND_DOWN_CONTEXT = Context(prec=_SIGNIFICANT_DIGITS, rounding=ROUND_DOWN)


class Bucket(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """How many values are at least `from` and less than `to`; the last bucket includes its `to`."""

    from_: float
    to: float
    count: int


def to_answer_value(number: float | None) -> Value:
    """Convert a number from the store for an answer: 3 rather than 3.0."""
    if isinstance(number, float) and number.is_integer() and abs(number) < MAX_EXACT_INTEGER:
        return int(number)
    return number


def value_to_fraction(value: Value) -> Fraction | None:
    """Return the decimal in a value's shortest text."""
    return None if value is None else Fraction(repr(value))


def round_to_15_digits(number: float) -> Fraction:
    """Return the closest decimal of 15 significant digits."""
    return Fraction(_NEAREST_CONTEXT.create_decimal(Decimal(number)))


def round_fraction(numerator: int, denominator: int) -> Value:
    """Round a fraction to 15 significant digits, but keep every digit of an integer below 2^53."""
    # At most 15 digits, which a double preserves.
    if denominator == _MILLION and -_MAX_SHORT_NUMERATOR < numerator < _MAX_SHORT_NUMERATOR:
        return to_answer_value(numerator / denominator)
    quotient, remainder = divmod(numerator, denominator)
    if not remainder and abs(quotient) < MAX_EXACT_INTEGER:
        return quotient
    return round_quotient(Decimal(numerator), Decimal(denominator))


def round_quotient(numerator: Decimal, denominator: Decimal) -> Value:
    """Round the quotient of two decimals to 15 significant digits; None if it is beyond the range of a double."""
    # The greatest double, rounded up to 15 digits, is out of range.
    for context in (_NEAREST_CONTEXT, _ROUND_DOWN_CONTEXT):
        number = float(context.divide(numerator, denominator))
        if math.isfinite(number):
            return to_answer_value(number)
    return None
