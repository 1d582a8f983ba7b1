"""GET /compare/:ids and /compare/historical/:ids (rules/statistics#comparison)."""

from typing import Annotated, Literal

import msgspec
from litestar import Router, get
from litestar.params import FromPath, QueryParameter
from msgspec import UNSET, UnsetType

from tallyroom.bots.counters import Metric
from tallyroom.bots.history import TimeFrame
from tallyroom.bots.statistics_api.bot_lookup import find_listed_bots, parse_compared_ids
from tallyroom.bots.statistics_api.context import HistoricalPoint, StatisticsContext
from tallyroom.bots.statistics_api.records import BotRecord
from tallyroom.rest.injected import Injected


class CompactEntry(msgspec.Struct):
    """The few fields of a bot that a comparison needs; `unreported` as in a record."""

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
    unreported: list[str] | UnsetType = UNSET


class FullComparison(msgspec.Struct):
    """One whole record for each bot, in the requested order."""

    data: list[BotRecord]


class CompactComparison(msgspec.Struct):
    """One compact entry for each bot, in the requested order."""

    data: list[CompactEntry]


class BotHistory(msgspec.Struct):
    """The points of one bot, newest first."""

    id: str
    data: list[HistoricalPoint]


class KeyedHistories(msgspec.Struct):
    """The points of each bot by its ID, newest first."""

    data: dict[str, list[HistoricalPoint]]


class ListedHistories(msgspec.Struct):
    """The points of each bot, in the requested order."""

    data: list[BotHistory]


Shape = Annotated[
    Literal["full", "compact"], QueryParameter(name="shape", description="Whole records, or only the compared fields.")
]
HistoryShape = Annotated[
    Literal["keyed", "list"], QueryParameter(name="shape", description="An object by bot ID, or a list.")
]


@get("/{bot_ids:path}")
async def compare_bots(
    bot_ids: FromPath[str], context: Injected[StatisticsContext], shape: Shape = "full"
) -> FullComparison | CompactComparison:
    """Compare the current data of 2 to 10 bots; separate their IDs with slashes."""
    is_full = shape == "full"
    records = await context.record_builder.get_records(
        context.listing, parse_compared_ids(bot_ids), with_shards=is_full, with_unreported=context.is_for_members
    )
    if is_full:
        return FullComparison(records)
    return CompactComparison([_shorten_record(record) for record in records])


def _shorten_record(record: BotRecord) -> CompactEntry:
    entry = CompactEntry(*(getattr(record, name) for name in CompactEntry.__struct_fields__))
    if entry.unreported is not UNSET:
        entry.unreported = [name for name in entry.unreported if name in CompactEntry.__struct_fields__]
    return entry


@get("/historical/{bot_ids:path}")
async def compare_histories(
    bot_ids: FromPath[str],
    context: Injected[StatisticsContext],
    type_: Annotated[Metric, QueryParameter(name="type", description="The counter.")],
    time_frame: Annotated[TimeFrame, QueryParameter(name="timeFrame", description="How far back to go.")],
    shape: HistoryShape = "keyed",
) -> KeyedHistories | ListedHistories:
    """Compare a counter of 2 to 10 bots over time, newest first."""
    bots = await find_listed_bots(context.database, context.listing, parse_compared_ids(bot_ids))
    histories = await context.load_historical_points(bots, type_, time_frame)
    if shape == "keyed":
        return KeyedHistories(histories)
    return ListedHistories([BotHistory(bot.id, histories[bot.id]) for bot in bots])


routes = Router(path="/compare", route_handlers=[compare_bots, compare_histories], tags=["statistics"])
