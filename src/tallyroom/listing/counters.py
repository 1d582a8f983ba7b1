"""A bot's counters at a moment: what was sent last, or what the received votes come to."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

import msgspec

from tallyroom.core.times import DAY_MS, HOUR_MS

Metric = Literal["monthly_votes", "total_votes", "server_count", "review_count"]
"""A counter with a history."""

METRICS: tuple[Metric, ...] = ("monthly_votes", "total_votes", "server_count", "review_count")
RANKED = (*METRICS, "shard_count")
VOTED = ("monthly_votes", "total_votes")

SENT_HOLDS_MS = 48 * HOUR_MS
"""How long a sent count of votes stands before the votes that were received (contract 10)."""


class Sent(msgspec.Struct, frozen=True):
    """A counter as somebody sent it; `time_ms` is what it is of."""

    time_ms: int
    value: int


class Counters(msgspec.Struct):
    """What is known of one bot up to a moment.

    Attributes:
        sent: of each metric the newest that was sent.
        votes: how many votes were received.
        month_votes: how many of them in `month`.
        month: months since year 0, as `month_of` has them.
    """

    sent: dict[str, Sent] = {}
    votes: int = 0
    month_votes: int = 0
    month: int = 0

    def at(self, metric: str, now_ms: int) -> int | None:
        """The metric at `now_ms`, a moment at which nothing newer is known; None when nothing tells."""
        sent = self.sent.get(metric)
        if metric in VOTED and self.votes and (sent is None or now_ms - sent.time_ms > SENT_HOLDS_MS):
            if metric == "total_votes":
                return self.votes
            return self.month_votes if self.month == month_of(now_ms) else 0
        return None if sent is None else sent.value

    def stands_until(self, now_ms: int) -> int | None:
        """The next moment at which time alone changes a metric; None when there is none."""
        if not self.votes:
            return None
        ends = [sent.time_ms + SENT_HOLDS_MS + 1 for metric in VOTED if (sent := self.sent.get(metric))]
        if self.month_votes:
            ends += [month_start_ms(self.month), month_start_ms(self.month + 1)]  # a vote may be ahead of `now_ms`
        return min((end for end in ends if end > now_ms), default=None)

    def send(self, metric: str, time_ms: int, value: int) -> None:
        """Take a sent counter, unless a newer one is known; of two of one moment the later call holds."""
        known = self.sent.get(metric)
        if known is None or time_ms >= known.time_ms:
            self.sent[metric] = Sent(time_ms, value)

    def count_votes(self, number: int, month: int) -> None:
        """Take votes of one month (`month_of`), in any order of months."""
        self.votes += number
        if month > self.month:
            self.month, self.month_votes = month, number
        elif month == self.month:
            self.month_votes += number


def month_of(time_ms: int) -> int:
    """The UTC calendar month of a moment, in months since year 0."""
    return _month_of_day(time_ms // DAY_MS)


@lru_cache(maxsize=100)  # when a month ends, all bots ask for the same few
def month_start_ms(month: int) -> int:
    """The first moment of a month."""
    return int(datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC).timestamp()) * 1000


@lru_cache(maxsize=10_000)
def _month_of_day(day: int) -> int:
    moment = datetime.fromtimestamp(day * DAY_MS // 1000, UTC)
    return moment.year * 12 + moment.month - 1
