"""The buckets of a chart over time (rules/questions#buckets)."""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS, iso_ms
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.calendar import Period, first_day, local_time, period_starts
from tallyroom.queries.clocks import shown_ms
from tallyroom.queries.data_point import no_such
from tallyroom.queries.question import ChosenInterval, Question
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window

Interval = Literal["minute", "hour", "day", "week", "month"]

MAX_BUCKETS = 2_000

_EPOCH_DAY = date(1970, 1, 1).toordinal()
_DAYS_OF_A_WEEK = 7
_MONTHS_OF_A_YEAR = 12

_STEP_MS = {"minute": MINUTE_MS, "hour": HOUR_MS}
_PERIODS: dict[str, Period] = {"day": "day", "week": "week", "month": "month"}
_MAX_WINDOW_MS: dict[Interval, int] = {
    "minute": 2 * HOUR_MS,
    "hour": 8 * DAY_MS,
    "day": 200 * DAY_MS,
    "week": 3 * 366 * DAY_MS,
}
"""The longest window that each interval suits."""
_INTERVALS: tuple[Interval, ...] = (*_MAX_WINDOW_MS, "month")


class TimePoint(msgspec.Struct, gc=False):  # an answer can have 100,000, and a collection would look at each
    """A bucket: its first moment, and what was measured in it; `partial` if the window has only a part of it."""

    t: str
    value: Value
    partial: bool | UnsetType = UNSET


class MeasuredSeries(NamedTuple):
    """A measure over time: its points, and over the whole window, which is UNSET where the buckets do not tell."""

    points: list[TimePoint]
    total: Value | UnsetType


class Buckets(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The buckets that a window touches, both ends included; the first and the last may lie partly outside it.

    Minutes and hours follow UTC. Days, weeks and months follow `timezone`, and a day of 23 or 25 hours is one bucket.
    """

    window: Window
    interval: Interval
    timezone: str

    def of(self, window: Window) -> "Buckets":
        """Return the buckets of another window with the same interval."""
        return Buckets(window=window, interval=self.interval, timezone=self.timezone)

    @cached_property
    def edges(self) -> Sequence[int]:
        """The first millisecond of each bucket, in order, and of the one after the last."""
        window = self.window
        if step := _STEP_MS.get(self.interval):
            return range(window.from_ms // step * step, window.until_ms // step * step + step + 1, step)
        return period_starts(window.from_ms, window.until_ms, _PERIODS[self.interval], self.timezone)

    def number(self, bound: Bound) -> str:
        """Return SQL for the number by which `points` knows the bucket of an event."""
        if step := _STEP_MS.get(self.interval):
            return f"toUInt32(intDiv(toUnixTimestamp64Milli(timestamp), {bound.integer('step_ms', step)}))"
        if self.interval == "day":
            local = shown_ms(self.window.from_ms, self.window.until_ms, self.timezone, bound)
            return f"toUInt16(intDiv({local}, {bound.integer('step_ms', DAY_MS)}))"
        return f"roundDown(toUnixTimestamp64Milli(timestamp), {bound.integers('starts_ms', [*self.edges[:-1]])})"

    def points(self, values: Iterable[tuple[int, Value]], empty: Value) -> list[TimePoint]:
        """Return every bucket with the value found under its number, or with `empty`."""
        by_number = dict(values)
        points = [
            TimePoint(t, by_number.get(number, empty)) for t, number in zip(self._times, self._numbers, strict=True)
        ]
        if self.edges[0] < self.window.from_ms:
            points[0].partial = True
        if self.edges[-1] > self.window.until_ms + 1:
            points[-1].partial = True
        return points

    def find(self, t: str) -> tuple[Window, int]:
        """Return a part of the window with all events of the bucket that begins at `t`, and the bucket's number.

        Where clocks are put back over midnight, the events of a day are not in one piece.

        Raises:
            ValidationFailed: no bucket begins then.
        """
        if t not in self._times:
            raise no_such("t", "is not the t of a point of this answer")
        index = self._times.index(t)
        beyond = DAY_MS if self.interval == "day" else 0
        first, end = self.edges[index] - beyond, self.edges[index + 1] + beyond
        part = Window(max(first, self.window.from_ms), min(end - 1, self.window.until_ms))
        return part, self._numbers[index]

    @cached_property
    def _times(self) -> list[str]:
        return [iso_ms(start) for start in self.edges[:-1]]

    @cached_property
    def _numbers(self) -> Sequence[int]:
        starts = self.edges[:-1]
        if step := _STEP_MS.get(self.interval):
            return [start // step for start in starts]
        if self.interval == "day":
            zone = ZoneInfo(self.timezone)
            return [local_time(start, zone).date().toordinal() - _EPOCH_DAY for start in starts]
        return starts


def buckets_of(config_interval: ChosenInterval | None, question: Question, *, several: bool) -> Buckets:
    """Return the buckets of a question's window.

    Args:
        config_interval: by the config; a choice in the question itself comes first.
        question: the question.
        several: whether the chart has more than one series.

    Raises:
        ValidationFailed: there would be too many of them.
    """
    interval = question.interval or config_interval or "auto"
    if interval == "auto":
        is_week_of_several = several and question.time_range == "7d"
        interval = "day" if is_week_of_several else _automatic(question.window)
    if _count(interval, question.window, question.timezone) > MAX_BUCKETS:
        fits = [name for name in _INTERVALS if _count(name, question.window, question.timezone) <= MAX_BUCKETS]
        reason = f"makes more than {MAX_BUCKETS:,} buckets; the shortest interval for this span is {fits[0]}"
        raise ValidationFailed.at(["interval"], reason)
    return Buckets(window=question.window, interval=interval, timezone=question.timezone)


def _automatic(window: Window) -> Interval:
    length_ms = window.until_ms - window.from_ms
    return next((interval for interval, max_window_ms in _MAX_WINDOW_MS.items() if length_ms <= max_window_ms), "month")


def _count(interval: Interval, window: Window, timezone: str) -> int:
    """Return how many buckets a window touches."""
    if step := _STEP_MS.get(interval):
        return window.until_ms // step - window.from_ms // step + 1
    zone = ZoneInfo(timezone)
    first, last = (
        first_day(local_time(ms, zone).date(), _PERIODS[interval]) for ms in (window.from_ms, window.until_ms)
    )
    if interval == "month":
        return (last.year - first.year) * _MONTHS_OF_A_YEAR + last.month - first.month + 1
    return (last - first).days // (_DAYS_OF_A_WEEK if interval == "week" else 1) + 1
