"""GET /compare/:ids and /compare/historical/:ids."""

from typing import Annotated, Literal

from litestar import Router, get
from litestar.params import FromPath, QueryParameter

from tallyroom.bots.counters import Metric
from tallyroom.bots.history import TimeFrame
from tallyroom.rest.injected import Injected
from tallyroom.statistics.bot_lookup import checked_ids
from tallyroom.statistics.compare import service
from tallyroom.statistics.compare.schemas import CompactComparison, FullComparison, KeyedHistories, ListedHistories
from tallyroom.statistics.context import StatisticsContext

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
    """2 to 10 bots as they stand; their ids come with slashes between them."""
    return await service.compare(context, checked_ids(bot_ids), shape)


@get("/historical/{bot_ids:path}")
async def compare_histories(
    bot_ids: FromPath[str],
    context: Injected[StatisticsContext],
    type_: Annotated[Metric, QueryParameter(name="type", description="Which counter.")],
    time_frame: Annotated[TimeFrame, QueryParameter(name="timeFrame", description="How far back.")],
    shape: HistoryShape = "keyed",
) -> KeyedHistories | ListedHistories:
    """A counter of 2 to 10 bots over time, newest first."""
    return await service.compare_histories(context, checked_ids(bot_ids), type_, time_frame, shape)


routes = Router(path="/compare", route_handlers=[compare_bots, compare_histories], tags=["statistics"])
