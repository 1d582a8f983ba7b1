"""Histories of the bots of published listings, as graphs (contract 11)."""

from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.core.shared_answers import SharedAnswers
from tallyroom.db.connection import Database
from tallyroom.images.schemas import DataPoint
from tallyroom.listing.counters import METRICS, Metric
from tallyroom.listing.history import Histories, TimeFrame
from tallyroom.listing.repository import find_bots, find_published
from tallyroom.listing.rows import BotRow
from tallyroom.listing.series import Point
from tallyroom.store.scope import Listing

_WORDS: dict[Metric, str] = {
    "monthly_votes": "Monthly votes",
    "total_votes": "Total votes",
    "server_count": "Servers",
    "review_count": "Reviews",
}


class PublishedBots:
    """Finds what pictures of bots show.

    Args:
        database: listings and profiles.
        histories: what bots were.
        shared: keeps that for a moment: a picture in a popular README asks as one visitor does.
    """

    def __init__(self, database: Database, histories: Histories, shared: SharedAnswers[list[Point]]) -> None:
        self._database = database
        self._histories = histories
        self._shared = shared

    async def history(
        self, slug: str, bot_id: str, metric: Metric, time_frame: TimeFrame
    ) -> tuple[str, list[DataPoint]]:
        """The name of a bot and the points of a metric, at most half a minute old.

        Raises:
            NotFound: no listing is published under the slug, or the bot is not in it or was taken off.
            Unavailable: the event store cannot answer now.
        """
        workspace_id = find_published(self._database, slug)
        if workspace_id is None:
            raise NotFound("There is no such public listing.")  # the same for one that is private
        (bot,) = find_bots(self._database, workspace_id, [bot_id])
        if bot is None or bot.unlisted:
            raise NotFound("No bot exists with the id provided.")
        key = (workspace_id, bot_id, metric, time_frame)
        found = await self._shared.get(key, lambda: self._points(Listing(workspace_id), bot, metric, time_frame))
        return bot.name or bot.id, [DataPoint(_WORDS[metric], time_ms / 1000, value) for time_ms, value in found]

    async def _points(self, listing: Listing, bot: BotRow, metric: Metric, time_frame: TimeFrame) -> list[Point]:
        histories = self._histories
        return (await histories.series(listing, [bot], [metric], histories.grid(time_frame)))[bot.id, metric]


def metric_of(segment: str) -> Metric:
    """The metric that the last segment of a path names, in front of what it is drawn as.

    Raises:
        ValidationFailed: it names none, or another format.
    """
    name, _, format_ = segment.partition(".")
    if name not in METRICS or format_ not in {"", "svg", "png"}:
        raise ValidationFailed.at(["metric"], f"must be {', '.join(METRICS[:-1])} or {METRICS[-1]}, with .svg or .png")
    return name
