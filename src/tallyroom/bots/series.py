"""A metric as an even series: the last value of each hour or day, carried through gaps (rules/statistics#history)."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from tallyroom.bots.counters import SOURCE_METRIC, Counters, Metric, month_of
from tallyroom.core.times import DAY_MS

_MIN_TIME_MS = DAY_MS  # before any data about bots; the store has no dates before 1970


class TimeGrid(NamedTuple):
    """The buckets of a series, each `step_ms` wide, up to the one with `now_ms`; without a count, all of history."""

    step_ms: int
    bucket_count: int | None
    now_ms: int

    @property
    def last_bucket_ms(self) -> int:
        """The start of the last bucket."""
        return self.now_ms // self.step_ms * self.step_ms

    @property
    def first_bucket_ms(self) -> int:
        """The start of the first bucket; without a fixed number of buckets, a time long before any data."""
        if self.bucket_count is None:
            return _MIN_TIME_MS
        return self.last_bucket_ms - (self.bucket_count - 1) * self.step_ms


MetricPoint = tuple[int, int]
"""A time in ms since 1970 UTC and the value of a metric; the time of a point is the start of its bucket."""


class MetricHistory(msgspec.Struct):
    """What happened to one metric of one bot, in the order of time; `sources` are the chosen counter sources.

    `counters` has the last of each bucket, and at least one from before the first bucket. `votes` has (start, number)
    of each bucket, and of each month before the first bucket.
    """

    counters: list[MetricPoint] = []
    votes: list[tuple[int, int]] = []
    sources: list[MetricPoint] = []


def build_points(history: MetricHistory, metric: Metric, grid: TimeGrid) -> list[MetricPoint]:
    """Return the metric at the end of each bucket, or now, oldest first, from the first bucket in which it is known."""
    first_times_ms = [entries[0][0] for entries in (history.counters, history.votes) if entries]
    if not first_times_ms:
        return []
    first_bucket_ms = max(grid.first_bucket_ms, min(first_times_ms) // grid.step_ms * grid.step_ms)
    if not history.votes and not history.sources:
        return _build_points_without_votes(history.counters, first_bucket_ms, grid)
    return _build_points_with_votes(history, metric, first_bucket_ms, grid)


def _build_points_with_votes(
    history: MetricHistory, metric: Metric, first_bucket_ms: int, grid: TimeGrid
) -> list[MetricPoint]:
    """Return the points of a bot with votes: applies counters, source changes and votes bucket by bucket."""
    bot_counters = Counters()
    counter_queue, vote_queue, source_queue = deque(history.counters), deque(history.votes), deque(history.sources)
    points: list[MetricPoint] = []
    for bucket_ms in range(first_bucket_ms, grid.last_bucket_ms + 1, grid.step_ms):
        end_ms = bucket_ms + grid.step_ms
        while counter_queue and counter_queue[0][0] < end_ms:
            bot_counters.apply_sent(metric, *counter_queue.popleft())
        while source_queue and source_queue[0][0] < end_ms:
            bot_counters.apply_sent(SOURCE_METRIC, *source_queue.popleft())
        while vote_queue and vote_queue[0][0] < end_ms:
            vote_ms, vote_count = vote_queue.popleft()
            bot_counters.add_votes(vote_count, month_of(vote_ms))
        value = bot_counters.value_at(metric, min(end_ms - 1, grid.now_ms))
        if value is not None:
            points.append((bucket_ms, value))
    return points


def _build_points_without_votes(
    counters: Sequence[MetricPoint], first_bucket_ms: int, grid: TimeGrid
) -> list[MetricPoint]:
    """Return the points of a bot without votes, the usual case: its counters alone, carried through gaps."""
    points: list[MetricPoint] = []
    step_ms, bucket_ms, value = grid.step_ms, first_bucket_ms, counters[0][1]
    end_ms = bucket_ms + step_ms
    for counter_ms, next_value in counters:
        while end_ms <= counter_ms:
            points.append((bucket_ms, value))
            bucket_ms, end_ms = end_ms, end_ms + step_ms
        value = next_value
    points += [(rest_bucket_ms, value) for rest_bucket_ms in range(bucket_ms, grid.last_bucket_ms + 1, step_ms)]
    return points
