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
        counters_by_bot: the listed bots with everything known about them up to `now_ms`.
        now_ms: the moment.
        default_value: the value of a bot whose metric is unknown; None leaves the bot out of the ranks.

    Attributes:
        now_ms: the moment.
        change_count: how often anything has changed; as long as it stays the same, so do all values and ranks.
    """

    def __init__(
        self,
        metrics: Collection[str],
        counters_by_bot: Mapping[str, Counters],
        now_ms: int,
        default_value: int | None = None,
    ) -> None:
        self._default_value = default_value
        self.now_ms = now_ms
        self.change_count = 0
        self._counters_by_bot = dict(counters_by_bot)
        self._rankings = {
            metric: MetricRanking(
                {
                    bot_id: value
                    for bot_id in self._counters_by_bot
                    if (value := self._value(bot_id, metric)) is not None
                }
            )
            for metric in metrics
        }
        self._expiry_times = {
            bot_id: expiry_ms
            for bot_id, counters in counters_by_bot.items()
            if (expiry_ms := counters.next_change_ms(now_ms))
        }
        self._expiry_queue = [(expiry_ms, bot_id) for bot_id, expiry_ms in self._expiry_times.items()]
        heapify(self._expiry_queue)

    def advance(self, now_ms: int) -> None:
        """Advance to a moment; an earlier one changes nothing."""
        self.now_ms = max(self.now_ms, now_ms)
        bot_ids: set[str] = set()
        while self._expiry_queue and self._expiry_queue[0][0] <= self.now_ms:
            expiry_ms, bot_id = heappop(self._expiry_queue)
            if self._expiry_times.get(bot_id) == expiry_ms:
                bot_ids.add(bot_id)
        self._update_ranks(bot_ids, VOTE_METRICS)

    def put(self, bot_id: str, counters: Counters) -> None:
        """Update what is known about a listed bot."""
        self.put_all({bot_id: counters})

    def put_all(self, counters_by_bot: Mapping[str, Counters]) -> None:
        """Update what is known about listed bots; many at once cost much less than one at a time."""
        self._counters_by_bot |= counters_by_bot
        self._update_ranks(counters_by_bot, self._rankings)

    def drop(self, bot_id: str) -> None:
        """Remove a bot that is no longer listed."""
        if self._counters_by_bot.pop(bot_id, None) is not None:
            self.change_count += 1
            self._expiry_times.pop(bot_id, None)
            for ranking in self._rankings.values():
                ranking.put(bot_id, None)

    def find_counters(self, bot_id: str) -> Counters | None:
        """Return what is known about a listed bot; None if it is not listed."""
        return self._counters_by_bot.get(bot_id)

    def value(self, bot_id: str, metric: str) -> int | None:
        """Return a bot's metric; None if it is unknown, or the bot is not listed."""
        return self._value(bot_id, metric) if bot_id in self._counters_by_bot else None

    def rank(self, bot_id: str, metric: str) -> int | None:
        """Return a bot's rank, from 1; None if it has no value."""
        return self._rankings[metric].rank(bot_id)

    def ranking(self, metric: str) -> MetricRanking:
        """Return the ranking by one metric."""
        return self._rankings[metric]

    def _value(self, bot_id: str, metric: str) -> int | None:
        value = self._counters_by_bot[bot_id].value_at(metric, self.now_ms)
        return self._default_value if value is None else value

    def _update_ranks(self, bot_ids: Collection[str], metrics: Collection[str]) -> None:
        """Update the ranks of listed bots by metrics that may have changed."""
        self.change_count += len(bot_ids)
        for metric in self._rankings.keys() & set(metrics):
            self._rankings[metric].put_all({bot_id: self._value(bot_id, metric) for bot_id in bot_ids})
        for bot_id in bot_ids:
            expiry_ms = self._counters_by_bot[bot_id].next_change_ms(self.now_ms)
            if expiry_ms is None:
                self._expiry_times.pop(bot_id, None)
            elif self._expiry_times.get(bot_id) != expiry_ms:
                self._expiry_times[bot_id] = expiry_ms
                heappush(self._expiry_queue, (expiry_ms, bot_id))
