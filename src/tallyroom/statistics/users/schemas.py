"""What is told of users."""

import msgspec

from tallyroom.statistics.records import BotRecord


class UsersBots(msgspec.Struct):
    """The bots of a user, by rank of monthly votes."""

    bots: list[BotRecord]
