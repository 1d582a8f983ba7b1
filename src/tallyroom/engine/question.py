"""Everything that a kind knows when it makes its query plan. It is all settled here: nothing is looked up later."""

import msgspec

from tallyroom.engine.filters import Filter
from tallyroom.engine.window import Window


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a question except its config.

    Attributes:
        window: the requested range.
        timezone: IANA name of the zone that defines days, weeks, months and the hours of heatmaps.
        group_key: property key of the workspace's default group key; None if groups cannot be counted because no key
            is registered or the workspace is not on the paid plan.
        segment: filters of the segment that the config names; they apply in addition to the config's own.
    """

    window: Window
    timezone: str = "UTC"
    group_key: str | None = None
    segment: tuple[Filter, ...] = ()
