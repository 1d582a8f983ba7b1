"""The exact value of a number as text, where its double is not enough (rules/events#exact-numbers).

The event store derives the same texts (storage/event_store/migrations/0006_number_texts.sql).
"""

import re
from decimal import Decimal
from typing import Final

NUMBER_PATTERN: Final = re.compile(
    r"(?P<sign>-?)(?P<integer>0|[1-9][0-9]*)(?:\.(?P<fraction>[0-9]+))?(?:[eE](?P<exponent>[+-]?[0-9]+))?"
)
_MIN_WITHOUT_EXPONENT, _MIN_WITH_EXPONENT = 1e-6, 1e21
_MAX_LEADING_ZEROS = 5  # of a fraction without an exponent
_MAX_EXACT_INTEGER = 2**53  # a double has all integers up to this one
_MIN_18_DIGITS = 10**17  # the shortest text of a double has at most 17 digits before zeros
_MAX_PLAIN_LENGTH = 15  # of a number without an exponent; a double has at least 15 digits
_MAX_EXPONENT = 10**9  # larger ones count as this one; only numbers that are nearer to 0 than any double have them


def find_exact_text(text: str) -> str | None:
    """Return the exact decimal of a number in JSON, if the shortest text of its double has another value.

    Each value has one such text, no matter how it was written: integers have only digits, and an exponent appears only
    below a millionth. None if the double is enough, or if the text is no number or beyond the range of a double.
    """
    if len(text) <= _MAX_PLAIN_LENGTH and "e" not in text and "E" not in text:
        return None
    match = NUMBER_PATTERN.fullmatch(text)
    if match is None or abs(number := float(text)) == float("inf"):
        return None
    if match["fraction"] is None and match["exponent"] is None:  # a shorter way to the same text
        return find_exact_text_of_integer(int(text))
    exact_text = _write_exactly(text)
    return None if exact_text == _write_exactly(format_double(number)) else exact_text


def find_exact_text_of_integer(integer: int) -> str | None:
    """Like `find_exact_text`, for an integer in the range of a double."""
    if abs(integer) <= _MAX_EXACT_INTEGER:
        return None
    if integer % 10 and abs(integer) >= _MIN_18_DIGITS:
        return str(integer)
    return None if Decimal(repr(float(integer))) == integer else str(integer)


def format_double(number: float) -> str:
    """Format a double as the store does: without an exponent from a millionth up to 10^21."""
    if number == 0:
        return "0"
    if _MIN_WITHOUT_EXPONENT <= abs(number) < _MIN_WITH_EXPONENT:
        return format(Decimal(repr(number)), "f").removesuffix(".0")
    return re.sub(r"e[+]?(-?)0*", r"e\1", repr(number))


def _write_exactly(text: str) -> str:
    match = NUMBER_PATTERN.fullmatch(text)
    if match is None:
        raise TypeError(f"{text!r} was read as a number, but is none")
    fraction = match["fraction"] or ""
    digits = match["integer"] + fraction
    shift = _read_exponent(match["exponent"] or "0") - len(fraction) + len(digits) - len(digits.rstrip("0"))
    digits = digits.strip("0")
    point = len(digits) + shift  # how many digits come before the decimal point
    if not digits:
        return "0"
    if shift >= 0:
        return match["sign"] + digits + "0" * shift
    if point > 0:
        return f"{match['sign']}{digits[:point]}.{digits[point:]}"
    if point >= -_MAX_LEADING_ZEROS:
        return f"{match['sign']}0.{'0' * -point}{digits}"
    return f"{match['sign']}{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{point - 1}"


def _read_exponent(text: str) -> int:
    return int(max(min(float(text), _MAX_EXPONENT), -_MAX_EXPONENT))
