"""What the clocks of a time zone show, as SQL (rules/questions#time-zones).

The store has time zones of its own, and they may be older or newer than those of this process: where the two differ, an
event would be in a day that the chart does not have. So the store is told how far the clocks are ahead, and since when.
"""

from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from tallyroom.core.times import DAY_MS, moment
from tallyroom.engine.bound import Bound
from tallyroom.engine.window import instant

_MILLISECOND = timedelta(milliseconds=1)


def shown_ms(from_ms: int, until_ms: int, timezone: str, bound: Bound) -> str:
    """SQL of what the clocks of a zone show at an event's time, in milliseconds since they showed 1970-01-01T00:00.

    It is right for events from `from_ms` to `until_ms`, both inside.
    """
    (_, first), *changes = _ahead(from_ms, until_ms, ZoneInfo(timezone))
    ahead = bound.integer("ahead_ms", first)
    for since_ms, then in changes:
        ahead = f"if(timestamp >= {instant('since_ms', since_ms, bound)}, {bound.integer('ahead_ms', then)}, {ahead})"
    return f"(toUnixTimestamp64Milli(timestamp) + {ahead})"


def _ahead(from_ms: int, until_ms: int, zone: ZoneInfo) -> list[tuple[int, int]]:
    """Since when the clocks of a zone are how many milliseconds ahead of UTC; no zone sets them twice in a day."""
    found = [(from_ms, _ahead_at(from_ms, zone))]
    for early, late in pairwise([*range(from_ms, until_ms, DAY_MS), until_ms]):
        before, after = found[-1][1], _ahead_at(late, zone)
        if before != after:
            found.append((_last_of(before, early, late, zone) + 1, after))
    return found


def _ahead_at(ms: int, zone: ZoneInfo) -> int:
    return (moment(ms).astimezone(zone).utcoffset() or timedelta()) // _MILLISECOND


def _last_of(ahead_ms: int, early: int, late: int, zone: ZoneInfo) -> int:
    """The last millisecond at which the clocks are so far ahead, as they are at `early` and not any more at `late`."""
    while late - early > 1:
        middle = (early + late) // 2
        if _ahead_at(middle, zone) == ahead_ms:
            early = middle
        else:
            late = middle
    return early
