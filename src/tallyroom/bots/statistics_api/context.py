"""Everything that the reading routes need, as one dependency, because each dependency costs the framework time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from cachetools import LRUCache
from litestar import Request

from tallyroom.auth.recheck import remembered_principal
from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import Metric
from tallyroom.bots.directory import DirectoryCache
from tallyroom.bots.history import HistoryReader, TimeFrame
from tallyroom.bots.statistics_api.records import BotRecordBuilder
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.core.times import iso_ms
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database

EncodedAnswerCache = LRUCache[object, bytes]
"""Encoded answers, keyed by their question and everything they depend on."""

MAX_CACHED_ANSWERS = 256

MEMBERS_PATH = "/v1/statistics"
"""Where members read the answers (rules/statistics#paths)."""

HistoricalPoint = dict[str, str | int]
"""`time`, the start of an hour or a day; `id`, the bot; and the metric at its end, or now, under the metric's name."""

_format_time = lru_cache(maxsize=20_000)(iso_ms)  # the same hours and days again and again


@dataclass
class StatisticsServices:
    """The services that answer any workspace's requests; the app keeps them at `app.state.statistics`."""

    database: Database
    directory_cache: DirectoryCache
    record_builder: BotRecordBuilder
    history_reader: HistoryReader
    answer_cache: EncodedAnswerCache = field(default_factory=lambda: LRUCache(MAX_CACHED_ANSWERS))


@dataclass(kw_only=True)
class StatisticsContext(StatisticsServices):
    """The listing of a request, and the services that answer it; members are told which counters were never sent."""

    listing: ListingScope
    is_for_members: bool

    async def load_historical_points(
        self, bots: Sequence[BotRow], metric: Metric, time_frame: TimeFrame
    ) -> dict[str, list[HistoricalPoint]]:
        """Return the points of each bot by its ID, newest first, on the hour or at midnight UTC."""
        grid = self.history_reader.make_grid(time_frame)
        series = await self.history_reader.load_series(self.listing, bots, [metric], grid)
        return {
            bot.id: [
                {"time": _format_time(time_ms), "id": bot.id, metric: value}
                for time_ms, value in reversed(series.pop((bot.id, metric)))
            ]
            async for bot in iterate_in_slices(bots, slice_size=1)
        }


async def provide_context(request: Request[Any, Any, Any]) -> StatisticsContext:
    """Provide the dependency `context`; a TypeError, a bug, means that the route's guard admits anyone."""
    principal = remembered_principal(request)
    if principal is None:
        raise TypeError(f"{request.url.path} needs a listing, but its guard admits anyone")
    services: StatisticsServices = request.app.state.statistics
    is_for_members = request.url.path.startswith(MEMBERS_PATH)
    return StatisticsContext(
        **vars(services), listing=ListingScope(principal.workspace_id), is_for_members=is_for_members
    )
