"""A bot's counters at a moment: the values sent last, or the number of votes (rules/statistics#counter-source)."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

import msgspec

from tallyroom.core.times import DAY_MS

Metric = Literal["monthly_votes", "total_votes", "server_count", "review_count"]
"""The counters with a history."""

METRICS: tuple[Metric, ...] = ("monthly_votes", "total_votes", "server_count", "review_count")
RANK_METRICS = (*METRICS, "shard_count")
VOTE_METRICS = ("monthly_votes", "total_votes")

CounterSource = Literal["posted", "votes"]
SOURCES: tuple[CounterSource, ...] = ("posted", "votes")

SOURCE_METRIC: Literal["counter_source"] = "counter_source"
"""The chosen source of the counters `VOTE_METRICS`, as an index into `SOURCES`. It is stored like a counter, so that it
has a history: choosing another source later does not change the answers about an earlier moment."""

HistoryMetric = Metric | Literal["counter_source"]
HistoryMetrics = Sequence[HistoryMetric]
HISTORY_METRICS: tuple[HistoryMetric, ...] = (*METRICS, SOURCE_METRIC)
"""The metrics and the counter source, which also has a history."""


CounterKey = tuple[str, str, int]
"""A bot, one of its metrics, and a time in ms since 1970 UTC."""


class SentCounter(msgspec.Struct, frozen=True, gc=False):
    """The value of a sent counter; `time_ms` is the moment that it refers to."""

    time_ms: int
    value: int


class Counters(msgspec.Struct, gc=False):  # no cycle can go through it
    """Everything known about one bot up to a moment; `sent_by_metric` may also have the `SOURCE_METRIC`.

    `month_vote_count` counts the votes of `month`, in months since year 0, as in `month_of`.
    """

    sent_by_metric: dict[str, SentCounter] = {}
    vote_count: int = 0
    month_vote_count: int = 0
    month: int = 0

    @property
    def source(self) -> CounterSource:
        """The source of the counters `VOTE_METRICS`: the chosen one, otherwise posted counters once there are any."""
        source = self.sent_by_metric.get(SOURCE_METRIC)
        if source is not None:
            return SOURCES[source.value]
        return "posted" if any(metric in self.sent_by_metric for metric in VOTE_METRICS) else "votes"

    def value_at(self, metric: str, now_ms: int) -> int | None:
        """Return the metric at `now_ms`, a moment at which nothing newer is known; None if it is unknown."""
        counter = self.sent_by_metric.get(metric)
        if self._comes_from_votes(metric):
            if metric == "total_votes":
                return self.vote_count
            return self.month_vote_count if self.month == month_of(now_ms) else 0
        return None if counter is None else counter.value

    def list_unknown(self, metrics: Iterable[str], now_ms: int) -> list[str]:
        """Return those of some metrics that are unknown at `now_ms`, as for `value_at`."""
        return [metric for metric in metrics if self.value_at(metric, now_ms) is None]

    def next_change_ms(self, now_ms: int) -> int | None:
        """Return the next moment at which time alone changes a metric; None if there is none."""
        if not self.month_vote_count or not self._comes_from_votes("monthly_votes"):
            return None
        change_times = (month_start_ms(self.month), month_start_ms(self.month + 1))  # a vote may be ahead of `now_ms`
        return min((change_ms for change_ms in change_times if change_ms > now_ms), default=None)

    def _comes_from_votes(self, metric: str) -> bool:
        """Return True if received votes make up the metric; they also replace a metric that was never posted."""
        if metric not in VOTE_METRICS:
            return False
        source = self.sent_by_metric.get(SOURCE_METRIC)
        if source is not None and SOURCES[source.value] == "votes":
            return True
        return metric not in self.sent_by_metric and self.vote_count > 0

    def apply_sent(self, metric: str, time_ms: int, value: int) -> None:
        """Apply a sent counter, unless a newer one is known; for the same moment, the later call wins."""
        newest = self.sent_by_metric.get(metric)
        if newest is None or time_ms >= newest.time_ms:
            self.sent_by_metric[metric] = SentCounter(time_ms, value)

    def add_votes(self, vote_count: int, month: int) -> None:
        """Add votes of one month (`month_of`); months may come in any order."""
        self.vote_count += vote_count
        if month > self.month:
            self.month, self.month_vote_count = month, vote_count
        elif month == self.month:
            self.month_vote_count += vote_count


def month_of(time_ms: int) -> int:
    """Return the UTC calendar month of a moment, in months since year 0."""
    return _month_of_day(time_ms // DAY_MS)


@lru_cache(maxsize=100)  # when a month ends, all bots ask for the same few months
def month_start_ms(month: int) -> int:
    """Return the first millisecond of a month."""
    return int(datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC).timestamp()) * 1000


@lru_cache(maxsize=10_000)
def _month_of_day(day: int) -> int:
    moment = datetime.fromtimestamp(day * DAY_MS // 1000, UTC)
    return moment.year * 12 + moment.month - 1
