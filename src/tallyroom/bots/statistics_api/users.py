"""GET /users/:id/bots."""

import msgspec
from litestar import Router, get
from litestar.params import FromPath

from tallyroom.bots.statistics_api.bot_lookup import parse_id
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.statistics_api.records import BotRecord
from tallyroom.core.errors import NotFound
from tallyroom.rest.injected import Injected


class UsersBots(msgspec.Struct):
    """The bots of a user, by rank of monthly votes."""

    bots: list[BotRecord]


@get("/{user_id:str}/bots")
async def show_users_bots(user_id: FromPath[str], context: Injected[StatisticsContext]) -> UsersBots:
    """List the bots that name a user as an owner. A bot that moved to a team may still name its former owner."""
    directory = await context.directory_cache.get_directory(context.listing.workspace_id)
    bot_ids = await directory.list_owned_bot_ids(parse_id("id", user_id))
    bots = await context.record_builder.get_listed_records(context.listing, bot_ids)
    if not bots:
        raise NotFound("The user does not exist, or no data exists for the id.")
    return UsersBots(bots)


routes = Router(path="/users", route_handlers=[show_users_bots], tags=["statistics"])
