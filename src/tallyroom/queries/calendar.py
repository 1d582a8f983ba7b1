"""Days, weeks, months and years of a time zone, and calendar shifts (rules/questions#time-zones)."""

from bisect import bisect_left
from calendar import monthrange
from datetime import date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from tallyroom.core.times import datetime_from_ms

Period = Literal["day", "week", "month", "year"]

_MONTHS_PER_YEAR = 12
_MONTHS_PER_PERIOD: dict[Period, int] = {"month": 1, "year": _MONTHS_PER_YEAR}
_DAYS_PER_PERIOD: dict[Period, int] = {"day": 1, "week": 7}


def local_to_ms(local_datetime: datetime, zone: ZoneInfo) -> int:
    """Return the millisecond at which clocks in the zone first show `local_datetime`, or skip over it."""
    first_ms, second_ms = (round(local_datetime.replace(tzinfo=zone, fold=fold).timestamp() * 1000) for fold in (0, 1))
    if first_ms <= second_ms:
        return first_ms
    return second_ms + bisect_left(range(second_ms, first_ms), local_datetime, key=lambda ms: local_time(ms, zone))


def local_time(ms: int, zone: ZoneInfo) -> datetime:
    """Return the naive local time in the zone."""
    return datetime_from_ms(ms).astimezone(zone).replace(tzinfo=None, fold=0)


def day_start_ms(day: date, zone: ZoneInfo) -> int:
    """Return the first millisecond of a day in the zone."""
    return local_to_ms(datetime.combine(day, time()), zone)


def first_day_of_period(day: date, period: Period, periods_back: int = 0) -> date:
    """Return the first day of the period with this day, or of an earlier one; weeks start on Monday."""
    if period == "day":
        return day - timedelta(days=periods_back)
    if period == "week":
        return day - timedelta(days=day.weekday(), weeks=periods_back)
    current_first_day = day.replace(day=1) if period == "month" else day.replace(month=1, day=1)
    return _shift_months(current_first_day, -periods_back * _MONTHS_PER_PERIOD[period])[0]


def period_starts_ms(from_ms: int, until_ms: int, period: Period, timezone: str) -> list[int]:
    """Return the start of each period from the one with `from_ms` to the one after `until_ms`, except skipped days."""
    zone = ZoneInfo(timezone)
    first_day = first_day_of_period(local_time(from_ms, zone).date(), period)
    last_day = local_time(until_ms, zone).date()
    starts_ms = [day_start_ms(first_day, zone)]
    while first_day <= last_day:
        first_day = first_day_of_period(first_day, period, -1)
        start_ms = day_start_ms(first_day, zone)
        if start_ms > starts_ms[-1]:
            starts_ms.append(start_ms)
    return starts_ms


def shift_ms(ms: int, period: Period, period_count: int, zone: ZoneInfo) -> int:
    """Return the moment `period_count` periods later at the same local time, or on the last day of a shorter month."""
    local_datetime = local_time(ms, zone)
    day, _ = _shift_day(local_datetime.date(), period, period_count)
    return local_to_ms(datetime.combine(day, local_datetime.time()), zone)


def shift_ms_or_month_end(ms: int, period: Period, period_count: int, zone: ZoneInfo) -> int:
    """Like `shift_ms`, but the last millisecond of a shorter month represents the days that it does not have."""
    local_datetime = local_time(ms, zone)
    day, has_that_day = _shift_day(local_datetime.date(), period, period_count)
    if has_that_day:
        return local_to_ms(datetime.combine(day, local_datetime.time()), zone)
    return day_start_ms(day + timedelta(days=1), zone) - 1


def _shift_day(day: date, period: Period, period_count: int) -> tuple[date, bool]:
    if period in _DAYS_PER_PERIOD:
        return day + timedelta(days=_DAYS_PER_PERIOD[period] * period_count), True
    return _shift_months(day, _MONTHS_PER_PERIOD[period] * period_count)


def _shift_months(day: date, month_count: int) -> tuple[date, bool]:
    """Return the same day of another month, or its last day, and whether the month has that day."""
    year, month = divmod(day.year * _MONTHS_PER_YEAR + day.month - 1 + month_count, _MONTHS_PER_YEAR)
    day_count = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, day_count)), day.day <= day_count
