"""Counters and ranks of all bots of a listing at one moment, which only advances (rules/statistics#time-passes)."""

from collections.abc import Collection, Mapping
from heapq import heapify, heappop, heappush

from tallyroom.bots.counters import VOTE_METRICS, Counters
from tallyroom.bots.metric_ranking import MetricRanking


class BotRankings:
    """Values and ranks of listed bots at a moment.

    Time alone can change them: the votes of a month expire when the month ends.

    Args:
        metrics: the metrics that are ranked.
        bots: the listed bots with everything known about them up to `now_ms`.
        now_ms: the moment.
        else_: the value of a bot whose metric is unknown; None leaves the bot out of the ranks.

    Attributes:
        now_ms: the moment.
        changes: how often anything has changed; as long as it stays the same, so do all values and ranks.
    """

    def __init__(
        self, metrics: Collection[str], bots: Mapping[str, Counters], now_ms: int, else_: int | None = None
    ) -> None:
        self._else = else_
        self.now_ms = now_ms
        self.changes = 0
        self._bots = dict(bots)
        self._by_metric = {
            metric: MetricRanking(
                {bot_id: value for bot_id in self._bots if (value := self._value(bot_id, metric)) is not None}
            )
            for metric in metrics
        }
        self._ends = {bot_id: end for bot_id, counters in bots.items() if (end := counters.stands_until(now_ms))}
        self._due = [(end, bot_id) for bot_id, end in self._ends.items()]
        heapify(self._due)

    def turn(self, now_ms: int) -> None:
        """Advance to a moment; an earlier one changes nothing."""
        self.now_ms = max(self.now_ms, now_ms)
        bot_ids: set[str] = set()
        while self._due and self._due[0][0] <= self.now_ms:
            end, bot_id = heappop(self._due)
            if self._ends.get(bot_id) == end:
                bot_ids.add(bot_id)
        self._rank(bot_ids, VOTE_METRICS)

    def put(self, bot_id: str, counters: Counters) -> None:
        """Update what is known about a listed bot."""
        self.put_all({bot_id: counters})

    def put_all(self, bots: Mapping[str, Counters]) -> None:
        """Update what is known about listed bots; many at once cost much less than one at a time."""
        self._bots |= bots
        self._rank(bots, self._by_metric)

    def drop(self, bot_id: str) -> None:
        """Remove a bot that is no longer listed."""
        if self._bots.pop(bot_id, None) is not None:
            self.changes += 1
            self._ends.pop(bot_id, None)
            for ranking in self._by_metric.values():
                ranking.put(bot_id, None)

    def known(self, bot_id: str) -> Counters | None:
        """Return what is known about a listed bot; None if it is not listed."""
        return self._bots.get(bot_id)

    def value(self, bot_id: str, metric: str) -> int | None:
        """Return a bot's metric; None if it is unknown, or the bot is not listed."""
        return self._value(bot_id, metric) if bot_id in self._bots else None

    def rank(self, bot_id: str, metric: str) -> int | None:
        """Return a bot's rank, from 1; None if it has no value."""
        return self._by_metric[metric].rank(bot_id)

    def ranking(self, metric: str) -> MetricRanking:
        """Return the ranking by one metric."""
        return self._by_metric[metric]

    def _value(self, bot_id: str, metric: str) -> int | None:
        value = self._bots[bot_id].at(metric, self.now_ms)
        return self._else if value is None else value

    def _rank(self, bot_ids: Collection[str], metrics: Collection[str]) -> None:
        """Update the ranks of listed bots by metrics that may have changed."""
        self.changes += len(bot_ids)
        for metric in self._by_metric.keys() & set(metrics):
            self._by_metric[metric].put_all({bot_id: self._value(bot_id, metric) for bot_id in bot_ids})
        for bot_id in bot_ids:
            end = self._bots[bot_id].stands_until(self.now_ms)
            if end is None:
                self._ends.pop(bot_id, None)
            elif self._ends.get(bot_id) != end:
                self._ends[bot_id] = end
                heappush(self._due, (end, bot_id))
