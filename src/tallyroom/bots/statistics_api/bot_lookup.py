"""The bots in the path of a request."""

from collections.abc import Sequence

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.ids import is_id
from tallyroom.bots.repository import find_bots
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database

MAX_COMPARED = 10
MIN_COMPARED = 2

_COUNT_ERROR = f"must be {MIN_COMPARED} to {MAX_COMPARED} ids with slashes between them"


def parse_id(field: str, text: str) -> str:
    """Return the id, or raise `ValidationFailed` if it does not have the form of one."""
    if not is_id(text):
        raise ValidationFailed.at([field], "must be 17 to 19 digits")
    return text


def parse_compared_ids(ids_path: str) -> list[str]:
    """Return the ids of a comparison.

    Raises `ValidationFailed` if there are too few or too many, or one of them is not an id or is repeated.
    """
    bot_ids = [parse_id("ids", text) for text in ids_path.strip("/").split("/")]
    if not MIN_COMPARED <= len(bot_ids) <= MAX_COMPARED:
        raise ValidationFailed.at(["ids"], _COUNT_ERROR)
    if len(set(bot_ids)) < len(bot_ids):
        raise ValidationFailed.at(["ids"], "must be different ids")
    return bot_ids


async def find_listed_bot(database: Database, listing: ListingScope, bot_id: str) -> BotRow:
    """Return one bot, or raise `NotFound` if it is unknown or was taken off the list."""
    (bot,) = await find_listed_bots(database, listing, [bot_id])
    return bot


async def find_listed_bots(
    database: Database, listing: ListingScope, bot_ids: Sequence[str], *, include_unlisted: bool = False
) -> list[BotRow]:
    """Return bots in the order of their ids, or raise `NotFound` if one of them does not exist.

    `include_unlisted` also accepts bots that were taken off the list.
    """
    bots: list[BotRow] = []
    for bot in await find_bots(database, listing.workspace_id, bot_ids):
        if bot is None or (bot.unlisted and not include_unlisted):
            raise build_bot_not_found()
        bots.append(bot)
    return bots


def build_bot_not_found() -> NotFound:
    """Return the error for a bot that does not exist (rules/statistics#missing-bots)."""
    return NotFound("No bot exists with the id provided.")
