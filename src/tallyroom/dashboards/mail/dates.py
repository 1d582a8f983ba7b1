"""Moments in words, by the clock of a time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def short_time(text: str, timezone: str) -> str:
    """Write a moment in ISO 8601 as in ``20 Nov 09:30``."""
    local = _local(text, timezone)
    return f"{local.day} {MONTHS[local.month - 1]} {local:%H:%M}"


def short_date(text: str, timezone: str, *, whole_month: bool = False) -> str:
    """Write the day of a moment in ISO 8601 as in ``20 Nov``, or its month as in ``Nov 2026``."""
    day = _local(text, timezone)
    return f"{MONTHS[day.month - 1]} {day.year}" if whole_month else f"{day.day} {MONTHS[day.month - 1]}"


def _local(text: str, timezone: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(ZoneInfo(timezone))
