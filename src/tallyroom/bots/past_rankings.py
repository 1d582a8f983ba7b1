"""The bots of a listing as they were a fixed time ago, which advances with the clock (rules/statistics#changes)."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Collection, Mapping
from heapq import heapify, heappop, heappush
from operator import attrgetter
from typing import NamedTuple

from tallyroom.bots.counters import Counters, HistoryMetrics, Metric, SentCounter, month_of
from tallyroom.bots.queries import BotVoteCounts, ListingQueries
from tallyroom.bots.rankings import BotRankings
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.core.times import HOUR_MS
from tallyroom.storage.event_store.scope import ListingScope

LATE_AGE_MS = 23 * HOUR_MS
"""Data older than this may change the past that ranks are compared with, a day ago."""

_RECENT_MS = 48 * HOUR_MS
_CHUNK_SIZE = 5_000
_AHEAD_MS = 60_000  # read ahead this far at once
_MAX_LAG_MS = 1_800_000


class BotChange(NamedTuple):
    """A counter that was sent for a bot, or a vote, whose metric is None."""

    time_ms: int
    bot_id: str
    metric: str | None
    value: int


class PastRankings:
    """Everything that was known about listed bots `ago_ms` ago, read once, and then one minute ahead at a time.

    A bot that was known by then has 0 for each unknown metric. `metrics` includes everything that decides about the
    values of the `rank_metrics`.
    """

    def __init__(
        self,
        queries: ListingQueries,
        listing: ListingScope,
        ago_ms: int,
        metrics: HistoryMetrics,
        rank_metrics: Collection[Metric] = (),
    ) -> None:
        self._queries = queries
        self._listing = listing
        self._ago_ms = ago_ms
        self._metrics = metrics
        self._rank_metrics = rank_metrics
        self._read_until_ms = 0
        self._upcoming_changes: deque[BotChange] = deque()
        self._upcoming_bots: list[tuple[int, str]] = []
        self.rankings = BotRankings(rank_metrics, {}, 0, default_value=0)

    async def read_all(
        self, now_ms: int, first_seen_ms_by_bot_id: Mapping[str, int], current_rankings: BotRankings
    ) -> None:
        """Read everything as it was `ago_ms` before `now_ms`; for many bots, it equals the `current_rankings`."""
        moment_ms = now_ms - self._ago_ms
        seen_bot_ids = {bot_id for bot_id, seen_ms in first_seen_ms_by_bot_id.items() if seen_ms <= moment_ms}
        counters_by_bot_id = await self._read_all_counters(moment_ms, seen_bot_ids, current_rankings)
        self.rankings = await asyncio.to_thread(
            BotRankings, self._rank_metrics, counters_by_bot_id, moment_ms, default_value=0
        )
        self._upcoming_bots = [
            (seen_ms, bot_id) for bot_id, seen_ms in first_seen_ms_by_bot_id.items() if seen_ms > moment_ms
        ]
        heapify(self._upcoming_bots)
        self._upcoming_changes.clear()
        self._read_until_ms = moment_ms

    def add_upcoming_bot(self, bot_id: str, seen_ms: int) -> None:
        """Add a listed bot when the past reaches the moment at which it was first seen."""
        heappush(self._upcoming_bots, (seen_ms, bot_id))

    async def read_bots_again(self, bot_ids: Collection[str], first_seen_ms_by_bot_id: Mapping[str, int]) -> None:
        """Read some bots again that got late data or were just listed."""
        counters_by_bot_id = await self._read_counters(self.rankings.moment_ms, bot_ids)
        new_changes = await self._read_changes(self.rankings.moment_ms, self._read_until_ms, bot_ids)
        reread_bot_ids = set(bot_ids)
        other_changes = [change for change in self._upcoming_changes if change.bot_id not in reread_bot_ids]
        self._upcoming_changes = deque(sorted(other_changes + new_changes, key=attrgetter("time_ms")))
        for bot_id in bot_ids:
            seen_ms = first_seen_ms_by_bot_id.get(bot_id)
            if seen_ms is not None and seen_ms <= self.rankings.moment_ms:
                self.rankings.put_counters(bot_id, counters_by_bot_id.get(bot_id, Counters()))
                continue
            self.rankings.drop_bot(bot_id)
            if seen_ms is not None:
                self.add_upcoming_bot(bot_id, seen_ms)

    def is_read_until(self, now_ms: int) -> bool:
        """Return True if everything that `advance` to this moment needs has been read."""
        return now_ms - self._ago_ms <= self._read_until_ms

    def is_far_behind(self, now_ms: int) -> bool:
        """Return True if the last request was so long ago that reading everything is faster than catching up."""
        return now_ms - self._ago_ms - self._read_until_ms > _MAX_LAG_MS

    async def read_ahead(self, now_ms: int) -> None:
        """Read what `advance` needs for this moment and for the minute after it."""
        if not self.is_read_until(now_ms):
            until_ms = now_ms - self._ago_ms + _AHEAD_MS
            self._upcoming_changes.extend(await self._read_changes(self._read_until_ms, until_ms, None))
            self._read_until_ms = until_ms

    def advance(self, now_ms: int, listed_bot_ids: Collection[str]) -> None:
        """Advance to what was known `ago_ms` before `now_ms`."""
        moment_ms = now_ms - self._ago_ms
        changed_counters_by_bot_id: dict[str, Counters] = {}
        while self._upcoming_bots and self._upcoming_bots[0][0] <= moment_ms:
            _, bot_id = heappop(self._upcoming_bots)
            if bot_id in listed_bot_ids and self.rankings.find_counters(bot_id) is None:
                changed_counters_by_bot_id[bot_id] = Counters()
        while self._upcoming_changes and self._upcoming_changes[0].time_ms <= moment_ms:
            time_ms, bot_id, metric, value = self._upcoming_changes.popleft()
            if bot_id in listed_bot_ids:
                counters = changed_counters_by_bot_id.get(bot_id) or self.rankings.find_counters(bot_id) or Counters()
                if metric is None:
                    counters.add_votes(value, month_of(time_ms))
                else:
                    counters.apply_sent(metric, time_ms, value)
                changed_counters_by_bot_id[bot_id] = counters
        self.rankings.put_all_counters(changed_counters_by_bot_id)
        self.rankings.advance(moment_ms)

    async def _read_all_counters(
        self, moment_ms: int, bot_ids: Collection[str], current_rankings: BotRankings
    ) -> dict[str, Counters]:
        """Return what `_read_counters` returns, for all bots at once.

        For most bots, current counters and the two days before that moment are enough; the others need their whole
        past.
        """
        counters_by_bot_id = {bot_id: Counters() async for bot_id in iterate_in_slices(bot_ids)}
        async for row in self._queries.stream_recent_counters(
            self._listing, moment_ms - _RECENT_MS, moment_ms, self._metrics
        ):
            if row.bot_id in counters_by_bot_id:
                counters_by_bot_id[row.bot_id].sent_by_metric[row.metric] = SentCounter(row.time_ms, row.value)
        later_votes_by_bot_id = {
            votes.bot_id: votes async for votes in self._queries.stream_votes_since(self._listing, moment_ms)
        }
        unsure_ids: dict[str, None] = {}
        async for bot_id, counters in iterate_in_slices(counters_by_bot_id.items()):
            current_counters = current_rankings.find_counters(bot_id) or Counters()
            for metric in self._metrics:
                counter = current_counters.sent_by_metric.get(metric)
                if counter is not None and counter.time_ms <= moment_ms:
                    counters.sent_by_metric[metric] = counter
                elif counter is not None and metric not in counters.sent_by_metric:
                    unsure_ids[bot_id] = None
            if current_counters.vote_count:
                bot_later_votes = later_votes_by_bot_id.get(bot_id, BotVoteCounts(bot_id, 0, 0))
                counters.vote_count = current_counters.vote_count - bot_later_votes.vote_count
                counters.month, counters.month_vote_count = month_of(moment_ms), bot_later_votes.month_vote_count
        unsure_bot_ids = list(unsure_ids)
        for start in range(0, len(unsure_bot_ids), _CHUNK_SIZE):
            counters_by_bot_id |= await self._read_counters(moment_ms, unsure_bot_ids[start : start + _CHUNK_SIZE])
        return counters_by_bot_id

    async def _read_counters(self, moment_ms: int, bot_ids: Collection[str]) -> dict[str, Counters]:
        counters_by_bot_id: defaultdict[str, Counters] = defaultdict(Counters)
        for row in await self._queries.read_counters_at(self._listing, moment_ms, self._metrics, bot_ids):
            counters_by_bot_id[row.bot_id].sent_by_metric[row.metric] = SentCounter(row.time_ms, row.value)
        for votes in await self._queries.read_votes_at(self._listing, moment_ms, bot_ids):
            counters = counters_by_bot_id[votes.bot_id]
            counters.vote_count, counters.month_vote_count = votes.vote_count, votes.month_vote_count
            counters.month = month_of(moment_ms)
        return counters_by_bot_id

    async def _read_changes(self, after_ms: int, until_ms: int, bot_ids: Collection[str] | None) -> list[BotChange]:
        """Return the changes after one moment and up to another, ordered by time."""
        counters = await self._queries.read_counters_between(self._listing, after_ms, until_ms, self._metrics, bot_ids)
        votes = await self._queries.read_votes_between(self._listing, after_ms, until_ms, bot_ids)
        changes = [BotChange(row.time_ms, row.bot_id, row.metric, row.value) for row in counters]
        changes += [BotChange(row.time_ms, row.bot_id, None, 1) for row in votes]
        return sorted(changes, key=attrgetter("time_ms"))
