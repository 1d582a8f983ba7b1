"""What a kind may know when it makes its query plan, all of it settled: nothing is looked up after this."""

import msgspec

from tallyroom.engine.filters import Filter
from tallyroom.engine.window import Window


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a question but the config.

    Attributes:
        window: the range that is asked for.
        timezone: IANA name of the zone that rules days, weeks, months and heatmaps.
        group_key: property key of the workspace's default group key; None where groups are not counted: no key is
            registered, or the workspace is not a paid one.
        segment: filters of the segment that the config names, to be added to the config's own.
    """

    window: Window
    timezone: str = "UTC"
    group_key: str | None = None
    segment: tuple[Filter, ...] = ()
