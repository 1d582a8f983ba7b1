"""The limits of a listing: the range of its values, and the size of an import (rules/statistics#import)."""

from typing import Annotated, Final

from msgspec import Meta

MAX_COUNT: Final = 2**53 - 1
"""The largest integer that every JSON reader reads exactly."""

MAX_SHARD_NUMBER: Final = 100_000
"""The highest shard number."""

Count = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
Rating = Annotated[float, Meta(ge=0, le=1000)]

MIN_TIME_MS: Final = 1_262_304_000_000
"""2010-01-01: there were no bots before that."""

MAX_OWNERS_OR_TAGS: Final = 100
"""Maximum number of owners, and of tags, of one bot."""

MAX_ROWS: Final = 5_000
"""Maximum number of rows in one import."""

MAX_IMPORT_BYTES: Final = 8_000_000
"""Maximum size of one import in bytes."""

MAX_IMPORT_ROW_BYTES: Final = 131_072
"""Maximum size of one row of an import in bytes; twice what the fields of a row can take up."""
