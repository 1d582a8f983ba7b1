"""What a search answers, as published clients read it."""

import msgspec

from tallyroom.statistics.records import BotRecord


class Results(msgspec.Struct):
    """How many bots match, and a page of them by rank of monthly votes."""

    total: int
    results: list[BotRecord]


class Found(msgspec.Struct):
    """The answer of a search."""

    data: Results
