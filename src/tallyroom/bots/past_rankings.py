"""The bots of a listing as they were a fixed time ago; that moment advances with the clock.

See rules/statistics#changes.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush
from operator import itemgetter

from tallyroom.bots.counters import Counters, Metric, Recorded, SentCounter, month_of
from tallyroom.bots.queries import BotVotes, ListingQueries
from tallyroom.bots.rankings import BotRankings
from tallyroom.bots.time_slices import in_turns
from tallyroom.core.times import HOUR_MS
from tallyroom.storage.event_store.scope import Listing

LATE_MS = 23 * HOUR_MS
"""Data about a moment longer ago than this may change the past that ranks are compared with, a day ago."""

_LATELY_MS = 48 * HOUR_MS
_AT_ONCE = 5_000
_AHEAD_MS = 60_000  # how far ahead is read at once
_MAX_LAG_MS = 1_800_000

Happened = tuple[int, str, str | None, int]
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
        metrics: Sequence[Recorded],
        rank_metrics: Collection[Metric] = (),
    ) -> None:
        self._queries = queries
        self._listing = listing
        self._ago_ms = ago_ms
        self._metrics = metrics
        self._rank_metrics = rank_metrics
        self._read_to_ms = 0
        self._coming: deque[Happened] = deque()
        self._appearing: list[tuple[int, str]] = []
        self.rankings = BotRankings(rank_metrics, {}, 0, else_=0)

    async def read(self, now_ms: int, first_seen: Mapping[str, int], now: BotRankings) -> None:
        """Read everything as it was `ago_ms` before `now_ms`.

        Args:
            now_ms: the moment from which the past is counted.
            first_seen: the bots, and when each was first seen.
            now: what is known about them today, which for many bots is what was known then.
        """
        at_ms = now_ms - self._ago_ms
        counters = await self._known_then(
            at_ms, {bot_id for bot_id, seen_ms in first_seen.items() if seen_ms <= at_ms}, now
        )
        self.rankings = await asyncio.to_thread(BotRankings, self._rank_metrics, counters, at_ms, else_=0)
        self._appearing = [(seen_ms, bot_id) for bot_id, seen_ms in first_seen.items() if seen_ms > at_ms]
        heapify(self._appearing)
        self._coming.clear()
        self._read_to_ms = at_ms

    def expect(self, bot_id: str, seen_ms: int) -> None:
        """Add a listed bot when the past reaches the moment at which it was first seen."""
        heappush(self._appearing, (seen_ms, bot_id))

    async def read_again(self, bots: Collection[str], first_seen: Mapping[str, int]) -> None:
        """Read again what was known about some bots that got late data or have just been listed."""
        counters = await self._known_at(self.rankings.now_ms, bots)
        coming = await self._between(self.rankings.now_ms, self._read_to_ms, bots)
        again = set(bots)
        rest = [fact for fact in self._coming if fact[1] not in again]
        self._coming = deque(sorted(rest + coming, key=itemgetter(0)))
        for bot_id in bots:
            seen_ms = first_seen.get(bot_id)
            if seen_ms is not None and seen_ms <= self.rankings.now_ms:
                self.rankings.put(bot_id, counters.get(bot_id, Counters()))
                continue
            self.rankings.drop(bot_id)
            if seen_ms is not None:
                self.expect(bot_id, seen_ms)

    def reaches(self, now_ms: int) -> bool:
        """Return True if everything that `turn` to this moment needs has been read."""
        return now_ms - self._ago_ms <= self._read_to_ms

    def lags(self, now_ms: int) -> bool:
        """Return True if nobody has asked for so long that reading everything is faster than catching up."""
        return now_ms - self._ago_ms - self._read_to_ms > _MAX_LAG_MS

    async def read_ahead(self, now_ms: int) -> None:
        """Read what `turn` needs for this moment and for the minute after it."""
        if not self.reaches(now_ms):
            until_ms = now_ms - self._ago_ms + _AHEAD_MS
            self._coming.extend(await self._between(self._read_to_ms, until_ms, None))
            self._read_to_ms = until_ms

    def turn(self, now_ms: int, bots: Collection[str]) -> None:
        """Advance to what was known `ago_ms` before `now_ms`."""
        at_ms = now_ms - self._ago_ms
        changes: dict[str, Counters] = {}
        while self._appearing and self._appearing[0][0] <= at_ms:
            _, bot_id = heappop(self._appearing)
            if bot_id in bots and self.rankings.known(bot_id) is None:
                changes[bot_id] = Counters()
        while self._coming and self._coming[0][0] <= at_ms:
            time_ms, bot_id, metric, value = self._coming.popleft()
            if bot_id in bots:
                counters = changes.get(bot_id) or self.rankings.known(bot_id) or Counters()
                if metric is None:
                    counters.count_votes(value, month_of(time_ms))
                else:
                    counters.send(metric, time_ms, value)
                changes[bot_id] = counters
        self.rankings.put_all(changes)
        self.rankings.turn(at_ms)

    async def _known_then(self, at_ms: int, bots: Collection[str], now: BotRankings) -> dict[str, Counters]:
        """Return what `_known_at` returns, for all bots at once.

        For most bots, today's counters and the two days before that moment are enough; for the rest, their whole past
        is read.
        """
        then = {bot_id: Counters() async for bot_id in in_turns(bots)}
        async for row in self._queries.counters_lately(self._listing, at_ms - _LATELY_MS, at_ms, self._metrics):
            if row.bot_id in then:
                then[row.bot_id].by_metric[row.metric] = SentCounter(row.time_ms, row.value)
        since = {votes.bot_id: votes async for votes in self._queries.votes_since(self._listing, at_ms)}
        unsure: dict[str, None] = {}
        async for bot_id, counters in in_turns(then.items()):
            today = now.known(bot_id) or Counters()
            for metric in self._metrics:
                counter = today.by_metric.get(metric)
                if counter is not None and counter.time_ms <= at_ms:
                    counters.by_metric[metric] = counter
                elif counter is not None and metric not in counters.by_metric:
                    unsure[bot_id] = None
            if today.votes:
                later = since.get(bot_id, BotVotes(bot_id, 0, 0))
                counters.votes = today.votes - later.votes
                counters.month, counters.month_votes = month_of(at_ms), later.month_votes
        rest = list(unsure)
        for start in range(0, len(rest), _AT_ONCE):
            then |= await self._known_at(at_ms, rest[start : start + _AT_ONCE])
        return then

    async def _known_at(self, at_ms: int, bots: Collection[str]) -> dict[str, Counters]:
        counters: defaultdict[str, Counters] = defaultdict(Counters)
        for row in await self._queries.counters_at(self._listing, at_ms, self._metrics, bots):
            counters[row.bot_id].by_metric[row.metric] = SentCounter(row.time_ms, row.value)
        for votes in await self._queries.votes_at(self._listing, at_ms, bots):
            bot_counters = counters[votes.bot_id]
            bot_counters.votes, bot_counters.month_votes, bot_counters.month = (
                votes.votes,
                votes.month_votes,
                month_of(at_ms),
            )
        return counters

    async def _between(self, after_ms: int, until_ms: int, bots: Collection[str] | None) -> list[Happened]:
        """Return what happened after one moment and up to another, in the order of time."""
        counters = await self._queries.counters_between(self._listing, after_ms, until_ms, self._metrics, bots)
        votes = await self._queries.votes_between(self._listing, after_ms, until_ms, bots)
        facts: list[Happened] = [(row.time_ms, row.bot_id, row.metric, row.value) for row in counters]
        facts += [(row.time_ms, row.bot_id, None, 1) for row in votes]
        return sorted(facts, key=itemgetter(0))
