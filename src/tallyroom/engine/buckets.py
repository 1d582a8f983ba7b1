"""The buckets of a chart over time (rules/questions#buckets)."""

from collections.abc import Iterable
from datetime import date
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms, moment
from tallyroom.engine.bound import Bound
from tallyroom.engine.clocks import shown_ms
from tallyroom.engine.values import Value
from tallyroom.engine.window import day_starts

Interval = Literal["minute", "hour", "day"]

_INTERVALS: dict[TimeRange, Interval] = {"1h": "minute", "24h": "hour", "7d": "hour", "30d": "day", "90d": "day"}
_STEP_MS = {"minute": 60_000, "hour": 3_600_000, "day": 86_400_000}
_EPOCH_DAY = date(1970, 1, 1).toordinal()


class Point(msgspec.Struct):
    """A bucket: its first moment, and what was measured in it."""

    t: str
    value: Value


class Buckets(msgspec.Struct, frozen=True, kw_only=True):
    """The buckets that a span of time touches, both ends included; the first and the last may lie partly outside it.

    Minutes and hours follow UTC. Days follow `timezone`, and a day of 23 or 25 hours is one bucket.
    """

    from_ms: int
    until_ms: int
    interval: Interval
    timezone: str

    def starts(self) -> list[int]:
        """Return the first millisecond of each bucket, in order."""
        if self.interval == "day":
            return day_starts(self.from_ms, self.until_ms, self.timezone)
        step = _STEP_MS[self.interval]
        return list(range(self.from_ms // step * step, self.until_ms + 1, step))

    def number(self, bound: Bound) -> str:
        """Return SQL for the number of an event's bucket, counted from the bucket that begins at 1970-01-01T00:00."""
        step_ms = bound.integer("step_ms", _STEP_MS[self.interval])
        if self.interval == "day":
            return f"toUInt16(intDiv({shown_ms(self.from_ms, self.until_ms, self.timezone, bound)}, {step_ms}))"
        return f"toUInt32(intDiv(toUnixTimestamp64Milli(timestamp), {step_ms}))"

    def points(self, found: Iterable[tuple[int, Value]], empty: Value) -> list[Point]:
        """Return every bucket with the value found under its number, or with `empty`."""
        values, first = dict(found), self._first()
        return [Point(iso_ms(start), values.get(first + index, empty)) for index, start in enumerate(self.starts())]

    def _first(self) -> int:
        if self.interval == "day":
            return moment(self.from_ms).astimezone(ZoneInfo(self.timezone)).date().toordinal() - _EPOCH_DAY
        return self.from_ms // _STEP_MS[self.interval]


def interval_of(time_range: TimeRange, *, several: bool) -> Interval:
    """Return the bucket width for a range; `several` means a chart with more than one series."""
    return "day" if several and time_range == "7d" else _INTERVALS[time_range]
