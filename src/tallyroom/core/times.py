"""Lengths of time, and the service's format of times: ``2026-11-20T12:00:00.000Z``."""

from datetime import UTC, datetime, timedelta

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS

MAX_DATETIME_MS = 253_402_300_799_999  # the last millisecond of the year 9999, the latest that a datetime can represent
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def datetime_from_ms(ms: int) -> datetime:
    """Convert milliseconds since 1970-01-01 UTC to a datetime."""
    return _EPOCH + timedelta(milliseconds=ms)


def iso_ms(ms: int) -> str:
    """Write milliseconds since 1970-01-01 UTC as ISO 8601 text, always with three decimals and ``Z``."""
    return datetime_from_ms(ms).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def month_bounds_ms(month: int) -> tuple[int, int]:
    """Return the first and the last millisecond of a UTC month, given as in 202611."""
    year, month_number = divmod(month, 100)
    month_start = datetime(year, month_number, 1, tzinfo=UTC)
    next_month_start = datetime(year + month_number // 12, month_number % 12 + 1, 1, tzinfo=UTC)
    return (month_start - _EPOCH).days * DAY_MS, (next_month_start - _EPOCH).days * DAY_MS - 1


def iso_ms_or_none(ms: int | None) -> str | None:
    """Like `iso_ms`, but None for an unset time."""
    return None if ms is None else iso_ms(ms)


def retention_start_ms(retention_days: int, now_ms: int) -> int:
    """Return the start of the UTC day `retention_days` ago; events stay at least that long, and under a day more."""
    return (now_ms // DAY_MS - retention_days) * DAY_MS
