"""Everything that a kind needs to build its query plan. It is complete: nothing is looked up later."""

from typing import Literal

import msgspec

from tallyroom.core.ranges import DEFAULT_RANGE, TimeRange
from tallyroom.queries.filters import Filter
from tallyroom.queries.window import Window

ChosenInterval = Literal["auto", "minute", "hour", "day", "week", "month"]
"""The length of time buckets; `auto` depends on the length of the window."""


class Shift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comparison with the same window so much earlier, by the calendar of the workspace's time zone."""

    shift: Literal["1d", "7d", "28d", "1mo", "1y"]


Comparison = bool | Literal["previous"] | Shift
"""What to compare with: `previous` and true mean the previous window, false means nothing."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a question except its config.

    Attributes:
        time_range: the requested time range, from which the window follows.
        timezone: IANA name of the zone that defines days, weeks, months and the hours of heatmaps.
        has_fixed_timezone: whether this zone overrides the config's.
        group_key: property key of the workspace's default group key; None if groups cannot be counted because no key is
            registered or the workspace is not on the paid plan.
        filters: the filters of the config's segment, the dashboard and the request, in addition to the config's own.
        interval: the length of time buckets; None uses the config's.
        comparison: what to compare with; None uses the config's.
    """

    window: Window
    now_ms: int
    time_range: TimeRange = DEFAULT_RANGE
    timezone: str = "UTC"
    has_fixed_timezone: bool = False
    group_key: str | None = None
    filters: tuple[Filter, ...] = ()
    interval: ChosenInterval | None = None
    comparison: Comparison | None = None
