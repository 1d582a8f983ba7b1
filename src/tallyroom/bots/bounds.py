"""What a listing takes: how large its values are, and how much comes at once (rules/statistics#import)."""

from typing import Annotated, Final

from msgspec import Meta

MOST_COUNTED: Final = 2**53 - 1
"""The largest integer that every reader of JSON takes as it is."""

LAST_SHARD: Final = 100_000
"""The highest number of a shard."""

Count = Annotated[int, Meta(ge=0, le=MOST_COUNTED)]
Rating = Annotated[float, Meta(ge=0, le=1000)]

EARLIEST_MS: Final = 1_262_304_000_000
"""2010-01-01: nothing is told of bots before there were any."""

MOST_NAMED: Final = 100
"""Owners or tags of one bot."""

MOST_ROWS: Final = 5_000
"""Rows of one import."""

MOST_BYTES: Final = 8_000_000
"""Bytes of one import."""

MOST_ROW_BYTES: Final = 131_072
"""Bytes of one of its rows; what a row may say takes half of that."""
