"""The moments that a time axis labels, from seconds to centuries, all in UTC (fixtures/charts/moments.json)."""

import math
from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, UTC, datetime, timedelta
from typing import NamedTuple

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST_S = -62_135_596_800  # the year 1
_LATEST_S = 253_402_300_799  # the end of the year 9999

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_SECONDS = (1, 2, 5, 10, 15, 30)
_STEPS = (
    *_SECONDS,
    *(_MINUTE * count for count in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * count for count in (1, 2, 3, 6, 12)),
    *(_DAY * count for count in (1, 2, 7, 14)),
)
_MONTHS = (1, 2, 3, 6)
_MONTH_DAYS = 30.44
_YEARS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000)
_YEAR_DAYS = 365.25
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
    span = max(high - low, 1e-9) / max(max_count, 1)
    for step in _STEPS:
        if step >= span:
            moments = list(_iterate_steps(low, high, step))
            if len(moments) <= max_count:
                return _pair_labels(moments, _format_dates(moments) if step >= _DAY else _format_times(moments, step))
    for months in (*_MONTHS, *(years * _MONTHS_A_YEAR for years in _YEARS)):
        if months * _MONTH_DAYS * _DAY >= span:
            moments = list(_iterate_months(low, high, months))
            if len(moments) <= max_count:
                return _pair_labels(moments, _format_months(moments, months))
    return []


def _iterate_steps(low: float, high: float, step: int) -> Iterator[datetime]:
    """Yield moments `step` seconds apart; weeks begin on Monday."""
    start = _MONDAY if step % (7 * _DAY) == 0 else _EPOCH
    origin = _to_seconds(start)
    number = math.ceil((low - origin) / step - 1e-9)
    while (seconds := origin + number * step) <= high + 1e-9:
        if _EARLIEST_S <= seconds <= _LATEST_S:
            yield start + timedelta(seconds=number * step)
        number += 1


def _iterate_months(low: float, high: float, months: int) -> Iterator[datetime]:
    """Yield the first day of every `months` months."""
    first = _to_datetime(low)
    number = (first.year * _MONTHS_A_YEAR + first.month - 1) // months
    while True:
        year, month = divmod(number * months, _MONTHS_A_YEAR)
        number += 1
        if year < 1:
            continue
        if year > MAXYEAR or (moment := datetime(year, month + 1, 1, tzinfo=UTC)) > _to_datetime(high):
            return
        if _to_seconds(moment) >= low - 1e-9:
            yield moment


def _pair_labels(moments: Sequence[datetime], labels: Sequence[str]) -> list[Tick]:
    return [Tick(_to_seconds(moment), label) for moment, label in zip(moments, labels, strict=True)]


def _format_times(moments: Sequence[datetime], step: int) -> list[str]:
    """Return times, with the date in place of midnight; without a midnight, the first time gets the date."""
    midnights = [moment for moment in moments if _is_midnight(moment)]
    dates = iter(_format_dates(midnights))
    labels = [
        next(dates) if _is_midnight(moment) else f"{moment:%H:%M:%S}" if step < _MINUTE else f"{moment:%H:%M}"
        for moment in moments
    ]
    if moments and not midnights:
        labels[0] = f"{_format_day(moments[0])} {labels[0]}"
    return labels


def _format_dates(moments: Sequence[datetime]) -> list[str]:
    """Return dates, with the year on the first date of each year."""
    before = [None, *(moment.year for moment in moments)]
    return [
        f"{_format_day(moment)} {moment.year}" if moment.year != year else _format_day(moment)
        for moment, year in zip(moments, before, strict=False)
    ]


def _format_months(moments: Sequence[datetime], months: int) -> list[str]:
    """Return months, with the year in place of January; without a January, the first month gets the year."""
    labels = [
        str(moment.year) if months >= _MONTHS_A_YEAR or moment.month == 1 else f"{moment:%b}" for moment in moments
    ]
    if moments and months < _MONTHS_A_YEAR and all(moment.month != 1 for moment in moments):
        labels[0] = f"{moments[0]:%b} {moments[0].year}"
    return labels


def _format_day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b}"


def _is_midnight(moment: datetime) -> bool:
    return (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0)


def format_utc_moment(seconds: float) -> str:
    """Describe a moment in words: its date, and its time unless it is midnight."""
    moment = _to_datetime(seconds)
    date = f"{_format_day(moment)} {moment.year}"
    if _is_midnight(moment):
        return date
    if not moment.second and not moment.microsecond:
        return f"{date} {moment:%H:%M} UTC"
    return f"{date} {moment:%H:%M:%S.%f}".rstrip("0").rstrip(".") + " UTC"


def _to_datetime(seconds: float) -> datetime:
    return _EPOCH + timedelta(seconds=min(max(seconds, _EARLIEST_S), _LATEST_S))


def _to_seconds(moment: datetime) -> float:
    return (moment - _EPOCH).total_seconds()
