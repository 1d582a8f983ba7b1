"""`limit` and `offset` of lists of the Statistics API, which refuse invalid values (rules/statistics#pages)."""

from tallyroom.rest.parameters import integer_of

MOST_OFFSET = 10**9 - 1


def limit_of(text: str | None, *, default: int, most: int) -> int:
    """Return the number of entries asked for.

    Raises:
        ValidationFailed: the text is not an integer from 1 to `most` in ASCII digits.
    """
    return default if text is None else integer_of("limit", text, 1, most)


def offset_of(text: str | None) -> int:
    """Return the number of entries to skip.

    Raises:
        ValidationFailed: the text is not an integer of at least 0 in ASCII digits.
    """
    return 0 if text is None else integer_of("offset", text, 0, MOST_OFFSET)
