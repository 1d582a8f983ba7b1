"""Histories of the bots of published listings, as graphs (rules/pictures#bot-pictures)."""

from typing import NamedTuple

from tallyroom.bots.counters import METRICS, Metric
from tallyroom.bots.gaps import MetricLine
from tallyroom.bots.history import HistoryReader, TimeFrame
from tallyroom.bots.pictures.published_bots import find_published_bots
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.images.messages import FeedMoments
from tallyroom.images.schemas import DataPoint
from tallyroom.storage.metadata.connection import Database

METRIC_TITLES: dict[Metric, str] = {
    "monthly_votes": "Monthly votes",
    "total_votes": "Total votes",
    "server_count": "Servers",
    "review_count": "Reviews",
}


class PublishedBotReader:
    """Finds the data for pictures of bots; with the `line_cache`, a popular README costs as much as one visitor."""

    def __init__(
        self, database: Database, history_reader: HistoryReader, line_cache: SharedAnswers[MetricLine]
    ) -> None:
        self._database = database
        self._history_reader = history_reader
        self._line_cache = line_cache

    async def get_history(self, slug: str, bot_id: str, metric: Metric, time_frame: TimeFrame) -> "PublishedHistory":
        """Return a metric of a bot, up to half a minute old; raises `NotFound`, or `Unavailable` without the store."""
        listing, (bot,) = await find_published_bots(self._database, slug, [bot_id])
        key = (listing.workspace_id, bot_id, metric, time_frame)
        grid = self._history_reader.make_grid(time_frame)
        line = await self._line_cache.get(
            key, lambda: self._history_reader.load_metric_line(listing, bot, metric, grid)
        )
        points = [DataPoint(METRIC_TITLES[metric], time_ms / 1000, value) for time_ms, value in line.points]
        return PublishedHistory(bot.name or bot.id, points, _build_feed_moments(line))


class PublishedHistory(NamedTuple):
    """The name of a bot, the points of one of its metrics, and the times at which it was fed."""

    name: str
    points: list[DataPoint]
    feed_moments: FeedMoments


def _build_feed_moments(line: MetricLine) -> FeedMoments:
    time_range = None if line.time_range is None else (line.time_range[0] / 1000, line.time_range[1] / 1000)
    return FeedMoments([time_ms / 1000 for time_ms in line.restart_times_ms], time_range)


def parse_metric(path_segment: str) -> Metric:
    """Return the metric in the last segment of a path, or raise `ValidationFailed` for an unknown metric or format."""
    metric, _, suffix = path_segment.partition(".")
    if metric not in METRICS or suffix not in {"", "svg", "png"}:
        raise ValidationFailed.at(["metric"], f"must be {', '.join(METRICS[:-1])} or {METRICS[-1]}, with .svg or .png")
    return metric
