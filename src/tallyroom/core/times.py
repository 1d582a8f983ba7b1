"""Lengths of time, and how the service writes a point in time: ``2026-11-20T12:00:00.000Z``."""

from datetime import UTC, datetime, timedelta

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS

LAST_MS = 253_402_300_799_999
"""The end of the year 9999, after which there is no datetime."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(ms: int) -> datetime:
    """Milliseconds since 1970-01-01 UTC as a datetime."""
    return _EPOCH + timedelta(milliseconds=ms)


def iso_ms(ms: int) -> str:
    """Milliseconds since 1970-01-01 UTC as ISO 8601 text, always with three decimals and ``Z``."""
    return moment(ms).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def month_span(month: int) -> tuple[int, int]:
    """The first and the last millisecond of a UTC month, which is written as in 202611."""
    year, number = divmod(month, 100)
    begins, ends = datetime(year, number, 1, tzinfo=UTC), datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    return round((begins - _EPOCH).total_seconds() * 1000), round((ends - _EPOCH).total_seconds() * 1000) - 1


def iso_ms_or_none(ms: int | None) -> str | None:
    """As `iso_ms`, of a time that may not have come."""
    return None if ms is None else iso_ms(ms)
