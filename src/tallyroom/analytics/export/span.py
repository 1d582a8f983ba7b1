"""The times of an export as a client writes them, and the name of the file that they make."""

from tallyroom.analytics.export.schemas import Format, Span
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.times import moment
from tallyroom.rest.parameters import moment_of

BEGINNING_MS = 0
END_MS = 4_102_444_800_000  # 2100-01-01: ingest takes no event from the future, so there is none behind it


def span_of(from_: str | None, to: str | None) -> Span:
    """The asked span; a side that is not given is open.

    Args:
        from_: a date-time as in an event's `_timestamp`, or a date, which is its UTC midnight; this moment is inside.
        to: the same; this moment is not inside.

    Raises:
        ValidationFailed: one of them is no moment, or `to` is not after `from`.
    """
    from_ms = BEGINNING_MS if from_ is None else moment_of("from", from_)
    until_ms = END_MS if to is None else moment_of("to", to)
    if until_ms <= from_ms:
        raise ValidationFailed.at(["to"], "is not after from")
    return Span(max(from_ms, BEGINNING_MS), min(until_ms, END_MS))


def file_name(environment: str, format_: Format, span: Span, now_ms: int) -> str:
    """A name that tells what is in the file; where the end is open, the time of the export stands for it."""
    since = "start" if span.from_ms == BEGINNING_MS else _basic(span.from_ms)
    until = _basic(now_ms if span.until_ms == END_MS else span.until_ms)
    return f"tallyroom-{environment}-{since}-{until}.{format_}"


def _basic(ms: int) -> str:
    return moment(ms).strftime("%Y%m%dT%H%M%SZ")
