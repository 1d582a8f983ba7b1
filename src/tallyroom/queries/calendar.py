"""Days, weeks, months and years of a time zone, and moments moved by them (rules/questions#time-zones)."""

from bisect import bisect_left
from calendar import monthrange
from datetime import date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from tallyroom.core.times import moment

Period = Literal["day", "week", "month", "year"]

_MONTHS = 12
_MONTHS_OF: dict[Period, int] = {"month": 1, "year": _MONTHS}
_DAYS_OF: dict[Period, int] = {"day": 1, "week": 7}


def local_ms(local: datetime, zone: ZoneInfo) -> int:
    """Return the millisecond at which clocks in the zone first show `local`, or skip over it."""
    first, second = (round(local.replace(tzinfo=zone, fold=fold).timestamp() * 1000) for fold in (0, 1))
    if first <= second:
        return first
    return second + bisect_left(range(second, first), local, key=lambda ms: local_time(ms, zone))


def local_time(ms: int, zone: ZoneInfo) -> datetime:
    """Return what clocks in the zone show at a moment, without the zone."""
    return moment(ms).astimezone(zone).replace(tzinfo=None, fold=0)


def day_start(day: date, zone: ZoneInfo) -> int:
    """Return the first millisecond of a day in the zone."""
    return local_ms(datetime.combine(day, time()), zone)


def first_day(day: date, period: Period, back: int = 0) -> date:
    """Return the first day of the period with this day, or of the one `back` periods before; weeks start on Monday."""
    if period == "day":
        return day - timedelta(days=back)
    if period == "week":
        return day - timedelta(days=day.weekday(), weeks=back)
    first = day.replace(day=1) if period == "month" else day.replace(month=1, day=1)
    return _months_later(first, -back * _MONTHS_OF[period])[0]


def period_starts(from_ms: int, until_ms: int, period: Period, timezone: str) -> list[int]:
    """Return the first millisecond of each period from that of `from_ms` to the one after that of `until_ms`.

    A day that the zone skipped when it moved across the date line is none.
    """
    zone = ZoneInfo(timezone)
    day = first_day(local_time(from_ms, zone).date(), period)
    last = local_time(until_ms, zone).date()
    starts = [day_start(day, zone)]
    while day <= last:
        day = first_day(day, period, -1)
        start = day_start(day, zone)
        if start > starts[-1]:
            starts.append(start)
    return starts


def moved(ms: int, period: Period, times: int, zone: ZoneInfo) -> int:
    """Return the moment at which clocks show the same time so many periods later.

    In a shorter month, the last day stands for the days that it does not have.
    """
    local = local_time(ms, zone)
    day, _ = _moved_day(local.date(), period, times)
    return local_ms(datetime.combine(day, local.time()), zone)


def moved_or_end(ms: int, period: Period, times: int, zone: ZoneInfo) -> int:
    """Like `moved`, but the last millisecond of a shorter month stands for the days that it does not have."""
    local = local_time(ms, zone)
    day, exists = _moved_day(local.date(), period, times)
    return (
        local_ms(datetime.combine(day, local.time()), zone) if exists else day_start(day + timedelta(days=1), zone) - 1
    )


def _moved_day(day: date, period: Period, times: int) -> tuple[date, bool]:
    if period in _DAYS_OF:
        return day + timedelta(days=_DAYS_OF[period] * times), True
    return _months_later(day, _MONTHS_OF[period] * times)


def _months_later(day: date, months: int) -> tuple[date, bool]:
    """Return the same day of another month, or its last, and whether the month has that day."""
    year, month = divmod(day.year * _MONTHS + day.month - 1 + months, _MONTHS)
    length = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, length)), day.day <= length
