"""PUT /bots/:id, POST its stats and votes, and POST /import, below a platform; POST /api/bots/stats for SDKs."""

from typing import Any

from litestar import Request, Router, post, put
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_stats_feeder, require_vote_sender
from tallyroom.auth.principals import StatsPrincipal
from tallyroom.bots.limits import MAX_IMPORT_BYTES
from tallyroom.bots.statistics_api.bot_lookup import parse_id
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.statistics_api.feed.schemas import (
    Imported,
    ImportRows,
    Posted,
    ProfileIn,
    SdkStatsIn,
    StatsIn,
    Voted,
)
from tallyroom.bots.statistics_api.feed.service import FeedService
from tallyroom.bots.statistics_api.records import BotRecord
from tallyroom.rest.bodies import BODY_TYPE_OPTION, check_json_headers, read_body
from tallyroom.rest.body_limits import DATA_BODY_BYTES
from tallyroom.rest.injected import Injected


@put("/bots/{bot_id:str}", guards=[require_stats_feeder])
async def merge_profile(
    bot_id: FromPath[str],
    data: JSONBody[ProfileIn],
    stats_principal: Injected[StatsPrincipal],
    feeding: Injected[FeedService],
    context: Injected[StatisticsContext],
) -> BotRecord:
    """Merge fields into a bot's profile: absent fields stay the same, and a new ID creates a bot."""
    await feeding.merge_profile(stats_principal, parse_id("id", bot_id), data)
    (record,) = await context.record_builder.get_records(context.listing, [bot_id], include_unlisted=True)
    return record


@post("/bots/{bot_id:str}/stats", guards=[require_stats_feeder], status_code=200)
async def post_stats(
    bot_id: FromPath[str],
    data: JSONBody[StatsIn],
    stats_principal: Injected[StatsPrincipal],
    feeding: Injected[FeedService],
) -> Posted:
    """Post counters of a bot, for now or for a moment in the past."""
    return await feeding.post_stats(stats_principal, parse_id("id", bot_id), data)


@post("/bots/{bot_id:str}/votes", guards=[require_vote_sender], status_code=200)
async def post_vote(
    bot_id: FromPath[str],
    data: JSONBody[dict[str, Any]],
    stats_principal: Injected[StatsPrincipal],
    feeding: Injected[FeedService],
) -> Voted:
    """Post a vote: `{"userId"}`, or the body of a bot list's webhook, unsigned or signed."""
    return await feeding.accept_vote(stats_principal, parse_id("id", bot_id), data)


@post(
    "/import",
    guards=[require_stats_feeder],
    status_code=200,
    request_max_body_size=MAX_IMPORT_BYTES,
    opt={BODY_TYPE_OPTION: ImportRows},
)
async def import_rows(
    request: Request[Any, Any, Any], stats_principal: Injected[StatsPrincipal], feeding: Injected[FeedService]
) -> Imported:
    """Import up to 5,000 rows of bots and votes, all of them or none; sending the same rows again changes nothing."""
    check_json_headers(request)
    return await feeding.import_rows(stats_principal, await read_body(request))


@post("/stats", guards=[require_stats_feeder], status_code=200)
async def post_own_sdk_stats(
    data: JSONBody[SdkStatsIn], stats_principal: Injected[StatsPrincipal], feeding: Injected[FeedService]
) -> Posted:
    """Post counters for the token's bot, in the format of bot list SDKs."""
    return await feeding.post_sdk_stats(stats_principal, None, data)


@post("/{bot_id:str}/stats", guards=[require_stats_feeder], status_code=200)
async def post_sdk_stats(
    bot_id: FromPath[str],
    data: JSONBody[SdkStatsIn],
    stats_principal: Injected[StatsPrincipal],
    feeding: Injected[FeedService],
) -> Posted:
    """Post counters for the bot in the path, in the format of bot list SDKs."""
    return await feeding.post_sdk_stats(stats_principal, parse_id("id", bot_id), data)


routes = Router(
    path="/",
    route_handlers=[merge_profile, post_stats, post_vote, import_rows],
    request_max_body_size=DATA_BODY_BYTES,
    tags=["statistics: feeding"],
)
sdk_routes = Router(
    path="/api/bots",
    route_handlers=[post_own_sdk_stats, post_sdk_stats],
    request_max_body_size=DATA_BODY_BYTES,
    tags=["statistics: feeding"],
)
