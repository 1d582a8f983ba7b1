"""The rules of comparisons (rules/statistics#comparison)."""

from collections.abc import Sequence
from typing import Literal

from tallyroom.bots.counters import Metric
from tallyroom.bots.history import TimeFrame
from tallyroom.statistics.bot_lookup import find_all
from tallyroom.statistics.compare.schemas import (
    BotHistory,
    CompactComparison,
    CompactEntry,
    FullComparison,
    KeyedHistories,
    ListedHistories,
)
from tallyroom.statistics.context import StatisticsContext
from tallyroom.statistics.history import historical_points


async def compare(
    context: StatisticsContext, bot_ids: Sequence[str], shape: Literal["full", "compact"]
) -> FullComparison | CompactComparison:
    """Bots as they stand, in the order asked for.

    Raises:
        NotFound: one of them is not in the listing.
    """
    found = await context.records.of(context.listing, bot_ids, shards=True)
    if shape == "full":
        return FullComparison(found)
    return CompactComparison(
        [CompactEntry(*(getattr(record, name) for name in CompactEntry.__struct_fields__)) for record in found]
    )


async def compare_histories(
    context: StatisticsContext,
    bot_ids: Sequence[str],
    metric: Metric,
    time_frame: TimeFrame,
    shape: Literal["keyed", "list"],
) -> KeyedHistories | ListedHistories:
    """A metric of bots over time, newest first; a position in one series is the same moment in all of them.

    Raises:
        NotFound: one of them is not in the listing.
    """
    bots = find_all(context.database, context.listing, bot_ids)
    found = await historical_points(context, bots, metric, time_frame)
    if shape == "keyed":
        return KeyedHistories(found)
    return ListedHistories([BotHistory(bot_id, found[bot_id]) for bot_id in bot_ids])
