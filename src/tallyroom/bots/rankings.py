"""Counters and ranks of all bots of a listing at one moment, which only advances (rules/statistics#month-end)."""

from collections.abc import Collection, Mapping
from heapq import heapify, heappop, heappush

from tallyroom.bots.counters import VOTE_METRICS, Counters
from tallyroom.bots.metric_ranking import MetricRanking


class BotRankings:
    """Values and ranks of listed bots at a moment; time alone can change them, because the votes of a month expire.

    A bot with an unknown metric has the `default_value`; None leaves it out of the ranks. All values and ranks stay the
    same until `change_count` changes.
    """

    def __init__(
        self,
        metrics: Collection[str],
        counters_by_bot_id: Mapping[str, Counters],
        moment_ms: int,
        default_value: int | None = None,
    ) -> None:
        self._default_value = default_value
        self.moment_ms = moment_ms
        self.change_count = 0
        self._counters_by_bot_id = dict(counters_by_bot_id)
        self._ranking_by_metric = {metric: self._build_ranking(metric) for metric in metrics}
        self._expiry_ms_by_bot_id = {
            bot_id: expiry_ms
            for bot_id, counters in counters_by_bot_id.items()
            if (expiry_ms := counters.next_change_ms(moment_ms))
        }
        self._expiry_queue = [(expiry_ms, bot_id) for bot_id, expiry_ms in self._expiry_ms_by_bot_id.items()]
        heapify(self._expiry_queue)

    def advance(self, moment_ms: int) -> None:
        """Advance to a moment; an earlier one changes nothing."""
        self.moment_ms = max(self.moment_ms, moment_ms)
        bot_ids: set[str] = set()
        while self._expiry_queue and self._expiry_queue[0][0] <= self.moment_ms:
            expiry_ms, bot_id = heappop(self._expiry_queue)
            if self._expiry_ms_by_bot_id.get(bot_id) == expiry_ms:
                bot_ids.add(bot_id)
        self._update_ranks(bot_ids, VOTE_METRICS)

    def put_counters(self, bot_id: str, counters: Counters) -> None:
        """Replace the counters of a listed bot."""
        self.put_all_counters({bot_id: counters})

    def put_all_counters(self, counters_by_bot_id: Mapping[str, Counters]) -> None:
        """Replace the counters of listed bots; many at once cost much less than one at a time."""
        self._counters_by_bot_id |= counters_by_bot_id
        self._update_ranks(counters_by_bot_id, self._ranking_by_metric)

    def drop_bot(self, bot_id: str) -> None:
        """Remove a bot that is no longer listed."""
        if self._counters_by_bot_id.pop(bot_id, None) is not None:
            self.change_count += 1
            self._expiry_ms_by_bot_id.pop(bot_id, None)
            for ranking in self._ranking_by_metric.values():
                ranking.put_value(bot_id, None)

    def find_counters(self, bot_id: str) -> Counters | None:
        """Return the counters of a listed bot; None if it is not listed."""
        return self._counters_by_bot_id.get(bot_id)

    def value(self, bot_id: str, metric: str) -> int | None:
        """Return a bot's metric; None if it is unknown, or the bot is not listed."""
        return self._value(bot_id, metric) if bot_id in self._counters_by_bot_id else None

    def rank(self, bot_id: str, metric: str) -> int | None:
        """Return a bot's rank, from 1; None if it has no value."""
        return self._ranking_by_metric[metric].rank(bot_id)

    def ranking(self, metric: str) -> MetricRanking:
        """Return the ranking by one metric."""
        return self._ranking_by_metric[metric]

    def _build_ranking(self, metric: str) -> MetricRanking:
        values = ((bot_id, self._value(bot_id, metric)) for bot_id in self._counters_by_bot_id)
        return MetricRanking({bot_id: value for bot_id, value in values if value is not None})

    def _value(self, bot_id: str, metric: str) -> int | None:
        value = self._counters_by_bot_id[bot_id].value_at(metric, self.moment_ms)
        return self._default_value if value is None else value

    def _update_ranks(self, bot_ids: Collection[str], metrics: Collection[str]) -> None:
        self.change_count += len(bot_ids)
        for metric in self._ranking_by_metric.keys() & set(metrics):
            self._ranking_by_metric[metric].put_values({bot_id: self._value(bot_id, metric) for bot_id in bot_ids})
        for bot_id in bot_ids:
            expiry_ms = self._counters_by_bot_id[bot_id].next_change_ms(self.moment_ms)
            if expiry_ms is None:
                self._expiry_ms_by_bot_id.pop(bot_id, None)
            elif self._expiry_ms_by_bot_id.get(bot_id) != expiry_ms:
                self._expiry_ms_by_bot_id[bot_id] = expiry_ms
                heappush(self._expiry_queue, (expiry_ms, bot_id))
