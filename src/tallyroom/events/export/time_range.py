"""The times of an export as a client sends them, and the name of the exported file."""

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import END_MS, FIRST_MS, FixedRange
from tallyroom.core.times import moment
from tallyroom.events.export.schemas import Format
from tallyroom.rest.parameters import moment_of


def time_range_of(from_: str | None, to: str | None) -> FixedRange:
    """Return the requested time range; a side that is not given is open.

    Args:
        from_: a date-time as in an event's `_timestamp`, or a date, which means its UTC midnight; inclusive.
        to: the same; exclusive.

    Raises:
        ValidationFailed: one of them is not a valid time, or `to` is not after `from`.
    """
    from_ms = FIRST_MS if from_ is None else moment_of("from", from_)
    until_ms = END_MS if to is None else moment_of("to", to)
    if until_ms <= from_ms:
        raise ValidationFailed.at(["to"], "is not after from")
    return FixedRange(max(from_ms, FIRST_MS), min(until_ms, END_MS))


def file_name(environment: str, format_: Format, time_range: FixedRange, now_ms: int) -> str:
    """Return a name that describes the content of the file; an open end becomes the time of the export."""
    since = "start" if time_range.from_ms == FIRST_MS else _basic(time_range.from_ms)
    until = _basic(now_ms if time_range.to_ms == END_MS else time_range.to_ms)
    return f"tallyroom-{environment}-{since}-{until}.{format_}"


def _basic(ms: int) -> str:
    return moment(ms).strftime("%Y%m%dT%H%M%SZ")
