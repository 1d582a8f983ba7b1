"""A metric in even steps: the last value in each hour or day, carried through gaps (rules/statistics#history)."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from tallyroom.bots.counters import SOURCE, Counters, Metric, month_of
from tallyroom.core.times import DAY_MS

_BEGINNING_MS = DAY_MS  # before anything that is told of bots; the store's dates have none before the first


class Grid(NamedTuple):
    """The buckets of a series: `buckets` of them, `step_ms` wide, the last of which `now_ms` is in.

    Attributes:
        buckets: None for all there are.
    """

    step_ms: int
    buckets: int | None
    now_ms: int

    @property
    def last_ms(self) -> int:
        """Where the last bucket begins."""
        return self.now_ms // self.step_ms * self.step_ms

    @property
    def first_ms(self) -> int:
        """Where the first bucket begins; long before anything when there is no first."""
        return _BEGINNING_MS if self.buckets is None else self.last_ms - (self.buckets - 1) * self.step_ms


MetricPoint = tuple[int, int]
"""When, in ms since 1970 UTC, and what a metric was then; the time of a point is where its bucket begins."""


class MetricHistory(msgspec.Struct):
    """What happened to one metric of one bot, in the order of time.

    Attributes:
        sent: the last counter of each bucket, and among those before the first bucket the last one.
        votes: votes received in each bucket, as (where the bucket begins, number), and those before the first
            bucket, as one entry a month.
        sources: what was chosen to make counters of votes, as `sent`.
    """

    sent: list[MetricPoint] = []
    votes: list[tuple[int, int]] = []
    sources: list[MetricPoint] = []

    @property
    def begins_ms(self) -> int | None:
        """The first moment of which something is known."""
        return min((entries[0][0] for entries in (self.sent, self.votes) if entries), default=None)


def points(history: MetricHistory, metric: Metric, grid: Grid) -> list[MetricPoint]:
    """The metric at the end of each bucket, or now, oldest first, from the bucket in which it is first known."""
    begins_ms = history.begins_ms
    if begins_ms is None:
        return []
    step_ms = grid.step_ms
    first_ms = max(grid.first_ms, begins_ms // step_ms * step_ms)
    if not history.votes and not history.sources:
        return _carried(history.sent, first_ms, grid)
    return _lived(history, metric, first_ms, grid)


def _lived(history: MetricHistory, metric: Metric, first_ms: int, grid: Grid) -> list[MetricPoint]:
    """Points of a bot with votes: counters, choices and votes in the order in which they became known."""
    known = Counters()
    sent, votes, sources = deque(history.sent), deque(history.votes), deque(history.sources)
    found: list[MetricPoint] = []
    for bucket_ms in range(first_ms, grid.last_ms + 1, grid.step_ms):
        end_ms = bucket_ms + grid.step_ms
        while sent and sent[0][0] < end_ms:
            known.send(metric, *sent.popleft())
        while sources and sources[0][0] < end_ms:
            known.send(SOURCE, *sources.popleft())
        while votes and votes[0][0] < end_ms:
            at_ms, number = votes.popleft()
            known.count_votes(number, month_of(at_ms))
        value = known.at(metric, min(end_ms - 1, grid.now_ms))
        if value is not None:
            found.append((bucket_ms, value))
    return found


def _carried(sent: Sequence[MetricPoint], first_ms: int, grid: Grid) -> list[MetricPoint]:
    """Points of a bot without votes, which is most of them: its counters alone, carried through gaps."""
    found: list[MetricPoint] = []
    step_ms, at_ms, value = grid.step_ms, first_ms, sent[0][1]
    for time_ms, following in sent[1:]:
        while at_ms + step_ms <= time_ms:
            found.append((at_ms, value))
            at_ms += step_ms
        value = following
    found += [(rest_ms, value) for rest_ms in range(at_ms, grid.last_ms + 1, step_ms)]
    return found
