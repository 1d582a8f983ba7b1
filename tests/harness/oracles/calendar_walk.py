"""The calendar of a time zone found by walking over its quarters of an hour: the oracle of queries/calendar and time ranges.

Offsets from UTC are whole quarters of an hour since 1972, so that every day begins with such a quarter.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

QUARTER_MS = 900_000
DAY_MS = 96 * QUARTER_MS

TWELVE_ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",  # summer time begins at midnight: that day has no 00:00
    "America/Havana",  # 00:00 to 01:00 comes twice when summer time ends
    "America/St_Johns",
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Africa/Casablanca",  # changes around Ramadan
    "Australia/Lord_Howe",  # summer time of half an hour
    "Pacific/Chatham",
    "Pacific/Apia",
]

SAME: dict[str, Callable[[date], Any]] = {
    "day": lambda day: day,
    "week": lambda day: day.isocalendar()[:2],
    "month": lambda day: (day.year, day.month),
    "year": lambda day: day.year,
}
"""What all days of a period have in common."""


def shown(ms: int, zone: ZoneInfo) -> datetime:
    """What clocks show at a moment."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)).astimezone(zone).replace(tzinfo=None, fold=0)


def start_of(period: str, ms: int, zone: ZoneInfo) -> int:
    """The first millisecond of the period with this moment."""
    same = SAME[period](shown(ms, zone).date())

    def is_in(at_ms: int) -> bool:
        return bool(SAME[period](shown(at_ms, zone).date()) == same)

    at = ms - ms % QUARTER_MS
    while is_in(at - 2 * DAY_MS):
        at -= DAY_MS
    while is_in(at - 1):
        at -= QUARTER_MS
    return at


def start_of_next(period: str, ms: int, zone: ZoneInfo) -> int:
    """The first millisecond after the period with this moment."""
    same = SAME[period](shown(ms, zone).date())
    at = ms - ms % QUARTER_MS
    while SAME[period](shown(at, zone).date()) == same:
        at += QUARTER_MS
    return at


def begins_hour(ms: int, zone: ZoneInfo) -> bool:
    """Whether clocks show a full hour at a moment, or have just skipped one by a part of an hour."""
    now, before = shown(ms, zone), shown(ms - 1, zone)
    if (now.minute, now.second, now.microsecond) == (0, 0, 0):
        return True
    has_part = (now - before - timedelta(milliseconds=1)) % timedelta(hours=1) != timedelta()
    return has_part and (now.date(), now.hour) > (before.date(), before.hour)


def start_of_hour(ms: int, zone: ZoneInfo) -> int:
    """The first millisecond of the hour of the clocks with this moment; an hour that they repeat is another one."""
    at = ms - ms % QUARTER_MS
    while not begins_hour(at, zone):
        at -= QUARTER_MS
    return at


def moment_of(day: date, like_ms: int, zone: ZoneInfo) -> int:
    """The first moment of a day at which clocks show what they show at another moment, or have just passed over it."""
    clock = shown(like_ms, zone)
    wanted = datetime.combine(day, clock.time())
    rest = like_ms % QUARTER_MS
    at = (
        round((datetime.combine(day, datetime.min.time(), UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
        * 1000
    )
    at -= DAY_MS
    while shown(at + rest, zone) < wanted:
        at += QUARTER_MS
    return at + rest if shown(at + rest, zone) == wanted else at
