"""`limit` and `offset` of lists of the Statistics API, which refuse what they do not take (contract 1)."""

from tallyroom.core.errors import ValidationFailed

_MOST_DIGITS = 9


def limit_of(text: str | None, *, default: int, most: int) -> int:
    """The number of entries asked for.

    Raises:
        ValidationFailed: not an integer from 1 to `most` in ASCII digits.
    """
    return default if text is None else _number("limit", text, 1, most)


def offset_of(text: str | None) -> int:
    """The number of entries to leave out.

    Raises:
        ValidationFailed: not an integer of at least 0 in ASCII digits.
    """
    return 0 if text is None else _number("offset", text, 0, 10**_MOST_DIGITS - 1)


def _number(name: str, text: str, least: int, most: int) -> int:
    plain = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not plain or not least <= int(text) <= most:
        raise ValidationFailed.at([name], f"must be an integer from {least} to {most}")
    return int(text)
