"""The rolling window of a question, and the buckets that it falls into (contract 1 and 7)."""

from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from tallyroom.core.ranges import RANGE_MS, TimeRange
from tallyroom.core.times import moment
from tallyroom.engine.bound import Bound

Interval = Literal["minute", "hour", "day"]

_INTERVALS: dict[TimeRange, Interval] = {"1h": "minute", "24h": "hour", "7d": "hour", "30d": "day", "90d": "day"}
_STEP_MS = {"minute": 60_000, "hour": 3_600_000}


class Window(msgspec.Struct, frozen=True):
    """``[now - R, now]``, closed on both sides, in milliseconds since 1970-01-01 UTC."""

    time_range: TimeRange
    until_ms: int

    @property
    def from_ms(self) -> int:
        """The first millisecond."""
        return self.until_ms - RANGE_MS[self.time_range]

    @property
    def before_ms(self) -> int:
        """The first millisecond of the window before, which ends where this one begins and shares nothing with it."""
        return self.from_ms - RANGE_MS[self.time_range]

    def condition(self, bound: Bound) -> str:
        """SQL that is true for an event in the window."""
        return between(self.from_ms, self.until_ms, bound)

    def condition_with_before(self, bound: Bound) -> str:
        """SQL that is true for an event in the window or in the one before."""
        return between(self.before_ms, self.until_ms, bound)


def between(from_ms: int, until_ms: int, bound: Bound) -> str:
    """SQL that is true for an event from `from_ms` to `until_ms`, both inside."""
    return f"timestamp >= {instant('from_ms', from_ms, bound)} AND timestamp <= {instant('until_ms', until_ms, bound)}"


def instant(role: str, ms: int, bound: Bound) -> str:
    """SQL of a moment, of the type of an event's timestamp."""
    return f"fromUnixTimestamp64Milli({bound.integer(role, ms)}, 'UTC')"


def interval_of(time_range: TimeRange, *, several: bool) -> Interval:
    """The width of the buckets of a range; `several` is for a chart of more than one series."""
    return "day" if several and time_range == "7d" else _INTERVALS[time_range]


def bucket_starts(window: Window, interval: Interval, timezone: str) -> list[int]:
    """The first millisecond of each bucket that the window touches, in order.

    Minutes and hours are those of UTC, days those of `timezone`: one of 23 or 25 hours is one bucket.
    """
    if interval == "day":
        return day_starts(window.from_ms, window.until_ms, timezone)
    step = _STEP_MS[interval]
    return list(range(window.from_ms // step * step, window.until_ms + 1, step))


def day_starts(from_ms: int, until_ms: int, timezone: str) -> list[int]:
    """The first millisecond of each day of a time zone from the one that holds `from_ms` to that of `until_ms`."""
    zone = ZoneInfo(timezone)
    day, last = moment(from_ms).astimezone(zone).date(), moment(until_ms).astimezone(zone).date()
    starts = []
    while day <= last:
        starts.append(local_ms(datetime(day.year, day.month, day.day), zone))  # noqa: DTZ001 # local_ms gives the zone
        day += timedelta(days=1)
    return starts


def local_ms(local: datetime, zone: ZoneInfo) -> int:
    """The millisecond at which the clocks of a zone first show `local`, or pass over it."""
    return round(local.replace(tzinfo=zone).timestamp() * 1000)
