"""GET /bots/:id, its history, recent data and leaderboard, below a platform or `/v1/statistics`."""

from typing import Annotated

from litestar import Router, get
from litestar.params import FromPath, QueryParameter

from tallyroom.bots.counters import Metric
from tallyroom.bots.history import TimeFrame
from tallyroom.bots.statistics_api.bot_lookup import parse_id, parse_limit, parse_offset
from tallyroom.bots.statistics_api.bots import service
from tallyroom.bots.statistics_api.bots.schemas import History, Leaderboard, LeaderboardPlace, Recent
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.statistics_api.records import BotRecord
from tallyroom.rest.injected import Injected

DEFAULT_LIMIT = 100
MAX_LIMIT = 500

MetricName = Annotated[Metric, QueryParameter(name="type", description="The counter.")]
Frame = Annotated[
    TimeFrame,
    QueryParameter(
        name="timeFrame", description="How far back to go: one point per hour up to 30d, one per day beyond that."
    ),
]
Unlisted = Annotated[bool, QueryParameter(name="unlisted", description="Also find an unlisted bot.")]
Reason = Annotated[
    str | None,
    QueryParameter(name="unlisted_reason", description="Find an unlisted bot only if it was unlisted for this reason."),
]
Limit = Annotated[str | None, QueryParameter(name="limit", description="1 to 500; 100 by default.")]
Offset = Annotated[str | None, QueryParameter(name="offset", description="At least 0; 0 by default.")]


@get("/{bot_id:str}")
async def show_bot(bot_id: FromPath[str], context: Injected[StatisticsContext]) -> BotRecord:
    """Return a bot: profile, counters, ranks and changes."""
    (record,) = await context.record_builder.get_records(
        context.listing, [parse_id("id", bot_id)], with_unreported=context.is_for_members
    )
    return record


@get("/{bot_id:str}/historical")
async def show_history(
    bot_id: FromPath[str],
    context: Injected[StatisticsContext],
    type_: MetricName,
    time_frame: Frame,
    unlisted: Unlisted = False,  # noqa: FBT002 # a query parameter
    unlisted_reason: Reason = None,
) -> History:
    """Return a counter of a bot over time, newest first."""
    return await service.get_history(
        context, parse_id("id", bot_id), type_, time_frame, include_unlisted=unlisted, unlisted_reason=unlisted_reason
    )


@get("/{bot_id:str}/recent")
async def show_recent(bot_id: FromPath[str], context: Injected[StatisticsContext]) -> Recent:
    """Return the last 30 hours and 30 days of a bot."""
    return await service.get_recent(context, parse_id("id", bot_id))


@get("/{bot_id:str}/leaderboard")
async def show_leaderboard(
    bot_id: FromPath[str],
    context: Injected[StatisticsContext],
    limit: Limit = None,
    offset: Offset = None,
) -> Leaderboard:
    """List the voters of a bot by the weight of their votes."""
    max_entries = parse_limit(limit, default=DEFAULT_LIMIT, max_limit=MAX_LIMIT)
    return await service.get_leaderboard(context, parse_id("id", bot_id), max_entries, parse_offset(offset))


@get("/{bot_id:str}/leaderboard/{user_id:str}")
async def show_leaderboard_place(
    bot_id: FromPath[str], user_id: FromPath[str], context: Injected[StatisticsContext]
) -> LeaderboardPlace:
    """Return one user's place among the voters of a bot."""
    return await service.get_leaderboard_place(context, parse_id("id", bot_id), parse_id("userId", user_id))


routes = Router(
    path="/bots",
    route_handlers=[show_bot, show_history, show_recent, show_leaderboard, show_leaderboard_place],
    tags=["statistics"],
)
