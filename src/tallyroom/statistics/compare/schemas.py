"""What comparisons answer, each in two shapes (rules/statistics#comparison)."""

import msgspec

from tallyroom.statistics.history import HistoricalPoint
from tallyroom.statistics.records import BotRecord


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
