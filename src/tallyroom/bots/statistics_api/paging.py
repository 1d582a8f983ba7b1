"""`limit` and `offset` of lists of the Statistics API, which refuse invalid values (rules/statistics#pages)."""

from tallyroom.rest.parameters import parse_integer

MAX_OFFSET = 10**9 - 1


def parse_limit(text: str | None, *, default: int, max_limit: int) -> int:
    """Return the number of entries to send; raise `ValidationFailed` unless it is 1 to `max_limit` in ASCII digits."""
    return default if text is None else parse_integer("limit", text, 1, max_limit)


def parse_offset(text: str | None) -> int:
    """Return the number of entries to skip; raise `ValidationFailed` unless it is at least 0 in ASCII digits."""
    return 0 if text is None else parse_integer("offset", text, 0, MAX_OFFSET)
