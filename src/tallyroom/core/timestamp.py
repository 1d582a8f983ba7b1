"""Parses the date-time that a client sent with an event."""

import re
from datetime import UTC, datetime

# The pattern rejects forms that `datetime.fromisoformat` would accept: bare dates, week dates, 24:00, and forms that
# only some Python versions accept. Checking month lengths, years and leap days is left to `fromisoformat`.
_DATE_TIME_PATTERN = re.compile(
    r"""(?: [0-9]{4}-[0-9]{2}-[0-9]{2} [Tt\ ] (?:[01][0-9]|2[0-3]) : [0-5][0-9] (?: : [0-5][0-9] (?:[.,][0-9]+)? )?
          | [0-9]{8}                   [Tt\ ] (?:[01][0-9]|2[0-3])   [0-5][0-9] (?:   [0-5][0-9] (?:[.,][0-9]+)? )?
        )
        (?: [Zz] | [+-] (?:[01][0-9]|2[0-3]) (?: :? [0-5][0-9] )? )?""",
    re.VERBOSE,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_timestamp(text: str) -> int | None:
    """Parse an ISO 8601 date-time, by default in UTC, into milliseconds since 1970-01-01 UTC, or return None.

    Decimals beyond the millisecond are cut off: ``2026-11-20T12:00:00.123Z``, ``20261120T120000Z``.
    """
    if not _DATE_TIME_PATTERN.fullmatch(text):
        return None
    try:
        parsed_time = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    if parsed_time.tzinfo is None:
        parsed_time = parsed_time.replace(tzinfo=UTC)
    since_epoch = parsed_time - _EPOCH
    return since_epoch.days * 86_400_000 + since_epoch.seconds * 1000 + since_epoch.microseconds // 1000
