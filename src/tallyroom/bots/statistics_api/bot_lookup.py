"""The bots in the path of a request."""

from collections.abc import Sequence

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.ids import is_id
from tallyroom.bots.repository import find_bots
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.storage.event_store.scope import Listing
from tallyroom.storage.metadata.connection import Database

MOST_COMPARED = 10
LEAST_COMPARED = 2

_FEWEST_WORDS = f"must be {LEAST_COMPARED} to {MOST_COMPARED} ids with slashes between them"


def checked_id(name: str, text: str) -> str:
    """Return the id if it has the form of one.

    Raises:
        ValidationFailed: it does not.
    """
    if not is_id(text):
        raise ValidationFailed.at([name], "must be 17 to 19 digits")
    return text


def checked_ids(path: str) -> list[str]:
    """Return the ids of a comparison.

    Raises:
        ValidationFailed: there are too few or too many, one is not an id, or one appears twice.
    """
    ids = [checked_id("ids", text) for text in path.strip("/").split("/")]
    if not LEAST_COMPARED <= len(ids) <= MOST_COMPARED:
        raise ValidationFailed.at(["ids"], _FEWEST_WORDS)
    if len(set(ids)) < len(ids):
        raise ValidationFailed.at(["ids"], "must be different ids")
    return ids


async def find_listed(database: Database, listing: Listing, bot_id: str) -> BotRow:
    """Return one bot, as `find_all` does.

    Raises:
        NotFound: nobody has fed such a bot, or it was taken off the list.
    """
    (bot,) = await find_all(database, listing, [bot_id])
    return bot


async def find_all(
    database: Database, listing: Listing, bot_ids: Sequence[str], *, unlisted: bool = False
) -> list[BotRow]:
    """Return bots in the order of their ids; with `unlisted`, include bots that were taken off the list.

    Raises:
        NotFound: one of them does not exist.
    """
    bots: list[BotRow] = []
    for bot in await find_bots(database, listing.workspace_id, bot_ids):
        if bot is None or (bot.unlisted and not unlisted):
            raise no_such_bot()
        bots.append(bot)
    return bots


def no_such_bot() -> NotFound:
    """Return the refusal for a bot that does not exist (rules/statistics#missing-bots)."""
    return NotFound("No bot exists with the id provided.")
