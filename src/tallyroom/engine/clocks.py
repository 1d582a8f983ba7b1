"""SQL for the local time that an event's timestamp has in a time zone (rules/questions#time-zones).

The store ships its own time zone data, which may be older or newer than that of this process. Where the two differ, an
event would fall into a day that the chart does not have. So each query tells the store the offsets from UTC, and when
each one begins.
"""

from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from tallyroom.core.times import DAY_MS, moment
from tallyroom.engine.bound import Bound
from tallyroom.engine.window import instant

_MILLISECOND = timedelta(milliseconds=1)


def shown_ms(from_ms: int, until_ms: int, timezone: str, bound: Bound) -> str:
    """Return SQL for an event's local time in a zone, in milliseconds since 1970-01-01T00:00 local time.

    It is correct for events from `from_ms` to `until_ms`, both inclusive.
    """
    (_, first), *changes = _ahead(from_ms, until_ms, ZoneInfo(timezone))
    ahead = bound.integer("ahead_ms", first)
    for since_ms, then in changes:
        ahead = f"if(timestamp >= {instant('since_ms', since_ms, bound)}, {bound.integer('ahead_ms', then)}, {ahead})"
    return f"(toUnixTimestamp64Milli(timestamp) + {ahead})"


def _ahead(from_ms: int, until_ms: int, zone: ZoneInfo) -> list[tuple[int, int]]:
    """Return (since when, milliseconds ahead of UTC) for each offset in the span; no zone changes twice in a day."""
    found = [(from_ms, _ahead_at(from_ms, zone))]
    for early, late in pairwise([*range(from_ms, until_ms, DAY_MS), until_ms]):
        before, after = found[-1][1], _ahead_at(late, zone)
        if before != after:
            found.append((_last_of(before, early, late, zone) + 1, after))
    return found


def _ahead_at(ms: int, zone: ZoneInfo) -> int:
    return (moment(ms).astimezone(zone).utcoffset() or timedelta()) // _MILLISECOND


def _last_of(ahead_ms: int, early: int, late: int, zone: ZoneInfo) -> int:
    """Find the last millisecond with this offset, which applies at `early` and no longer at `late`."""
    while late - early > 1:
        middle = (early + late) // 2
        if _ahead_at(middle, zone) == ahead_ms:
            early = middle
        else:
            late = middle
    return early
