"""Which moments a time axis names, and how, from seconds to centuries (fixtures/charts/moments.json). All in UTC."""

import math
from collections.abc import Iterator
from datetime import MAXYEAR, UTC, datetime, timedelta
from typing import NamedTuple

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST_S = -62_135_596_800  # the year 1
_LATEST_S = 253_402_300_799  # the end of the year 9999

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_SECONDS = (1, 2, 5, 10, 15, 30)
_STEPS = (
    *_SECONDS,
    *(_MINUTE * each for each in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * each for each in (1, 2, 3, 6, 12)),
    *(_DAY * each for each in (1, 2, 7, 14)),
)
_MONTHS = (1, 2, 3, 6)
_MONTH_DAYS = 30.44
_YEARS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000)
_YEAR_DAYS = 365.25
_MONTHS_A_YEAR = 12

_MONDAY = _EPOCH - timedelta(days=3)


class Tick(NamedTuple):
    """A moment in seconds since 1970 UTC and its words."""

    at: float
    label: str


def is_time(low: float, high: float) -> bool:
    """Whether both are moments that a calendar has."""
    return low >= _EARLIEST_S and high <= _LATEST_S


def time_ticks(low: float, high: float, most: int) -> list[Tick]:
    """Moments from `low` to `high` where a calendar or clock begins something, at most `most`."""
    span = max(high - low, 1e-9) / max(most, 1)
    for step in _STEPS:
        if step >= span:
            found = list(_even(low, high, step))
            if len(found) <= most:
                return [Tick(_seconds(at), _clock(at, step)) for at in found]
    for months in (*_MONTHS, *(years * _MONTHS_A_YEAR for years in _YEARS)):
        if months * _MONTH_DAYS * _DAY >= span:
            found = list(_calendar(low, high, months))
            if len(found) <= most:
                return [Tick(_seconds(at), _date(at, months)) for at in found]
    return []


def _even(low: float, high: float, step: int) -> Iterator[datetime]:
    """Moments `step` seconds apart; weeks begin on Monday."""
    start = _MONDAY if step % (7 * _DAY) == 0 else _EPOCH
    origin = _seconds(start)
    number = math.ceil((low - origin) / step - 1e-9)
    while (at := origin + number * step) <= high + 1e-9:
        if _EARLIEST_S <= at <= _LATEST_S:
            yield start + timedelta(seconds=number * step)
        number += 1


def _calendar(low: float, high: float, months: int) -> Iterator[datetime]:
    """First days of each `months` months."""
    first = _moment(low)
    number = (first.year * _MONTHS_A_YEAR + first.month - 1) // months
    while True:
        year, month = divmod(number * months, _MONTHS_A_YEAR)
        number += 1
        if year < 1:
            continue
        if year > MAXYEAR or (at := datetime(year, month + 1, 1, tzinfo=UTC)) > _moment(high):
            return
        if _seconds(at) >= low - 1e-9:
            yield at


def _clock(at: datetime, step: int) -> str:
    if step >= _DAY or (at.hour, at.minute, at.second) == (0, 0, 0):
        return f"{at.day} {at:%b}"
    return f"{at:%H:%M:%S}" if step < _MINUTE else f"{at:%H:%M}"


def _date(at: datetime, months: int) -> str:
    if months >= _MONTHS_A_YEAR or at.month == 1:
        return str(at.year)
    return f"{at:%b}"


def described(at: float) -> str:
    """A moment in words for a description: its date, and its time when it has one."""
    moment = _moment(at)
    time = "" if (moment.hour, moment.minute, moment.second) == (0, 0, 0) else f" {moment:%H:%M} UTC"
    return f"{moment.day} {moment:%b} {moment.year}{time}"


def _moment(at: float) -> datetime:
    return _EPOCH + timedelta(seconds=min(max(at, _EARLIEST_S), _LATEST_S))


def _seconds(at: datetime) -> float:
    return (at - _EPOCH).total_seconds()
