"""Everything that a kind knows when it makes its query plan. It is all settled here: nothing is looked up later."""

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
"""What to compare with: `previous` and true mean the window before, false means nothing."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a question except its config.

    Attributes:
        window: the time that it is about.
        now_ms: the time at which it is asked.
        time_range: what was asked for, which the window follows from.
        timezone: IANA name of the zone that defines days, weeks, months and the hours of heatmaps.
        has_fixed_timezone: whether this zone rules, even where the config names another.
        group_key: property key of the workspace's default group key; None if groups cannot be counted because no key
            is registered or the workspace is not on the paid plan.
        filters: those of the segment that the config names, of the dashboard, and of whoever asks; they apply in
            addition to the config's own.
        interval: the length of time buckets; None leaves it to the config.
        comparison: what to compare with; None leaves it to the config.
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
