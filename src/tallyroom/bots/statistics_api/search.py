"""GET /search by name, and /tags and /users/:id/bots below a platform (rules/statistics#search)."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter

from tallyroom.bots.statistics_api.bot_lookup import parse_id, parse_limit, parse_offset
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.statistics_api.records import BotRecord
from tallyroom.core.errors import NotFound
from tallyroom.rest.injected import Injected


class Results(msgspec.Struct):
    """The number of bots that match, and a page of them by rank of monthly votes."""

    total: int
    results: list[BotRecord]


class Found(msgspec.Struct):
    """The answer of a search."""

    data: Results


MAX_BY_NAME = 100
MAX_BY_TAG = 50

Query = Annotated[
    str, QueryParameter(name="query", min_length=1, max_length=100, description="The text to search for.")
]
Offset = Annotated[str | None, QueryParameter(name="offset", description="At least 0; 0 by default.")]
Deleted = Annotated[bool, QueryParameter(name="includeDeleted", description="Also find deleted bots.")]


@get("/search", tags=["statistics"])
async def search_bots(
    context: Injected[StatisticsContext],
    query_: Query,
    limit: Annotated[str | None, QueryParameter(name="limit", description="1 to 100; 100 by default.")] = None,
    offset: Offset = None,
    include_deleted: Deleted = False,  # noqa: FBT002 # a query parameter
) -> Found:
    """Find bots whose name contains the text, ignoring case."""
    directory = await context.directory_cache.get_directory(context.listing.workspace_id)
    bot_ids = await directory.search_names(query_, include_deleted=include_deleted)
    return await _build_page(context, bot_ids, limit, MAX_BY_NAME, offset)


@get("/tags", tags=["statistics"])
async def search_tags(
    context: Injected[StatisticsContext],
    query_: Query,
    limit: Annotated[str | None, QueryParameter(name="limit", description="1 to 50; 50 by default.")] = None,
    offset: Offset = None,
    include_deleted: Deleted = False,  # noqa: FBT002 # a query parameter
) -> Found:
    """Find bots with the tag, ignoring case."""
    directory = await context.directory_cache.get_directory(context.listing.workspace_id)
    bot_ids = await directory.search_tags(query_, include_deleted=include_deleted)
    return await _build_page(context, bot_ids, limit, MAX_BY_TAG, offset)


class UsersBots(msgspec.Struct):
    """The bots of a user, by rank of monthly votes."""

    bots: list[BotRecord]


@get("/users/{user_id:str}/bots", tags=["statistics"])
async def show_users_bots(user_id: FromPath[str], context: Injected[StatisticsContext]) -> UsersBots:
    """List the bots that name a user as an owner. A bot that moved to a team may still name its former owner."""
    directory = await context.directory_cache.get_directory(context.listing.workspace_id)
    bot_ids = await directory.list_owned_bot_ids(parse_id("id", user_id))
    bots = await context.record_builder.get_listed_records(
        context.listing, bot_ids, with_unreported=context.is_for_members
    )
    if not bots:
        raise NotFound("The user does not exist, or no data exists for the ID.")
    return UsersBots(bots)


async def _build_page(
    context: StatisticsContext, matching_ids: list[str], limit: str | None, max_limit: int, offset: str | None
) -> Found:
    max_entries, start = parse_limit(limit, default=max_limit, max_limit=max_limit), parse_offset(offset)
    page_ids = matching_ids[start : start + max_entries]
    records = await context.record_builder.get_listed_records(
        context.listing, page_ids, with_unreported=context.is_for_members
    )
    return Found(Results(len(matching_ids), records))
