"""Values that filters compare with: as numbers, as text, and the text by which a number is recognized.

The event store derives the same texts of numbers (storage/event_store/migrations/0006_number_texts.sql).
"""

import re
from decimal import Decimal

from msgspec import UnsetType

Scalar = str | bool | int | float
FilterValue = Scalar | list[Scalar] | UnsetType

_NUMBER_PATTERN = re.compile(
    r"(?P<sign>-?)(?P<integer>0|[1-9][0-9]*)(?:\.(?P<fraction>[0-9]+))?(?:[eE](?P<exponent>[+-]?[0-9]+))?"
)
_MIN_WITHOUT_EXPONENT, _MIN_WITH_EXPONENT = 1e-6, 1e21
_MAX_LEADING_ZEROS = 5  # of a fraction without an exponent
_MAX_EXPONENT = 10**9  # larger ones count as this one; only numbers that are nearer to 0 than any double have them


def parse_number(value: FilterValue) -> float | None:
    """Return the number that a value is or reads as; None for other values and those beyond the range of a double."""
    if isinstance(value, str) and _NUMBER_PATTERN.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None


def find_exact_text(value: Scalar) -> str | None:
    """Return the exact decimal of a number, or of text that reads as one, if the shortest text of its double differs.

    Each value has one such text, whatever it was sent as: integers have only digits, and an exponent appears only below
    a millionth. None if the double is enough, for other text, and for numbers beyond the range of a double.
    """
    number = parse_number(value)
    if number is None:
        return None
    exact_text = _write_exactly(to_text(value))
    return None if exact_text == _write_exactly(_format_double(number)) else exact_text


def to_text(value: Scalar) -> str:
    """Return a value as the text that it is as a list element; integers have no decimal point."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _format_double(value)


def _format_double(number: float) -> str:
    """Format a double as the store does: without an exponent from a millionth up to 10^21."""
    if number == 0:
        return "0"
    if _MIN_WITHOUT_EXPONENT <= abs(number) < _MIN_WITH_EXPONENT:
        return format(Decimal(repr(number)), "f").removesuffix(".0")
    return re.sub(r"e[+]?(-?)0*", r"e\1", repr(number))


def _write_exactly(text: str) -> str:
    match = _NUMBER_PATTERN.fullmatch(text)
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
