"""The bots of a listing as they were a fixed time ago; that moment advances with the clock.

See rules/statistics#changes.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Collection, Mapping
from heapq import heapify, heappop, heappush
from operator import itemgetter

from tallyroom.bots.counters import Counters, HistoryMetrics, Metric, SentCounter, month_of
from tallyroom.bots.queries import BotVotes, ListingQueries
from tallyroom.bots.rankings import BotRankings
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.core.times import HOUR_MS
from tallyroom.storage.event_store.scope import Listing

LATE_MS = 23 * HOUR_MS
"""Data about a moment longer ago than this may change the past that ranks are compared with, a day ago."""

_RECENT_MS = 48 * HOUR_MS
_CHUNK_SIZE = 5_000
_AHEAD_MS = 60_000  # how far ahead is read at once
_MAX_LAG_MS = 1_800_000

BotChange = tuple[int, str, str | None, int]
"""The time, the bot, the metric that was sent (None for a vote), and its value."""


class PastRankings:
    """Everything that was known about listed bots at a moment in the past.

    It is read from the event store once, and after that one minute ahead at a time, so it is exact at every moment. A
    bot that was known by then has 0 for each metric that was unknown, as it does today.

    Args:
        queries: the event store.
        listing: the listing of the bots.
        ago_ms: how long ago the moment is.
        metrics: the metrics of interest, and whatever decides about their values.
        rank_metrics: the metrics among them that are ranked.
    """

    def __init__(
        self,
        queries: ListingQueries,
        listing: Listing,
        ago_ms: int,
        metrics: HistoryMetrics,
        rank_metrics: Collection[Metric] = (),
    ) -> None:
        self._queries = queries
        self._listing = listing
        self._ago_ms = ago_ms
        self._metrics = metrics
        self._rank_metrics = rank_metrics
        self._read_to_ms = 0
        self._upcoming_changes: deque[BotChange] = deque()
        self._upcoming_bots: list[tuple[int, str]] = []
        self.rankings = BotRankings(rank_metrics, {}, 0, default_value=0)

    async def read(self, now_ms: int, first_seen_ms: Mapping[str, int], current: BotRankings) -> None:
        """Read everything as it was `ago_ms` before `now_ms`.

        Args:
            now_ms: the moment from which the past is counted.
            first_seen_ms: the bots, and when each was first seen.
            current: what is known about them today, which for many bots is what was known then.
        """
        at_ms = now_ms - self._ago_ms
        counters = await self._read_all_counters(
            at_ms, {bot_id for bot_id, seen_ms in first_seen_ms.items() if seen_ms <= at_ms}, current
        )
        self.rankings = await asyncio.to_thread(BotRankings, self._rank_metrics, counters, at_ms, default_value=0)
        self._upcoming_bots = [(seen_ms, bot_id) for bot_id, seen_ms in first_seen_ms.items() if seen_ms > at_ms]
        heapify(self._upcoming_bots)
        self._upcoming_changes.clear()
        self._read_to_ms = at_ms

    def add_upcoming(self, bot_id: str, seen_ms: int) -> None:
        """Add a listed bot when the past reaches the moment at which it was first seen."""
        heappush(self._upcoming_bots, (seen_ms, bot_id))

    async def read_bots_again(self, bot_ids: Collection[str], first_seen_ms: Mapping[str, int]) -> None:
        """Read again what was known about some bots that got late data or have just been listed."""
        counters = await self._read_counters(self.rankings.now_ms, bot_ids)
        new_changes = await self._read_changes(self.rankings.now_ms, self._read_to_ms, bot_ids)
        reread_ids = set(bot_ids)
        other_changes = [change for change in self._upcoming_changes if change[1] not in reread_ids]
        self._upcoming_changes = deque(sorted(other_changes + new_changes, key=itemgetter(0)))
        for bot_id in bot_ids:
            seen_ms = first_seen_ms.get(bot_id)
            if seen_ms is not None and seen_ms <= self.rankings.now_ms:
                self.rankings.put(bot_id, counters.get(bot_id, Counters()))
                continue
            self.rankings.drop(bot_id)
            if seen_ms is not None:
                self.add_upcoming(bot_id, seen_ms)

    def is_read_until(self, now_ms: int) -> bool:
        """Return True if everything that `advance` to this moment needs has been read."""
        return now_ms - self._ago_ms <= self._read_to_ms

    def is_far_behind(self, now_ms: int) -> bool:
        """Return True if nobody has asked for so long that reading everything is faster than catching up."""
        return now_ms - self._ago_ms - self._read_to_ms > _MAX_LAG_MS

    async def read_ahead(self, now_ms: int) -> None:
        """Read what `advance` needs for this moment and for the minute after it."""
        if not self.is_read_until(now_ms):
            until_ms = now_ms - self._ago_ms + _AHEAD_MS
            self._upcoming_changes.extend(await self._read_changes(self._read_to_ms, until_ms, None))
            self._read_to_ms = until_ms

    def advance(self, now_ms: int, bot_ids: Collection[str]) -> None:
        """Advance to what was known `ago_ms` before `now_ms`."""
        at_ms = now_ms - self._ago_ms
        changed_counters: dict[str, Counters] = {}
        while self._upcoming_bots and self._upcoming_bots[0][0] <= at_ms:
            _, bot_id = heappop(self._upcoming_bots)
            if bot_id in bot_ids and self.rankings.find_counters(bot_id) is None:
                changed_counters[bot_id] = Counters()
        while self._upcoming_changes and self._upcoming_changes[0][0] <= at_ms:
            time_ms, bot_id, metric, value = self._upcoming_changes.popleft()
            if bot_id in bot_ids:
                counters = changed_counters.get(bot_id) or self.rankings.find_counters(bot_id) or Counters()
                if metric is None:
                    counters.add_votes(value, month_of(time_ms))
                else:
                    counters.apply_sent(metric, time_ms, value)
                changed_counters[bot_id] = counters
        self.rankings.put_all(changed_counters)
        self.rankings.advance(at_ms)

    async def _read_all_counters(
        self, at_ms: int, bot_ids: Collection[str], current: BotRankings
    ) -> dict[str, Counters]:
        """Return what `_read_counters` returns, for all bots at once.

        For most bots, current counters and the two days before that moment are enough; for the rest, their whole past
        is read.
        """
        past_counters = {bot_id: Counters() async for bot_id in iterate_in_slices(bot_ids)}
        async for row in self._queries.stream_recent_counters(self._listing, at_ms - _RECENT_MS, at_ms, self._metrics):
            if row.bot_id in past_counters:
                past_counters[row.bot_id].by_metric[row.metric] = SentCounter(row.time_ms, row.value)
        later_votes = {votes.bot_id: votes async for votes in self._queries.stream_votes_since(self._listing, at_ms)}
        unsure_ids: dict[str, None] = {}
        async for bot_id, counters in iterate_in_slices(past_counters.items()):
            current_counters = current.find_counters(bot_id) or Counters()
            for metric in self._metrics:
                counter = current_counters.by_metric.get(metric)
                if counter is not None and counter.time_ms <= at_ms:
                    counters.by_metric[metric] = counter
                elif counter is not None and metric not in counters.by_metric:
                    unsure_ids[bot_id] = None
            if current_counters.vote_count:
                bot_later_votes = later_votes.get(bot_id, BotVotes(bot_id, 0, 0))
                counters.vote_count = current_counters.vote_count - bot_later_votes.vote_count
                counters.month, counters.month_vote_count = month_of(at_ms), bot_later_votes.month_vote_count
        unsure_list = list(unsure_ids)
        for start in range(0, len(unsure_list), _CHUNK_SIZE):
            past_counters |= await self._read_counters(at_ms, unsure_list[start : start + _CHUNK_SIZE])
        return past_counters

    async def _read_counters(self, at_ms: int, bot_ids: Collection[str]) -> dict[str, Counters]:
        counters: defaultdict[str, Counters] = defaultdict(Counters)
        for row in await self._queries.read_counters_at(self._listing, at_ms, self._metrics, bot_ids):
            counters[row.bot_id].by_metric[row.metric] = SentCounter(row.time_ms, row.value)
        for votes in await self._queries.read_votes_at(self._listing, at_ms, bot_ids):
            bot_counters = counters[votes.bot_id]
            bot_counters.vote_count, bot_counters.month_vote_count, bot_counters.month = (
                votes.vote_count,
                votes.month_vote_count,
                month_of(at_ms),
            )
        return counters

    async def _read_changes(self, after_ms: int, until_ms: int, bot_ids: Collection[str] | None) -> list[BotChange]:
        """Return what happened after one moment and up to another, in the order of time."""
        counters = await self._queries.read_counters_between(self._listing, after_ms, until_ms, self._metrics, bot_ids)
        votes = await self._queries.read_votes_between(self._listing, after_ms, until_ms, bot_ids)
        changes: list[BotChange] = [(row.time_ms, row.bot_id, row.metric, row.value) for row in counters]
        changes += [(row.time_ms, row.bot_id, None, 1) for row in votes]
        return sorted(changes, key=itemgetter(0))
