"""What a request names: bots in its path, and a page of a list (rules/statistics#pages)."""

from collections.abc import Sequence
from typing import Literal

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.ids import is_id
from tallyroom.bots.repository import find_bots
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.rest.parameters import parse_integer
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database

MIN_COMPARED, MAX_COMPARED = 2, 10
_MAX_OFFSET = 10**9 - 1


def parse_id(field: str, text: str) -> str:
    """Return the id, or raise `ValidationFailed` if it does not have the form of one."""
    if not is_id(text):
        raise ValidationFailed.at([field], "must be 17 to 19 digits")
    return text


def parse_compared_ids(text: str, separator: Literal["/", ","] = "/") -> list[str]:
    """Return the different IDs of a comparison, or raise `ValidationFailed`."""
    bot_ids = [parse_id("ids", id_text) for id_text in text.strip(separator).split(separator)]
    if not MIN_COMPARED <= len(bot_ids) <= MAX_COMPARED:
        separators = "slashes" if separator == "/" else "commas"
        raise ValidationFailed.at(["ids"], f"must be {MIN_COMPARED} to {MAX_COMPARED} IDs separated by {separators}")
    if len(set(bot_ids)) < len(bot_ids):
        raise ValidationFailed.at(["ids"], "must be different IDs")
    return bot_ids


async def find_listed_bot(database: Database, listing: ListingScope, bot_id: str) -> BotRow:
    """Return one bot, or raise `NotFound` if it is unknown or unlisted."""
    (bot,) = await find_listed_bots(database, listing, [bot_id])
    return bot


async def find_listed_bots(
    database: Database, listing: ListingScope, bot_ids: Sequence[str], *, include_unlisted: bool = False
) -> list[BotRow]:
    """Return bots in the order of their IDs, or raise `NotFound` if one does not exist or is not listed."""
    bots = await find_bots(database, listing.workspace_id, bot_ids)
    listed_bots = [bot for bot in bots if bot is not None and (include_unlisted or not bot.unlisted)]
    if len(listed_bots) < len(bots):
        raise build_bot_not_found()
    return listed_bots


def build_bot_not_found() -> NotFound:
    """Return the error for a bot that does not exist (rules/statistics#missing-bots)."""
    return NotFound("No bot exists with the ID provided.")


def parse_limit(text: str | None, *, default: int, max_limit: int) -> int:
    """Return the number of entries to send; raise `ValidationFailed` unless it is 1 to `max_limit` in ASCII digits."""
    return default if text is None else parse_integer("limit", text, 1, max_limit)


def parse_offset(text: str | None) -> int:
    """Return the number of entries to skip; raise `ValidationFailed` unless it is at least 0 in ASCII digits."""
    return 0 if text is None else parse_integer("offset", text, 0, _MAX_OFFSET)
