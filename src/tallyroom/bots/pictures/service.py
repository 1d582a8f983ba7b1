"""Histories of the bots of published listings, as graphs (rules/pictures#bot-pictures)."""

from typing import NamedTuple

from tallyroom.bots.counters import METRICS, Metric
from tallyroom.bots.gaps import Line
from tallyroom.bots.history import Histories, TimeFrame
from tallyroom.bots.repository import find_bots, find_published
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.images.messages import FeedMoments
from tallyroom.images.schemas import DataPoint
from tallyroom.storage.event_store.scope import Listing
from tallyroom.storage.metadata.connection import Database

_WORDS: dict[Metric, str] = {
    "monthly_votes": "Monthly votes",
    "total_votes": "Total votes",
    "server_count": "Servers",
    "review_count": "Reviews",
}


class PublishedBots:
    """Finds the data for pictures of bots.

    Args:
        database: has the listings and profiles.
        histories: finds the past values of metrics.
        answers: caches those for a moment, so that a picture in a popular README costs as much as for one visitor.
    """

    def __init__(self, database: Database, histories: Histories, answers: SharedAnswers[Line]) -> None:
        self._database = database
        self._histories = histories
        self._answers = answers

    async def history(self, slug: str, bot_id: str, metric: Metric, time_frame: TimeFrame) -> "PublishedHistory":
        """Return a metric of a bot, at most half a minute old.

        Raises:
            NotFound: no listing is published under the slug, or the bot is not in it or was taken off.
            Unavailable: the event store cannot answer now.
        """
        workspace_id = await find_published(self._database, slug)
        if workspace_id is None:
            raise NotFound("This public listing does not exist.")  # the same answer for a private listing
        (bot,) = await find_bots(self._database, workspace_id, [bot_id])
        if bot is None or bot.unlisted:
            raise NotFound("No bot exists with the id provided.")
        key = (workspace_id, bot_id, metric, time_frame)
        grid = self._histories.grid(time_frame)
        line = await self._answers.get(key, lambda: self._histories.line(Listing(workspace_id), bot, metric, grid))
        points = [DataPoint(_WORDS[metric], time_ms / 1000, value) for time_ms, value in line.points]
        return PublishedHistory(bot.name or bot.id, points, _feed_moments(line))


class PublishedHistory(NamedTuple):
    """The name of a bot, the points of one of its metrics, and the times at which it was fed."""

    name: str
    points: list[DataPoint]
    feed_moments: FeedMoments


def _feed_moments(line: Line) -> FeedMoments:
    time_range = None if line.time_range is None else (line.time_range[0] / 1000, line.time_range[1] / 1000)
    return FeedMoments([time_ms / 1000 for time_ms in line.starts], time_range)


def metric_of(segment: str) -> Metric:
    """Return the metric that the last segment of a path names before the suffix of the format.

    Raises:
        ValidationFailed: it names no metric, or an unknown format.
    """
    name, _, format_ = segment.partition(".")
    if name not in METRICS or format_ not in {"", "svg", "png"}:
        raise ValidationFailed.at(["metric"], f"must be {', '.join(METRICS[:-1])} or {METRICS[-1]}, with .svg or .png")
    return name
