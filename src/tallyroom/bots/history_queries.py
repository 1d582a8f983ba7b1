"""The queries of bots' histories to the event store."""

from collections.abc import Sequence

import msgspec

from tallyroom.bots.counters import SOURCE_METRIC, VOTE_METRICS, HistoryMetric, Metric
from tallyroom.bots.ids import BotIds
from tallyroom.bots.series import MetricHistory, MetricPoint, TimeGrid
from tallyroom.core.times import DAY_MS
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import ListingScope

_FIRST_MOMENT = "fromUnixTimestamp64Milli({first_ms:Int64}, 'UTC')"

# Always reads all days: the last one before the first bucket gives its initial value, and finding it takes longer.
_DAILY_COUNTERS = """
SELECT %(keys)s groupArray(toUnixTimestamp64Milli(last.1)) AS times_ms, groupArray(last.3) AS counts
FROM bot_counters_daily FINAL WHERE {listing} AND %(bots)s AND %(metrics)s
%(grouping)s"""

_HOURLY_COUNTERS = """
SELECT %(keys)s groupArray(toUnixTimestamp64Milli(newest.1)) AS times_ms, groupArray(newest.3) AS counts
FROM (
  SELECT bot_id, metric, last AS newest
  FROM bot_counters_daily FINAL WHERE {listing} AND %(bots)s AND %(metrics)s AND day < toDate(%(first)s)
  UNION ALL
  SELECT bot_id, metric, max((time, revision, value)) AS newest
  FROM bot_counters WHERE {listing} AND %(bots)s AND %(metrics)s AND time >= toStartOfDay(%(first)s)
  GROUP BY bot_id, metric, toStartOfHour(time)
)
%(grouping)s"""

_VOTES_BY_BUCKET = """
SELECT bot_id, arraySort(groupArray((at, number))) AS votes
FROM (
  SELECT bot_id, count() AS number,
         1000 * toUnixTimestamp(if(
           time >= %(first)s, toDateTime(toStartOfHour(time), 'UTC'), toDateTime(toStartOfMonth(time), 'UTC')
         )) AS at
  FROM bot_votes FINAL WHERE {listing} AND %(bots)s
  GROUP BY bot_id, at
)
GROUP BY bot_id"""


class _CounterRow(msgspec.Struct):
    times_ms: list[int]  # in no order, like `counts`; the engine is slow at lists of pairs
    counts: list[int]
    bot_id: str = ""
    metric: HistoryMetric | None = None

    def list_points(self) -> list[MetricPoint]:
        """Return the moments and what was counted at each, in the order of time."""
        return sorted(zip(self.times_ms, self.counts, strict=True))


class _VotesRow(msgspec.Struct):
    bot_id: str
    votes: list[tuple[int, int]]


class HistoryQueries:
    """Queries about the past of a few bots; each method raises the errors of `reader.fetch_rows`."""

    def __init__(self, reader: EventReader) -> None:
        self._reader = reader

    async def read_metric_histories(
        self,
        listing: ListingScope,
        bot_ids: BotIds,
        metrics: Sequence[Metric],
        grid: TimeGrid,
        *,
        has_votes: bool,
        has_sources: bool,
    ) -> dict[tuple[str, Metric], MetricHistory]:
        """Return what happened to bots' metrics until the end of a grid of days, or of hours of a few months.

        `has_votes` and `has_sources` are false if no bot has ever had votes, or a chosen source of its counters.
        """
        vote_metrics = [metric for metric in metrics if metric in VOTE_METRICS]
        read_metrics: list[HistoryMetric] = [*metrics, SOURCE_METRIC] if vote_metrics and has_sources else [*metrics]
        points = await self._read_points(listing, bot_ids, read_metrics, grid)
        histories: dict[tuple[str, Metric], MetricHistory] = {
            (bot_id, metric): MetricHistory(counters=points.get((bot_id, metric), []))
            for bot_id in bot_ids
            for metric in metrics
        }
        for bot_id in bot_ids:
            for metric in vote_metrics:
                histories[bot_id, metric].sources = points.get((bot_id, SOURCE_METRIC), [])
        if has_votes and vote_metrics:
            sql = _VOTES_BY_BUCKET % {"bots": _match("bot_id", "bots", len(bot_ids)), "first": _FIRST_MOMENT}
            parameters = {"bots": list(bot_ids), "first_ms": grid.first_bucket_ms}
            for row in await self._reader.fetch_rows(sql, listing, parameters, _VotesRow):
                for metric in vote_metrics:
                    histories[row.bot_id, metric].votes = row.votes
        return histories

    async def _read_points(
        self, listing: ListingScope, bot_ids: BotIds, metrics: Sequence[HistoryMetric], grid: TimeGrid
    ) -> dict[tuple[str, HistoryMetric | None], list[MetricPoint]]:
        """Return what was sent for each bot and metric; one metric of one bot is read without naming it in the rows."""
        is_single = len(bot_ids) == len(metrics) == 1
        sql_parts = {
            "keys": "" if is_single else "bot_id, metric,",
            "bots": _match("bot_id", "bots", len(bot_ids)),
            "metrics": _match("metric", "metrics", len(metrics)),
            "first": _FIRST_MOMENT,
            "grouping": "" if is_single else "GROUP BY bot_id, metric",
        }
        sql = (_DAILY_COUNTERS if grid.step_ms == DAY_MS else _HOURLY_COUNTERS) % sql_parts
        parameters = {"bots": list(bot_ids), "metrics": list(metrics), "first_ms": grid.first_bucket_ms}
        rows = await self._reader.fetch_rows(sql, listing, parameters, _CounterRow)
        if is_single:
            (bot_id,), (metric,), (row,) = bot_ids, metrics, rows
            return {(bot_id, metric): row.list_points()}
        return {(row.bot_id, row.metric): row.list_points() for row in rows}


def _match(column: str, parameter: str, value_count: int) -> str:
    """Return the SQL that a column has one of the values of a list; a single value is found without a set."""
    values_sql = f"{{{parameter}:Array(String)}}"
    return f"{column} = {values_sql}[1]" if value_count == 1 else f"{column} IN {values_sql}"
