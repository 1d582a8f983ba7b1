"""The times of an export as a client sends them, and the name of the exported file."""

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import END_MS, FIRST_MS, FixedRange
from tallyroom.core.times import datetime_from_ms
from tallyroom.events.export.schemas import Format
from tallyroom.rest.parameters import parse_time_ms


def parse_time_range(from_: str | None, to: str | None) -> FixedRange:
    """Return the time range; None is open, a date means its UTC midnight. Raises `ValidationFailed`."""
    from_ms = FIRST_MS if from_ is None else parse_time_ms("from", from_)
    until_ms = END_MS if to is None else parse_time_ms("to", to)
    if until_ms <= from_ms:
        raise ValidationFailed.at(["to"], "is not after from")
    return FixedRange(max(from_ms, FIRST_MS), min(until_ms, END_MS))


def build_file_name(environment: str, format_: Format, time_range: FixedRange, now_ms: int) -> str:
    """Return a name that describes the content of the file; an open end becomes the time of the export."""
    from_text = "start" if time_range.from_ms == FIRST_MS else _format_basic(time_range.from_ms)
    until_text = _format_basic(now_ms if time_range.to_ms == END_MS else time_range.to_ms)
    return f"tallyroom-{environment}-{from_text}-{until_text}.{format_}"


def _format_basic(ms: int) -> str:
    return datetime_from_ms(ms).strftime("%Y%m%dT%H%M%SZ")
