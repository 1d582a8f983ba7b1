"""Histories of bots' metrics over a time frame (rules/statistics#history)."""

from collections.abc import Sequence
from typing import Literal

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import Metric
from tallyroom.bots.gaps import MetricLine, build_line
from tallyroom.bots.history_queries import HistoryQueries
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.bots.series import MetricHistory, MetricPoint, TimeGrid, build_points
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.core.clock import Clock
from tallyroom.core.times import DAY_MS, HOUR_MS
from tallyroom.storage.event_store.scope import ListingScope

TimeFrame = Literal[
    "alltime", "5y", "3y", "1y", "270d", "180d", "90d", "30d", "7d", "3d", "1d", "12h", "6h", "12hr", "6hr"
]
"""The length of a series; the last two are what some clients send instead of `12h` and `6h`."""

_HOURS_BY_TIME_FRAME = {"6h": 6, "6hr": 6, "12h": 12, "12hr": 12, "1d": 24, "3d": 72, "7d": 168, "30d": 720}
_DAYS_BY_TIME_FRAME = {"90d": 90, "180d": 180, "270d": 270, "1y": 365, "3y": 1095, "5y": 1826}


class HistoryReader:
    """Finds the past values of bots' metrics. Reads wait for the `outbox`, so senders see what they have fed."""

    def __init__(self, queries: HistoryQueries, outbox: ListingOutbox, clock: Clock) -> None:
        self._queries = queries
        self._outbox = outbox
        self._clock = clock

    async def load_series(
        self, listing: ListingScope, bots: Sequence[BotRow], metrics: Sequence[Metric], grid: TimeGrid
    ) -> dict[tuple[str, Metric], list[MetricPoint]]:
        """Return the points of each bot and metric, oldest first."""
        history_by_bot_and_metric = await self._load_histories(listing, bots, metrics, grid)
        return {
            (bot_id, metric): build_points(history, metric, grid)
            async for (bot_id, metric), history in iterate_in_slices(history_by_bot_and_metric.items(), slice_size=1)
        }

    async def load_metric_line(self, listing: ListingScope, bot: BotRow, metric: Metric, grid: TimeGrid) -> MetricLine:
        """Return the line of a bot's metric for a picture."""
        history_by_bot_and_metric = await self._load_histories(listing, [bot], [metric], grid)
        return build_line(history_by_bot_and_metric[bot.id, metric], metric, grid)

    def now_ms(self) -> int:
        """Return the moment at which a series ends."""
        return self._clock.now_ms()

    def make_grid(self, time_frame: TimeFrame) -> TimeGrid:
        """Return the grid of a time frame: hours for up to 30 days, days for more."""
        if time_frame in _HOURS_BY_TIME_FRAME:
            return TimeGrid(HOUR_MS, _HOURS_BY_TIME_FRAME[time_frame], self.now_ms())
        return TimeGrid(DAY_MS, _DAYS_BY_TIME_FRAME.get(time_frame), self.now_ms())

    async def _load_histories(
        self, listing: ListingScope, bots: Sequence[BotRow], metrics: Sequence[Metric], grid: TimeGrid
    ) -> dict[tuple[str, Metric], MetricHistory]:
        await self._outbox.wait_before_read()
        return await self._queries.read_metric_histories(
            listing,
            [bot.id for bot in bots],
            metrics,
            grid,
            has_votes=any(bot.votes for bot in bots),
            has_sources=any(bot.counter_source is not None for bot in bots),
        )
