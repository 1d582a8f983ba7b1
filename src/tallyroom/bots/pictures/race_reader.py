"""The lines of a race between bots of a published listing (rules/pictures#race)."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.bots.counters import Metric
from tallyroom.bots.history import HistoryReader, TimeFrame
from tallyroom.bots.pictures.published_bots import find_published_bots
from tallyroom.bots.series import MetricPoint, TimeGrid
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.storage.metadata.connection import Database

RacePoints = dict[str, list[MetricPoint]]
"""The points of one metric of each bot by its id, in the requested order, each oldest first."""


class PublishedRace(NamedTuple):
    """Bots in the requested order, and their points, which begin with the first known counter of each."""

    name_by_id: dict[str, str]
    points_by_id: RacePoints
    metric: Metric
    grid: TimeGrid


class PublishedRaceReader:
    """Finds the points for pictures of races; with the `point_cache`, a popular README costs as much as one visitor."""

    def __init__(
        self, database: Database, history_reader: HistoryReader, point_cache: SharedAnswers[RacePoints]
    ) -> None:
        self._database = database
        self._history_reader = history_reader
        self._point_cache = point_cache

    async def get_race(self, slug: str, bot_ids: Sequence[str], metric: Metric, time_frame: TimeFrame) -> PublishedRace:
        """Return a race, up to half a minute old; raises `NotFound`, or `Unavailable` without the store."""
        listing, bots = await find_published_bots(self._database, slug, bot_ids)
        grid = self._history_reader.make_grid(time_frame)

        async def load_points() -> RacePoints:
            series = await self._history_reader.load_series(listing, bots, [metric], grid)
            return {bot.id: series[bot.id, metric] for bot in bots}

        key = (listing.workspace_id, tuple(bot_ids), metric, time_frame)
        points_by_id = await self._point_cache.get(key, load_points)
        return PublishedRace({bot.id: bot.name or bot.id for bot in bots}, points_by_id, metric, grid)
