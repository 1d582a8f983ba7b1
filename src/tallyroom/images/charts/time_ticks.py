"""The moments that a time axis labels, from seconds to centuries (fixtures/charts/moments.json and zones.json)."""

import math
from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, UTC, datetime, timedelta, tzinfo
from typing import NamedTuple

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST_S = -62_135_596_800  # the year 1
_LATEST_S = 253_402_300_799  # the end of the year 9999

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_STEPS_S = (
    *(1, 2, 5, 10, 15, 30),
    *(_MINUTE * count for count in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * count for count in (1, 2, 3, 6, 12)),
    *(_DAY * count for count in (1, 2, 7, 14)),
)
_MONTH_STEPS = (1, 2, 3, 6)
_MONTH_DAYS = 30.44
_YEAR_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000)
_MONTHS_A_YEAR = 12

_MONDAY = _EPOCH - timedelta(days=3)


class Tick(NamedTuple):
    """A moment in seconds since 1970 UTC, and its label."""

    position: float
    label: str


def is_time(low: float, high: float) -> bool:
    """Return True if both are moments in the range of the calendar."""
    return low >= _EARLIEST_S and high <= _LATEST_S


def build_time_ticks(low: float, high: float, max_count: int) -> list[Tick]:
    """Return at most `max_count` moments from `low` to `high` at which a unit of the calendar or the clock begins."""
    min_step_s = max(high - low, 1e-9) / max(max_count, 1)
    for step_s in _STEPS_S:
        if step_s >= min_step_s:
            moments = list(_iterate_steps(low, high, step_s))
            if len(moments) <= max_count:
                labels = _format_dates(moments) if step_s >= _DAY else _format_times(moments, step_s)
                return _pair_labels(moments, labels)
    for month_step in (*_MONTH_STEPS, *(year_step * _MONTHS_A_YEAR for year_step in _YEAR_STEPS)):
        if month_step * _MONTH_DAYS * _DAY >= min_step_s:
            moments = list(_iterate_months(low, high, month_step))
            if len(moments) <= max_count:
                return _pair_labels(moments, _format_months(moments, month_step))
    return []


def _iterate_steps(low: float, high: float, step_s: int) -> Iterator[datetime]:
    """Yield moments `step_s` seconds apart; weeks begin on Monday."""
    start = _MONDAY if step_s % (7 * _DAY) == 0 else _EPOCH
    start_s = _to_seconds(start)
    step_number = math.ceil((low - start_s) / step_s - 1e-9)
    while (seconds := start_s + step_number * step_s) <= high + 1e-9:
        if _EARLIEST_S <= seconds <= _LATEST_S:
            yield start + timedelta(seconds=step_number * step_s)
        step_number += 1


def _iterate_months(low: float, high: float, month_step: int) -> Iterator[datetime]:
    low_datetime = _to_datetime(low)
    step_number = (low_datetime.year * _MONTHS_A_YEAR + low_datetime.month - 1) // month_step
    while True:
        year, month = divmod(step_number * month_step, _MONTHS_A_YEAR)
        step_number += 1
        if year < 1:
            continue
        if year > MAXYEAR or (moment := datetime(year, month + 1, 1, tzinfo=UTC)) > _to_datetime(high):
            return
        if _to_seconds(moment) >= low - 1e-9:
            yield moment


def _pair_labels(moments: Sequence[datetime], labels: Sequence[str]) -> list[Tick]:
    return [Tick(_to_seconds(moment), label) for moment, label in zip(moments, labels, strict=True)]


def _format_times(moments: Sequence[datetime], step_s: int) -> list[str]:
    """Return times, with the date in place of midnight; without a midnight, the first time gets the date."""
    midnights = [moment for moment in moments if _is_midnight(moment)]
    dates = iter(_format_dates(midnights))
    labels = [
        next(dates) if _is_midnight(moment) else f"{moment:%H:%M:%S}" if step_s < _MINUTE else f"{moment:%H:%M}"
        for moment in moments
    ]
    if moments and not midnights:
        labels[0] = f"{_format_day(moments[0])} {labels[0]}"
    return labels


def _format_dates(moments: Sequence[datetime]) -> list[str]:
    """Return dates, with the year on the first date of each year."""
    previous_years = [None, *(moment.year for moment in moments)]
    return [
        f"{_format_day(moment)} {moment.year}" if moment.year != previous_year else _format_day(moment)
        for moment, previous_year in zip(moments, previous_years, strict=False)
    ]


def _format_months(moments: Sequence[datetime], month_step: int) -> list[str]:
    """Return months, with the year in place of January; without a January, the first month gets the year."""
    labels = [
        str(moment.year) if month_step >= _MONTHS_A_YEAR or moment.month == 1 else f"{moment:%b}" for moment in moments
    ]
    if moments and month_step < _MONTHS_A_YEAR and all(moment.month != 1 for moment in moments):
        labels[0] = f"{moments[0]:%b} {moments[0].year}"
    return labels


def _format_day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b}"


def _is_midnight(moment: datetime) -> bool:
    return (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0)


def format_utc_moment(seconds: float) -> str:
    """Describe a moment in words: its date, and its time unless it is midnight."""
    moment = _to_datetime(seconds)
    date_text = f"{_format_day(moment)} {moment.year}"
    if _is_midnight(moment):
        return date_text
    if not moment.second and not moment.microsecond:
        return f"{date_text} {moment:%H:%M} UTC"
    return f"{date_text} {moment:%H:%M:%S.%f}".rstrip("0").rstrip(".") + " UTC"


def build_zoned_ticks(low: float, high: float, max_count: int, zone: tzinfo) -> list[Tick]:
    """Return ticks of the zone's calendar or clock; only the first moment of a time that occurs twice has a tick."""
    if zone is UTC:
        return build_time_ticks(low, high, max_count)
    local_ticks = build_time_ticks(_to_clock_time(low, zone), _to_clock_time(high, zone), max_count)
    ticks = [Tick(_from_clock_time(clock_time, zone), label) for clock_time, label in local_ticks]
    return [
        tick
        for tick, (clock_time, _) in zip(ticks, local_ticks, strict=True)
        if low <= tick.position <= high and _to_clock_time(tick.position, zone) == clock_time
    ]


def format_moment(seconds: float, zone: tzinfo) -> str:
    """Write a moment in words; the zone is named only if it is UTC."""
    if zone is UTC:
        return format_utc_moment(seconds)
    return format_utc_moment(_to_clock_time(seconds, zone)).removesuffix(" UTC")


def _to_clock_time(seconds: float, zone: tzinfo) -> float:
    offset = (_EPOCH + timedelta(seconds=seconds)).astimezone(zone).utcoffset()
    return seconds + (offset or timedelta()).total_seconds()


def _from_clock_time(clock_time: float, zone: tzinfo) -> float:
    local_datetime = (_EPOCH + timedelta(seconds=clock_time)).replace(tzinfo=zone)
    return _to_seconds(local_datetime.astimezone(UTC))


def _to_datetime(seconds: float) -> datetime:
    return _EPOCH + timedelta(seconds=min(max(seconds, _EARLIEST_S), _LATEST_S))


def _to_seconds(moment: datetime) -> float:
    return (moment - _EPOCH).total_seconds()
