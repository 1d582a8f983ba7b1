"""GET /compare/:ids and /compare/historical/:ids (rules/statistics#comparison)."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from litestar import Router, get
from litestar.params import FromPath, QueryParameter

from tallyroom.bots.counters import Metric
from tallyroom.bots.history import TimeFrame
from tallyroom.bots.statistics_api.bot_lookup import find_listed_bots, parse_compared_ids
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.statistics_api.history import HistoricalPoint, load_historical_points
from tallyroom.bots.statistics_api.records import BotRecord
from tallyroom.rest.injected import Injected


class CompactEntry(msgspec.Struct):
    """The few fields of a bot that a comparison needs."""

    id: str
    name: str
    avatar: str
    monthly_votes: int
    total_votes: int
    server_count: int
    review_count: int
    monthly_votes_rank: int
    server_count_rank: int
    total_votes_rank: int


class FullComparison(msgspec.Struct):
    """One whole record for each bot, in the order asked for."""

    data: list[BotRecord]


class CompactComparison(msgspec.Struct):
    """One compact entry for each bot, in the order asked for."""

    data: list[CompactEntry]


class BotHistory(msgspec.Struct):
    """The points of one bot, newest first."""

    id: str
    data: list[HistoricalPoint]


class KeyedHistories(msgspec.Struct):
    """The points of each bot by its id, newest first."""

    data: dict[str, list[HistoricalPoint]]


class ListedHistories(msgspec.Struct):
    """The points of each bot, in the order asked for."""

    data: list[BotHistory]


async def _compare_records(
    context: StatisticsContext, bot_ids: Sequence[str], shape: Literal["full", "compact"]
) -> FullComparison | CompactComparison:
    """Return the current bots in the requested order; raise `NotFound` if one of them is not in the listing."""
    records = await context.record_builder.get_records(context.listing, bot_ids, with_shards=True)
    if shape == "full":
        return FullComparison(records)
    return CompactComparison(
        [CompactEntry(*(getattr(record, name) for name in CompactEntry.__struct_fields__)) for record in records]
    )


async def _compare_histories(
    context: StatisticsContext,
    bot_ids: Sequence[str],
    metric: Metric,
    time_frame: TimeFrame,
    shape: Literal["keyed", "list"],
) -> KeyedHistories | ListedHistories:
    """Return a metric of bots over time, newest first; the same position means the same moment in every series.

    Raises `NotFound` if one of them is not in the listing.
    """
    bots = await find_listed_bots(context.database, context.listing, bot_ids)
    histories = await load_historical_points(context, bots, metric, time_frame)
    if shape == "keyed":
        return KeyedHistories(histories)
    return ListedHistories([BotHistory(bot_id, histories[bot_id]) for bot_id in bot_ids])


Shape = Annotated[
    Literal["full", "compact"], QueryParameter(name="shape", description="Whole records, or only what is compared.")
]
HistoryShape = Annotated[
    Literal["keyed", "list"], QueryParameter(name="shape", description="An object by bot id, or a list.")
]


@get("/{bot_ids:path}")
async def compare_bots(
    bot_ids: FromPath[str], context: Injected[StatisticsContext], shape: Shape = "full"
) -> FullComparison | CompactComparison:
    """Compare 2 to 10 bots as they are now; slashes separate their ids."""
    return await _compare_records(context, parse_compared_ids(bot_ids), shape)


@get("/historical/{bot_ids:path}")
async def compare_histories(
    bot_ids: FromPath[str],
    context: Injected[StatisticsContext],
    type_: Annotated[Metric, QueryParameter(name="type", description="The counter.")],
    time_frame: Annotated[TimeFrame, QueryParameter(name="timeFrame", description="How far back.")],
    shape: HistoryShape = "keyed",
) -> KeyedHistories | ListedHistories:
    """Compare a counter of 2 to 10 bots over time, newest first."""
    return await _compare_histories(context, parse_compared_ids(bot_ids), type_, time_frame, shape)


routes = Router(path="/compare", route_handlers=[compare_bots, compare_histories], tags=["statistics"])
