"""Histories as the Statistics API shows them: newest first, on the hour or at midnight UTC."""

from collections.abc import Sequence
from functools import lru_cache

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import Metric
from tallyroom.bots.history import TimeFrame
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.core.times import iso_ms

HistoricalPoint = dict[str, str | int]
"""`time`, the start of an hour or a day; `id`, the bot; and the metric at its end, or now, under the metric's name."""

_format_time = lru_cache(maxsize=20_000)(iso_ms)  # the same hours and days again and again


async def load_historical_points(
    context: StatisticsContext, bots: Sequence[BotRow], metric: Metric, time_frame: TimeFrame
) -> dict[str, list[HistoricalPoint]]:
    """Return the points of each bot, newest first."""
    history_reader = context.history_reader
    series = await history_reader.load_series(context.listing, bots, [metric], history_reader.make_grid(time_frame))
    return {
        bot.id: [
            {"time": _format_time(time_ms), "id": bot.id, metric: value}
            for time_ms, value in reversed(series.pop((bot.id, metric)))
        ]
        async for bot in iterate_in_slices(bots, slice_size=1)
    }
