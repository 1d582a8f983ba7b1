"""Everything that a kind needs to build its query plan. It is complete: nothing is looked up later."""

from typing import Literal

import msgspec

from tallyroom.core.ranges import DEFAULT_RANGE, TimeRange
from tallyroom.queries.filters import Filter
from tallyroom.queries.window import Window

ChosenInterval = Literal["auto", "minute", "hour", "day", "week", "month"]


class Shift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comparison with the same window this much earlier, by the calendar of the workspace's time zone."""

    shift: Literal["1d", "7d", "28d", "1mo", "1y"]


Comparison = bool | Literal["previous"] | Shift  # true means `previous`


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a question except its config; `interval` and `comparison` None use the config's.

    `timezone` is the IANA name of the zone that defines hours, days, weeks and months; with `has_fixed_timezone` it
    overrides the config's. `group_key` is the workspace's default group key; None if no key is
    registered or the workspace is not on the paid plan. `filters` apply in addition to the config's own. With
    `folds_series`, an answer over time has at most as many labels as a chart has colors.
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
    folds_series: bool = False
