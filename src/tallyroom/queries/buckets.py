"""The buckets of a chart over time (rules/questions#buckets)."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS, iso_ms
from tallyroom.queries.calendar import Period, first_day_of_period, local_time, period_starts_ms
from tallyroom.queries.clock_steps import ClockSteps
from tallyroom.queries.clocks import find_offset_changes, local_ms_sql
from tallyroom.queries.data_point import data_point_refusal
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.question import ChosenInterval, Question
from tallyroom.queries.values import Value
from tallyroom.queries.window import Window

Interval = Literal["minute", "hour", "day", "week", "month"]

MAX_BUCKETS = 2_000

_EPOCH_DAY = date(1970, 1, 1).toordinal()
_STEP_MS_BY_INTERVAL = {"minute": MINUTE_MS, "hour": HOUR_MS}
_PERIOD_BY_INTERVAL: dict[str, Period] = {"day": "day", "week": "week", "month": "month"}
_MAX_WINDOW_MS_BY_INTERVAL: dict[Interval, int] = {
    "minute": 2 * HOUR_MS,
    "hour": 8 * DAY_MS,
    "day": 200 * DAY_MS,
    "week": 3 * 366 * DAY_MS,
}
"""The longest window for which each interval is suitable."""
_INTERVALS: tuple[Interval, ...] = (*_MAX_WINDOW_MS_BY_INTERVAL, "month")


class TimePoint(msgspec.Struct, gc=False):  # an answer can have 100,000, and the garbage collector would visit each
    """A bucket: its start, and the value measured in it, None if it begins later than now.

    It is `partial` if the window covers only part of it, or if it is not over. It is also `cut` if the window has ended
    within it, so that its value stays as it is.
    """

    t: str
    value: Value
    partial: bool | UnsetType = UNSET
    cut: bool | UnsetType = UNSET


def find_open_point(points: Sequence[TimePoint]) -> TimePoint | None:
    """Return the point whose bucket is not over, if any: the first of several can only be cut."""
    partial_points = [point for point in points if point.partial is True and (point is not points[0] or not points[1:])]
    return next((point for point in partial_points if point.cut is UNSET), None)


class MeasuredSeries(NamedTuple):
    """A measure over time: its points, and its total over the window, UNSET if it does not follow from the buckets."""

    points: list[TimePoint]
    total: Value | UnsetType


class Buckets(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The buckets that a window touches; the first and the last may be partly outside it, some later than `now_ms`.

    All of them follow the clocks of `timezone`: a day of 23 or 25 hours is one bucket, and has as many hours.
    """

    window: Window
    interval: Interval
    timezone: str
    now_ms: int

    def for_window(self, window: Window) -> "Buckets":
        """Return the buckets of another window with the same interval."""
        return msgspec.structs.replace(self, window=window)

    @cached_property
    def edges_ms(self) -> Sequence[int]:
        """The first millisecond of each bucket in order, and the end of the last one (exclusive)."""
        if self._clock_steps:
            return self._clock_steps.edges_ms
        period = _PERIOD_BY_INTERVAL[self.interval]
        return period_starts_ms(self.window.from_ms, self.window.until_ms, period, self.timezone)

    def bucket_number_sql(self, parameters: QueryParameters) -> str:
        """Return SQL for the number of an event's bucket, as in `fill_points`."""
        if self._clock_steps:
            return self._clock_steps.number_sql(parameters)
        if self.interval == "day":
            local_ms = local_ms_sql(self.window.from_ms, self.window.until_ms, self.timezone, parameters)
            return f"toUInt16(intDiv({local_ms}, {parameters.bind_integer('step_ms', DAY_MS)}))"
        starts_sql = parameters.bind_integers("starts_ms", [*self.edges_ms[:-1]])
        return f"roundDown(toUnixTimestamp64Milli(timestamp), {starts_sql})"

    def fill_points(self, numbered_values: Iterable[tuple[int, Value]], default: Value) -> list[TimePoint]:
        """Return every bucket with the value under its number, or with `default`; with None if it has not begun."""
        value_by_number = dict(numbered_values)
        end_ms = min(self.window.until_ms, self.now_ms)
        begun_count = min(bisect_right(self.edges_ms, end_ms), len(self.numbers))
        points = [
            TimePoint(t, value_by_number.get(number, default) if index < begun_count else None)
            for index, (t, number) in enumerate(zip(self._start_times, self.numbers, strict=True))
        ]
        if begun_count and self.edges_ms[0] < self.window.from_ms:
            points[0].partial = True
        if begun_count and self.edges_ms[begun_count] > end_ms + 1:
            points[begun_count - 1].partial = True
            points[begun_count - 1].cut = self.window.until_ms < self.now_ms or UNSET
        return points

    def find_bucket(self, t: str) -> tuple[Window, int]:
        """Return a part of the window that contains the bucket that begins at `t`, and the bucket's number.

        If clocks are put back over midnight, the events of a day are not contiguous. Raises `ValidationFailed` for
        another `t`.
        """
        index = self._find_index(t)
        margin_ms = DAY_MS if self.interval == "day" else 0
        start_ms, end_ms = self.edges_ms[index] - margin_ms, self.edges_ms[index + 1] + margin_ms
        window = Window(max(start_ms, self.window.from_ms), min(end_ms - 1, self.window.until_ms))
        return window, self.numbers[index]

    def find_past_window(self, t: str) -> Window | None:
        """Return the part of the bucket that begins at `t` that is in the window and not later than now, if any.

        Raises `ValidationFailed` for another `t`.
        """
        index = self._find_index(t)
        from_ms = max(self.edges_ms[index], self.window.from_ms)
        until_ms = min(self.edges_ms[index + 1] - 1, self.window.until_ms, self.now_ms)
        return Window(from_ms, until_ms) if from_ms <= until_ms else None

    def _find_index(self, t: str) -> int:
        if t not in self._start_times:
            raise data_point_refusal("t", "is not the t of a point in this answer")
        return self._start_times.index(t)

    @cached_property
    def _clock_steps(self) -> ClockSteps | None:
        step_ms = _STEP_MS_BY_INTERVAL.get(self.interval)
        return None if step_ms is None else ClockSteps(self.window, step_ms, self.timezone)

    @cached_property
    def _start_times(self) -> list[str]:
        return [iso_ms(start_ms) for start_ms in self.edges_ms[:-1]]

    @property
    def are_contiguous(self) -> bool:
        """Whether each bucket has exactly the events between two edges, which clocks put back over midnight prevent."""
        if self.interval != "day":
            return True
        changes = find_offset_changes(self.window.from_ms, self.window.until_ms, self.timezone)
        return all(
            (change.since_ms + change.offset_ms) // DAY_MS >= (change.since_ms - 1 + earlier.offset_ms) // DAY_MS
            for earlier, change in pairwise(changes)
        )

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The number of each bucket, as in `bucket_number_sql`."""
        if self._clock_steps:
            return self._clock_steps.numbers
        starts_ms = self.edges_ms[:-1]
        if self.interval == "day":
            zone = ZoneInfo(self.timezone)
            return [local_time(start_ms, zone).date().toordinal() - _EPOCH_DAY for start_ms in starts_ms]
        return starts_ms


def choose_buckets(config_interval: ChosenInterval | None, question: Question, *, has_several_series: bool) -> Buckets:
    """Return the buckets of a question's window, by its own interval or else by the config's; refuse too many."""
    interval = question.interval or config_interval or "auto"
    if interval == "auto":
        is_week_of_several = has_several_series and question.time_range == "7d"
        interval = "day" if is_week_of_several else _choose_interval(question.window)
    if _count_buckets(interval, question.window, question.timezone) > MAX_BUCKETS:
        shortest_interval = next(
            name for name in _INTERVALS if _count_buckets(name, question.window, question.timezone) <= MAX_BUCKETS
        )
        reason = f"the shortest interval for this time range is {shortest_interval}"
        raise ValidationFailed.at(["interval"], f"results in more than {MAX_BUCKETS:,} buckets; {reason}")
    return Buckets(window=question.window, interval=interval, timezone=question.timezone, now_ms=question.now_ms)


def _choose_interval(window: Window) -> Interval:
    duration_ms = window.until_ms - window.from_ms
    return next(
        (interval for interval, max_window_ms in _MAX_WINDOW_MS_BY_INTERVAL.items() if duration_ms <= max_window_ms),
        "month",
    )


def _count_buckets(interval: Interval, window: Window, timezone: str) -> int:
    if step_ms := _STEP_MS_BY_INTERVAL.get(interval):
        return ClockSteps(window, step_ms, timezone).count()
    zone = ZoneInfo(timezone)
    first_day, last_day = (
        first_day_of_period(local_time(edge_ms, zone).date(), _PERIOD_BY_INTERVAL[interval])
        for edge_ms in (window.from_ms, window.until_ms)
    )
    if interval == "month":
        return (last_day.year - first_day.year) * 12 + last_day.month - first_day.month + 1
    return (last_day - first_day).days // (7 if interval == "week" else 1) + 1
