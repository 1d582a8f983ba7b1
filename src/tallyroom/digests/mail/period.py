"""The time range of a digest, and when it is sent, in words."""

from datetime import datetime
from zoneinfo import ZoneInfo

from tallyroom.core.times import HOUR_MS, datetime_from_ms
from tallyroom.dashboards.mail.dates import MONTH_NAMES
from tallyroom.digests.calendar import DigestCalendar
from tallyroom.queries.window import Window

_WEEKDAY_NAMES = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_LAST_DAY_TEXT, _MAX_DAY_OF_MONTH = "last day", 31
_ORDINAL_BY_NUMBER = {1: "1st", 2: "2nd", 3: "3rd", 21: "21st", 22: "22nd", 23: "23rd"}
_RANGE_DASH = " – "  # noqa: RUF001 # the sign for a range


def format_short_period(window: Window, timezone: str) -> str:
    """Write a time range for a subject, as in ``13 – 20 Nov 2026``."""  # noqa: RUF002 # as above
    start, end = _local_times(window, timezone)
    if window.until_ms - window.from_ms <= HOUR_MS:
        return f"{_format_date(end)}, {start:%H:%M}{_RANGE_DASH}{end:%H:%M}"
    if start.date() == end.date():
        return _format_date(end)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}{_RANGE_DASH}{_format_date(end)}"
    start_text = f"{start.day} {MONTH_NAMES[start.month - 1]}" if start.year == end.year else _format_date(start)
    return start_text + _RANGE_DASH + _format_date(end)


def format_long_period(window: Window, timezone: str) -> str:
    """Write a time range with its hours and its time zone."""
    start, end = _local_times(window, timezone)
    return f"{_format_date(start)}, {start:%H:%M}{_RANGE_DASH}{_format_date(end)}, {end:%H:%M} ({timezone})"


def format_rhythm(calendar: DigestCalendar) -> str:
    """Return when a digest is sent, as in ``every Monday at 09:00 (Europe/Berlin)``."""
    time_text = f"at {calendar.send_hour:02}:00 ({calendar.timezone})"
    if calendar.weekday is not None:
        return f"every {_WEEKDAY_NAMES[calendar.weekday]} {time_text}"
    if calendar.day_of_month is not None:
        day = calendar.day_of_month
        return (
            f"on the {_LAST_DAY_TEXT if day == _MAX_DAY_OF_MONTH else _format_ordinal(day)} of every month {time_text}"
        )
    return f"every day {time_text}"


def _format_ordinal(number: int) -> str:
    """Write a day of a month as in ``22nd``."""
    return _ORDINAL_BY_NUMBER.get(number, f"{number}th")


def _local_times(window: Window, timezone: str) -> tuple[datetime, datetime]:
    zone = ZoneInfo(timezone)
    return datetime_from_ms(window.from_ms).astimezone(zone), datetime_from_ms(window.until_ms).astimezone(zone)


def _format_date(local_time: datetime) -> str:
    return f"{local_time.day} {MONTH_NAMES[local_time.month - 1]} {local_time.year}"
