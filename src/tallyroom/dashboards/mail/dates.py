"""Moments in words, by the clock of a time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def format_short_time(iso_text: str, timezone: str) -> str:
    """Write a moment in ISO 8601 as in ``20 Nov 09:30``."""
    local_time = _to_local_time(iso_text, timezone)
    return f"{local_time.day} {MONTH_NAMES[local_time.month - 1]} {local_time:%H:%M}"


def format_short_date(iso_text: str, timezone: str, *, is_whole_month: bool = False) -> str:
    """Write the day of a moment in ISO 8601 as in ``20 Nov``, or its month as in ``Nov 2026``."""
    local_time = _to_local_time(iso_text, timezone)
    month_name = MONTH_NAMES[local_time.month - 1]
    return f"{month_name} {local_time.year}" if is_whole_month else f"{local_time.day} {month_name}"


def _to_local_time(iso_text: str, timezone: str) -> datetime:
    return datetime.fromisoformat(iso_text).astimezone(ZoneInfo(timezone))
