"""The queries of listings to the event store, apart from those of histories (history_queries.py)."""

from collections.abc import AsyncIterator, Collection, Sequence

import msgspec

from tallyroom.bots.counters import CounterKey, HistoryMetrics
from tallyroom.bots.ids import BotIds
from tallyroom.bots.packed_rows import stream_entries
from tallyroom.bots.votes import CountedVote, VoteHistory
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import ListingScope

_MOMENT_SQL = "fromUnixTimestamp64Milli({%s:Int64}, 'UTC')"
_BOTS_FILTER = "AND bot_id IN {bots:Array(String)}"
_METRICS_FILTER = "metric IN {metrics:Array(String)}"

_COUNTERS_AT = """
SELECT groupArray((bot_id, metric, toUnixTimestamp64Milli(newest.1), newest.3)) AS entries
FROM (
  SELECT bot_id, metric, max(last) AS newest
  FROM (
    SELECT bot_id, metric, last
    FROM bot_counters_daily WHERE {listing} AND %(metrics)s AND day < toDate(%(moment)s) %(bots)s
    UNION ALL
    SELECT bot_id, metric, (time, revision, value) AS last
    FROM bot_counters
    WHERE {listing} AND %(metrics)s AND time >= toStartOfDay(%(moment)s) AND time <= %(moment)s %(bots)s
  )
  GROUP BY bot_id, metric
)"""

_VOTES_AT = """
SELECT groupArray((bot_id, number, this_month)) AS entries
FROM (
  SELECT bot_id, count() AS number, countIf(time >= toStartOfMonth(%(moment)s)) AS this_month
  FROM bot_votes FINAL WHERE {listing} AND time <= %(moment)s %(bots)s
  GROUP BY bot_id
)"""

_COUNTERS_LATELY = """
SELECT groupArray((bot_id, metric, toUnixTimestamp64Milli(newest.1), newest.3)) AS entries
FROM (
  SELECT bot_id, metric, max((time, revision, value)) AS newest
  FROM bot_counters WHERE {listing} AND %(metrics)s AND time > %(after)s AND time <= %(moment)s
  GROUP BY bot_id, metric
)"""

_VOTES_SINCE = """
SELECT groupArray((bot_id, later, this_month)) AS entries
FROM (
  SELECT bot_id, countIf(time > %(moment)s) AS later, countIf(time <= %(moment)s) AS this_month
  FROM bot_votes FINAL WHERE {listing} AND time >= toStartOfMonth(%(moment)s)
  GROUP BY bot_id
)"""

_COUNTERS_BETWEEN = """
SELECT groupArray((bot_id, metric, toUnixTimestamp64Milli(time), value)) AS entries
FROM (
  SELECT bot_id, metric, time, value
  FROM bot_counters FINAL WHERE {listing} AND %(metrics)s AND time > %(after)s AND time <= %(moment)s %(bots)s
)"""

_COUNTERS_BY_KEYS = """
SELECT groupArray((bot_id, metric, toUnixTimestamp64Milli(time), value)) AS entries
FROM (
  SELECT bot_id, metric, time, value
  FROM bot_counters FINAL WHERE {listing} AND %(metrics)s AND time >= %(first)s AND time <= %(last)s %(bots)s
    AND toUnixTimestamp64Milli(time) IN {moments:Array(Int64)}
)"""

_VOTES_BETWEEN = """
SELECT groupArray((bot_id, toUnixTimestamp64Milli(time))) AS entries
FROM (
  SELECT bot_id, time
  FROM bot_votes FINAL WHERE {listing} AND time > %(after)s AND time <= %(moment)s %(bots)s
)"""

_VOTER_CASTS = """
SELECT bot_id, user_id, groupArray((toUnixTimestamp64Milli(time), vote_id)) AS casts
FROM bot_votes FINAL WHERE {listing} AND (bot_id, user_id) IN {voters:Array(Tuple(String, String))}
GROUP BY bot_id, user_id"""


class BotCounter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The value of a bot's counter, and the moment that it refers to."""

    bot_id: str
    metric: str
    time_ms: int
    value: int


class BotVoteCounts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The number of a bot's votes, and of those in the month of a moment."""

    bot_id: str
    vote_count: int
    month_vote_count: int


