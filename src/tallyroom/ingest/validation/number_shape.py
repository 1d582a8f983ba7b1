"""Rules out numbers that need care for a whole body at once, because nearly all bodies have none.

The shape of a body has `0` for each digit and decimal point, `e` for each `E`, and a colon for white space, so that a
few searches for fixed bytes replace a regular expression, which takes ten times as long. They search backwards, which
compares the first byte of a number before its digits, and takes a third of the time of `in`.
"""

from typing import Final, NamedTuple

_SHAPE_TABLE: Final = bytes.maketrans(b"123456789.E \t\r\n", b"0000000000e::::")
_MANY_DIGITS: Final = b"0" * 16
"""A double has at least 15 digits, so that a number of fewer has the value of its shortest text, unless it is tiny."""
_LONG_NUMBER: Final = b":" + _MANY_DIGITS
_LONG_NEGATIVE_NUMBER: Final = b"-" + _MANY_DIGITS
_TINY_EXPONENT: Final = b"e-000"  # UUIDs have it, too, but a number ends after it
_NUMBER_ENDS: Final = (b",", b"}", b":")

_WIDE_INTEGER: Final = b"0" * 20
_WIDE_NEGATIVE_INTEGER: Final = b"-" + b"0" * 19
_DIGITS_AS_ZERO: Final = bytes.maketrans(b"123456789", b"0" * 9)


class SpecialNumbers(NamedTuple):
    """Which numbers a body may have: integers beyond 64 bits, and numbers that are more than their doubles.

    A typical ID of 17 to 19 digits is within 64 bits, but more than its double.
    """

    has_wide_integers: bool
    has_long_numbers: bool


_NONE: Final = SpecialNumbers(has_wide_integers=False, has_long_numbers=False)


def build_shape(body: bytes) -> bytes:
    """Return the shape of a body, byte for byte."""
    return body.translate(_SHAPE_TABLE)


def find_special_numbers(body: bytes, shape: bytes) -> SpecialNumbers:
    """Return which numbers a body may have; False is certain."""
    has_tiny_numbers = shape.rfind(_TINY_EXPONENT) >= 0 and _has_tiny_numbers(shape)
    if shape.rfind(_MANY_DIGITS) < 0:
        return SpecialNumbers(has_wide_integers=False, has_long_numbers=True) if has_tiny_numbers else _NONE
    has_negative = shape.rfind(_LONG_NEGATIVE_NUMBER) >= 0
    may_be_wide = shape.rfind(_WIDE_INTEGER) >= 0 or (has_negative and _WIDE_NEGATIVE_INTEGER in shape)
    has_wide_integers = may_be_wide and _has_wide_integers(body)
    has_long_numbers = has_wide_integers or has_negative or has_tiny_numbers or shape.rfind(_LONG_NUMBER) >= 0
    return SpecialNumbers(has_wide_integers, has_long_numbers)


def _has_tiny_numbers(shape: bytes) -> bool:
    return any(rest.lstrip(b"0").startswith(_NUMBER_ENDS) for rest in shape.split(_TINY_EXPONENT)[1:])


def _has_wide_integers(body: bytes) -> bool:
    digits = body.translate(_DIGITS_AS_ZERO)  # a decimal point is none
    return _WIDE_INTEGER in digits or _WIDE_NEGATIVE_INTEGER in digits
