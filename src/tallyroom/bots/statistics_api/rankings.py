"""GET /rankings/bots (rules/statistics#rankings)."""

from typing import Annotated, Literal, cast

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.params import QueryParameter
from msgspec import UNSET, UnsetType

from tallyroom.bots.counters import METRICS
from tallyroom.bots.directory import BotDirectory
from tallyroom.bots.statistics_api.bot_lookup import parse_limit, parse_offset
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.time_slices import iterate_in_slices
from tallyroom.rest.injected import Injected

_SLICE_SIZE = 25  # a millisecond's work


class RankingEntry(msgspec.Struct):
    """A bot with its ranks; a rank change is how many ranks it has climbed in 24 hours. `unreported` as in a record."""

    id: str
    name: str
    monthly_votes: int
    monthly_votes_rank: int
    server_count: int
    server_count_rank: int
    total_votes: int
    total_votes_rank: int
    review_count: int
    monthly_votes_rank_change: int
    server_count_rank_change: int
    total_votes_rank_change: int
    unreported: list[str] | UnsetType = UNSET


class Rankings(msgspec.Struct):
    """How many bots are ranked, and a page of them."""

    totalBotCount: int  # noqa: N815 # the published clients' name
    data: list[RankingEntry]


SortBy = Literal["monthly_votes_rank", "total_votes_rank", "server_count_rank", "review_count_rank"]
"""The last one exists because published clients ask for it (rules/statistics#clients)."""

SortMethod = Literal["asc", "desc"]


async def _get_encoded_page(
    context: StatisticsContext, limit: int, offset: int, sort_by: SortBy, sort_method: SortMethod
) -> bytes:
    """Return a page of listed bots by rank as JSON of `Rankings`, cached until it may have changed."""
    workspace_id = context.listing.workspace_id
    directory = await context.directory_cache.get_directory(workspace_id)
    page_key = (limit, offset, sort_by, sort_method, context.is_for_members)
    cache_key = ("rankings", workspace_id, page_key, directory.cache_key)
    body = context.answer_cache.get(cache_key)
    if body is None:
        rankings = await _build_rankings(directory, limit, offset, sort_by, sort_method)
        if context.is_for_members:
            _name_unreported(rankings, directory)
        body = context.answer_cache[cache_key] = msgspec.json.encode(rankings)
    return body


async def _build_rankings(
    directory: BotDirectory, limit: int, offset: int, sort_by: SortBy, sort_method: SortMethod
) -> Rankings:
    ranking = directory.current_rankings.ranking(sort_by.removesuffix("_rank"))
    bot_count, page_ids = len(ranking), ranking.list_page(offset, limit, is_descending=sort_method == "desc")
    entries = [
        _build_entry(directory, bot_id)
        async for bot_id in iterate_in_slices(page_ids, _SLICE_SIZE)
        if bot_id in directory.search_entries  # it may have been unlisted meanwhile
    ]
    return Rankings(bot_count, entries)


def _name_unreported(rankings: Rankings, directory: BotDirectory) -> None:
    """Add to each entry which of its counters were never sent."""
    moment_ms = directory.current_rankings.moment_ms
    for entry in rankings.data:
        counters = directory.current_rankings.find_counters(entry.id)
        entry.unreported = [*METRICS] if counters is None else counters.list_unknown(METRICS, moment_ms)


def _build_entry(directory: BotDirectory, bot_id: str) -> RankingEntry:
    rankings = directory.current_rankings
    return RankingEntry(
        id=bot_id,
        name=directory.search_entries[bot_id].name,
        monthly_votes=rankings.value(bot_id, "monthly_votes") or 0,
        monthly_votes_rank=directory.rank(bot_id, "monthly_votes"),
        server_count=rankings.value(bot_id, "server_count") or 0,
        server_count_rank=directory.rank(bot_id, "server_count"),
        total_votes=rankings.value(bot_id, "total_votes") or 0,
        total_votes_rank=directory.rank(bot_id, "total_votes"),
        review_count=rankings.value(bot_id, "review_count") or 0,
        monthly_votes_rank_change=directory.rank_change(bot_id, "monthly_votes"),
        server_count_rank_change=directory.rank_change(bot_id, "server_count"),
        total_votes_rank_change=directory.rank_change(bot_id, "total_votes"),
    )


DEFAULT_LIMIT = 100
MAX_LIMIT = 500


@get("/bots")
async def rank_bots(
    context: Injected[StatisticsContext],
    limit: Annotated[str | None, QueryParameter(name="limit", description="1 to 500; 100 by default.")] = None,
    offset: Annotated[str | None, QueryParameter(name="offset", description="At least 0; 0 by default.")] = None,
    sort_by: Annotated[
        SortBy, QueryParameter(name="sortBy", description="The rank to sort by.")
    ] = "monthly_votes_rank",
    sort_method: Annotated[
        SortMethod, QueryParameter(name="sortMethod", description="`asc` starts with rank 1.")
    ] = "asc",
) -> Response[Rankings]:
    """List all listed bots by one of their ranks."""
    max_entries = parse_limit(limit, default=DEFAULT_LIMIT, max_limit=MAX_LIMIT)
    page = await _get_encoded_page(context, max_entries, parse_offset(offset), sort_by, sort_method)
    return Response(cast("Rankings", page), media_type=MediaType.JSON)  # already encoded


routes = Router(path="/rankings", route_handlers=[rank_bots], tags=["statistics"])
