"""The rolling window of a question, and the days of a time zone (rules/questions#window)."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from tallyroom.core.ranges import RANGE_MS, TimeRange
from tallyroom.core.times import moment
from tallyroom.engine.bound import Bound


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
        """The first millisecond of the window before, which ends just before this one begins."""
        return self.from_ms - RANGE_MS[self.time_range]

    def condition(self, bound: Bound) -> str:
        """Return SQL that is true for an event in the window."""
        return between(self.from_ms, self.until_ms, bound)

    def condition_with_before(self, bound: Bound) -> str:
        """Return SQL that is true for an event in this window or in the one before."""
        return between(self.before_ms, self.until_ms, bound)


def between(from_ms: int, until_ms: int, bound: Bound) -> str:
    """Return SQL that is true for an event from `from_ms` to `until_ms`, both inclusive.

    The store sorts events by day and then by name. It does not infer from the times that only some days matter and
    would search every day of those months, so the SQL names the days as well.
    """
    first, last = instant("from_ms", from_ms, bound), instant("until_ms", until_ms, bound)
    days = f"indexHint(toDate(timestamp) >= toDate({first}) AND toDate(timestamp) <= toDate({last}))"
    return f"timestamp >= {first} AND timestamp <= {last}\n  AND {days}"


def instant(role: str, ms: int, bound: Bound) -> str:
    """Return SQL for a moment, in the type of an event's timestamp."""
    return f"fromUnixTimestamp64Milli({bound.integer(role, ms)}, 'UTC')"


def day_starts(from_ms: int, until_ms: int, timezone: str) -> list[int]:
    """Return the first millisecond of each day in a time zone, from the day of `from_ms` to the day of `until_ms`."""
    zone = ZoneInfo(timezone)
    day, last = moment(from_ms).astimezone(zone).date(), moment(until_ms).astimezone(zone).date()
    starts = []
    while day <= last:
        starts.append(local_ms(datetime(day.year, day.month, day.day), zone))  # noqa: DTZ001 # local_ms gives the zone
        day += timedelta(days=1)
    return starts


def local_ms(local: datetime, zone: ZoneInfo) -> int:
    """Return the millisecond at which clocks in the zone first show `local`, or skip over it."""
    return round(local.replace(tzinfo=zone).timestamp() * 1000)
