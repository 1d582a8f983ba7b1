"""The limits of a listing: the range of its values, and the size of an import (rules/statistics#import)."""

from typing import Annotated, Final

from msgspec import Meta

MOST_COUNTED: Final = 2**53 - 1
"""The largest integer that every JSON reader reads exactly."""

LAST_SHARD: Final = 100_000
"""The highest shard number."""

Count = Annotated[int, Meta(ge=0, le=MOST_COUNTED)]
Rating = Annotated[float, Meta(ge=0, le=1000)]

EARLIEST_MS: Final = 1_262_304_000_000
"""2010-01-01: there were no bots before that."""

MOST_NAMED: Final = 100
"""Maximum number of owners, and of tags, of one bot."""

MOST_ROWS: Final = 5_000
"""Maximum number of rows in one import."""

MOST_BYTES: Final = 8_000_000
"""Maximum size of one import in bytes."""

MOST_ROW_BYTES: Final = 131_072
"""Maximum size of one row of an import in bytes; twice what the fields of a row can take up."""
