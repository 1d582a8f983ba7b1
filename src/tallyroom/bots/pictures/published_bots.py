"""Finds the bots of a published listing (rules/pictures#public-listing)."""

from collections.abc import Sequence

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.repository import find_bots, find_published_workspace
from tallyroom.core.errors import NotFound
from tallyroom.storage.event_store.scope import ListingScope
from tallyroom.storage.metadata.connection import Database


async def find_published_bots(
    database: Database, slug: str, bot_ids: Sequence[str]
) -> tuple[ListingScope, list[BotRow]]:
    """Return a public listing and some of its bots; raise `NotFound` if it, or one of them, is not public."""
    workspace_id = await find_published_workspace(database, slug)
    if workspace_id is None:
        raise NotFound("This public listing does not exist.")  # the same answer for a private listing
    bots_or_none = await find_bots(database, workspace_id, bot_ids)
    bots = [bot for bot in bots_or_none if bot is not None and not bot.unlisted]
    if len(bots) < len(bot_ids):
        raise NotFound("No bot exists with the ID provided.")
    return ListingScope(workspace_id), bots
