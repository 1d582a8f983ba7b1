"""The values that filters compare with, as numbers and as text."""

from msgspec import UnsetType

from tallyroom.core.exact_numbers import NUMBER_PATTERN, find_exact_text, format_double

Scalar = str | bool | int | float
FilterValue = Scalar | list[Scalar] | UnsetType


def parse_number(value: FilterValue) -> float | None:
    """Return the number that a value is or reads as; None for other values and those beyond the range of a double."""
    if isinstance(value, str) and NUMBER_PATTERN.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None


def to_text(value: Scalar) -> str:
    """Return a value as the text that it is as a list element; integers have no decimal point."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else format_double(value)


def write_digits_as_text(value: FilterValue) -> FilterValue:
    """Return integers beyond their double as text, which equals them and which browsers do not round."""
    if isinstance(value, list):
        return [_write_digits_as_text(scalar) for scalar in value]
    return value if isinstance(value, UnsetType) else _write_digits_as_text(value)


def _write_digits_as_text(value: Scalar) -> Scalar:
    if not isinstance(value, int) or isinstance(value, bool) or parse_number(value) is None:
        return value
    return find_exact_text(str(value)) or value
