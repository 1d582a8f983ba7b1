"""The time that a digest is about, and when it comes, in words."""

from datetime import datetime
from zoneinfo import ZoneInfo

from tallyroom.core.times import HOUR_MS, moment
from tallyroom.digests.calendar import Calendar
from tallyroom.queries.window import Window

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_LAST, _LONGEST = "last day", 31
_ORDINALS = {1: "1st", 2: "2nd", 3: "3rd", 21: "21st", 22: "22nd", 23: "23rd"}
_TO = " – "  # noqa: RUF001 # the sign for a span


def short_period(window: Window, timezone: str) -> str:
    """Write a span of time for a subject, as in ``13 – 20 Nov 2026``."""  # noqa: RUF002 # as above
    start, end = _ends(window, timezone)
    if window.until_ms - window.from_ms <= HOUR_MS:
        return f"{_date(end)}, {start:%H:%M}{_TO}{end:%H:%M}"
    if start.date() == end.date():
        return _date(end)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}{_TO}{_date(end)}"
    first = f"{start.day} {_MONTHS[start.month - 1]}" if start.year == end.year else _date(start)
    return first + _TO + _date(end)


def long_period(window: Window, timezone: str) -> str:
    """Write a span of time with its hours and its time zone."""
    start, end = _ends(window, timezone)
    return f"{_date(start)}, {start:%H:%M}{_TO}{_date(end)}, {end:%H:%M} ({timezone})"


def short_time(text: str, timezone: str) -> str:
    """Write a moment in ISO 8601 as in ``20 Nov 09:30``."""
    local = _local(text, timezone)
    return f"{local.day} {_MONTHS[local.month - 1]} {local:%H:%M}"


def short_date(text: str, timezone: str, *, whole_month: bool = False) -> str:
    """Write the day of a moment in ISO 8601 as in ``20 Nov``, or its month as in ``Nov 2026``."""
    day = _local(text, timezone)
    return f"{_MONTHS[day.month - 1]} {day.year}" if whole_month else f"{day.day} {_MONTHS[day.month - 1]}"


def rhythm(calendar: Calendar) -> str:
    """Say when a digest comes, as in ``every Monday at 09:00 (Europe/Berlin)``."""
    at = f"at {calendar.send_hour:02}:00 ({calendar.timezone})"
    if calendar.weekday is not None:
        return f"every {_DAYS[calendar.weekday]} {at}"
    if calendar.day_of_month is not None:
        day = calendar.day_of_month
        return f"on the {_LAST if day == _LONGEST else _ordinal(day)} of every month {at}"
    return f"every day {at}"


def _ordinal(number: int) -> str:
    """Write a day of a month as in ``22nd``."""
    return _ORDINALS.get(number, f"{number}th")


def _local(text: str, timezone: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(ZoneInfo(timezone))


def _ends(window: Window, timezone: str) -> tuple[datetime, datetime]:
    zone = ZoneInfo(timezone)
    return moment(window.from_ms).astimezone(zone), moment(window.until_ms).astimezone(zone)


def _date(day: datetime) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
