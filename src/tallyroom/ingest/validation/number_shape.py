"""Rules out numbers that need care for a whole text at once, because nearly all texts have none.

The shape of a text has `0` for each digit and decimal point, `e` for each `E`, and a colon for white space, so that a
few searches for fixed bytes replace a regular expression, which takes ten times as long.
"""

import re
from typing import Final, NamedTuple

import msgspec

from tallyroom.core.exact_numbers import find_exact_text

_SHAPE_TABLE: Final = bytes.maketrans(b"123456789.E \t\r\n", b"0000000000e::::")
_MANY_DIGITS: Final = b"0" * 16
"""A double has at least 15 digits, so that a number of fewer has the value of its shortest text, unless it is small."""
_LONG_NUMBER: Final = b":" + _MANY_DIGITS
_LONG_NEGATIVE_NUMBER: Final = b"-" + _MANY_DIGITS
_SMALL_NUMBER: Final = re.compile(rb"e-0{3,}[:,}]")  # the digits in a UUID end otherwise
_NUMBER_STARTS: Final = frozenset(b"-0123456789")

_WIDE_INTEGER: Final = b"0" * 20
_WIDE_NEGATIVE_INTEGER: Final = b"-" + b"0" * 19
_WIDE_DIGITS: Final = b"0" * 19
_DIGITS_AS_ZERO: Final = bytes.maketrans(b"123456789", b"0" * 9)

_decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class SpecialNumbers(NamedTuple):
    """Which numbers a text may have: integers beyond 64 bits, at any place, and properties with an exact text.

    A typical ID of 17 to 19 digits is within 64 bits.
    """

    has_wide_integers: bool
    has_exact_texts: bool


_NONE: Final = SpecialNumbers(has_wide_integers=False, has_exact_texts=False)


def find_special_numbers(text: bytes) -> SpecialNumbers:
    """Return which numbers a text in JSON may have; False is certain."""
    shape = text.translate(_SHAPE_TABLE)
    has_small_numbers = b"-" in text and _SMALL_NUMBER.search(shape) is not None
    has_wide_integers, has_exact_texts = False, has_small_numbers
    if _MANY_DIGITS in shape:
        has_wide_integers = _WIDE_DIGITS in shape and _has_wide_integers(text)
        has_exact_texts = has_small_numbers or _LONG_NUMBER in shape or _LONG_NEGATIVE_NUMBER in shape
    return SpecialNumbers(has_wide_integers, has_exact_texts) if has_wide_integers or has_exact_texts else _NONE


def encode_exact_texts(properties: bytes) -> bytes:
    """Return the exact texts of an event's numbers by key, as a JSON object; ``{}`` for nearly all events."""
    if not find_special_numbers(properties).has_exact_texts:
        return b"{}"
    texts = ((key, bytes(raw)) for key, raw in _decode_members(properties).items())
    exact_texts = {
        key: exact_text
        for key, text in texts
        if text[0] in _NUMBER_STARTS and (exact_text := find_exact_text(text.decode()))
    }
    return msgspec.json.encode(exact_texts)


def _has_wide_integers(text: bytes) -> bool:
    digits = text.translate(_DIGITS_AS_ZERO)  # a decimal point is none
    return _WIDE_INTEGER in digits or _WIDE_NEGATIVE_INTEGER in digits
