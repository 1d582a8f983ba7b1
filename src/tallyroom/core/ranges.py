"""The time ranges that a question may name (rules/questions#window)."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from tallyroom.core.times import HOUR_MS

RollingRange = Literal["1h", "24h", "7d", "30d", "90d"]

CalendarRange = Literal["today", "yesterday", "wtd", "mtd", "ytd", "last_week", "last_month", "12mo", "all"]
"""A window in the calendar of the workspace's time zone; `all` begins with the first event."""

RangeName = Literal[RollingRange, CalendarRange]

NAME_BY_RANGE: Final[dict[RangeName, str]] = {
    "1h": "1 hour",
    "24h": "24 hours",
    "7d": "7 days",
    "30d": "30 days",
    "90d": "90 days",
    "today": "Today",
    "yesterday": "Yesterday",
    "wtd": "This week",
    "mtd": "This month",
    "ytd": "This year",
    "last_week": "Last week",
    "last_month": "Last month",
    "12mo": "12 months",
    "all": "All time",
}
"""The names of time ranges, in the order of menus; the web app reads them from the OpenAPI document."""

DEFAULT_RANGE: RollingRange = "7d"

RANGE_DURATION_MS: dict[str, int] = {
    "1h": HOUR_MS,
    "24h": 24 * HOUR_MS,
    "7d": 7 * 24 * HOUR_MS,
    "30d": 30 * 24 * HOUR_MS,
    "90d": 90 * 24 * HOUR_MS,
}


FIRST_MS, END_MS = 0, 4_102_444_800_000  # of event times: from 1970 to before 2100; ingest refuses future events
AskedMs = Annotated[int, Meta(ge=FIRST_MS, le=END_MS)]
"""The time of a question, in a cursor that a client may have forged."""


class FixedRange(msgspec.Struct, frozen=True):
    """A time range from one moment to another, in milliseconds since 1970-01-01 UTC; `to_ms` is no longer in it."""

    from_ms: int
    to_ms: int


TimeRange = RollingRange | CalendarRange | FixedRange