class BotVote(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A vote for a bot."""

    bot_id: str
    time_ms: int


class _VoterCasts(msgspec.Struct):
    bot_id: str
    user_id: str
    casts: list[tuple[int, str]]


class ListingQueries:
    """Queries about the bots of one workspace at a time; each method raises the errors of `reader.rows`."""

    def __init__(self, reader: EventReader) -> None:
        self._reader = reader

    async def read_counters_at(
        self, listing: ListingScope, at_ms: int, metrics: HistoryMetrics, bot_ids: BotIds
    ) -> list[BotCounter]:
        """Return the newest counter up to a moment, however old, for each of some bots and metrics."""
        parameters = {"at_ms": at_ms, "metrics": list(metrics), "bots": list(bot_ids)}
        sql = _render_query(_COUNTERS_AT, bot_ids, moment="at_ms")
        return [row async for row in stream_entries(self._reader, sql, listing, parameters, BotCounter)]

    def stream_recent_counters(
        self, listing: ListingScope, after_ms: int, at_ms: int, metrics: HistoryMetrics
    ) -> AsyncIterator[BotCounter]:
        """Yield the newest counter up to a moment of every bot and metric, if it is later than `after_ms`."""
        sql = _render_query(_COUNTERS_LATELY, None, after="after_ms", moment="at_ms")
        parameters = {"after_ms": after_ms, "at_ms": at_ms, "metrics": list(metrics)}
        return stream_entries(self._reader, sql, listing, parameters, BotCounter)

    def stream_votes_since(self, listing: ListingScope, at_ms: int) -> AsyncIterator[BotVoteCounts]:
        """Yield the number of each bot's votes after a moment, and up to that moment within its month."""
        sql = _render_query(_VOTES_SINCE, None, moment="at_ms")
        return stream_entries(self._reader, sql, listing, {"at_ms": at_ms}, BotVoteCounts)

    async def read_votes_at(self, listing: ListingScope, at_ms: int, bot_ids: BotIds) -> list[BotVoteCounts]:
        """Return the number of votes up to a moment, for each of some bots that had any."""
        sql = _render_query(_VOTES_AT, bot_ids, moment="at_ms")
        parameters = {"at_ms": at_ms, "bots": list(bot_ids)}
        return [row async for row in stream_entries(self._reader, sql, listing, parameters, BotVoteCounts)]

    async def read_counters_between(
        self, listing: ListingScope, after_ms: int, until_ms: int, metrics: HistoryMetrics, bot_ids: BotIds | None
    ) -> list[BotCounter]:
        """Return every counter with ``after_ms < time <= until_ms``, of `bot_ids`, or of all bots if None."""
        sql = _render_query(_COUNTERS_BETWEEN, bot_ids, after="after_ms", moment="until_ms")
        parameters = {"after_ms": after_ms, "until_ms": until_ms, "metrics": list(metrics)} | _bots_parameter(bot_ids)
        return [row async for row in stream_entries(self._reader, sql, listing, parameters, BotCounter)]

    async def read_counters_by_keys(self, listing: ListingScope, keys: Collection[CounterKey]) -> list[BotCounter]:
        """Return every counter in any combination of these bots, metrics and moments; `keys` must not be empty."""
        bot_ids, metrics, moments = (sorted(set(column)) for column in zip(*keys, strict=True))
        sql = _render_query(_COUNTERS_BY_KEYS, bot_ids, first="first_ms", last="last_ms")
        parameters = {"bots": bot_ids, "metrics": metrics, "moments": moments}
        parameters |= {"first_ms": moments[0], "last_ms": moments[-1]}
        return [row async for row in stream_entries(self._reader, sql, listing, parameters, BotCounter)]

    async def read_votes_between(
        self, listing: ListingScope, after_ms: int, until_ms: int, bot_ids: BotIds | None
    ) -> list[BotVote]:
        """Return every vote with ``after_ms < time <= until_ms``, of `bot_ids`, or of all bots if None."""
        sql = _render_query(_VOTES_BETWEEN, bot_ids, after="after_ms", moment="until_ms")
        parameters = {"after_ms": after_ms, "until_ms": until_ms} | _bots_parameter(bot_ids)
        return [row async for row in stream_entries(self._reader, sql, listing, parameters, BotVote)]

    async def read_vote_histories(
        self, listing: ListingScope, voters: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], VoteHistory]:
        """Return all votes of each (bot, user) pair that has any."""
        rows = await self._reader.fetch_rows(_VOTER_CASTS, listing, {"voters": list(voters)}, _VoterCasts)
        return {(row.bot_id, row.user_id): VoteHistory(CountedVote(*cast) for cast in row.casts) for row in rows}


def _bots_parameter(bot_ids: BotIds | None) -> dict[str, list[str]]:
    """Return the parameter of a query about some bots; a query about all bots has none."""
    return {} if bot_ids is None else {"bots": list(bot_ids)}


def _render_query(template: str, bot_ids: BotIds | None, **moment_parameters: str) -> str:
    """Return a query about some bots or all of them; `moment_parameters` names the parameters that are moments."""
    moment_sql = {name: _MOMENT_SQL % parameter for name, parameter in moment_parameters.items()}
    return template % {"bots": "" if bot_ids is None else _BOTS_FILTER, "metrics": _METRICS_FILTER, **moment_sql}
