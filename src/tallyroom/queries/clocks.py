"""SQL for the local time that an event's timestamp has in a time zone (rules/questions#time-zones).

The store ships its own time zone data, which may be older or newer than that of this process. Where the two differ, an
event would fall into a day that the chart does not have. So each query tells the store the offsets from UTC, and when
each one begins.
"""

from bisect import bisect_right
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tallyroom.core.times import DAY_MS, moment
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.window import instant

_MILLISECOND = timedelta(milliseconds=1)
_MANY = 6
_TWO_WEEKS_MS = 14 * DAY_MS


class OffsetChange(NamedTuple):
    """A moment, and how many milliseconds the clocks of a zone are ahead of UTC from then on."""

    since_ms: int
    ahead_ms: int


def shown_ms(from_ms: int, until_ms: int, timezone: str, bound: Bound) -> str:
    """Return SQL for an event's local time in a zone, in milliseconds since 1970-01-01T00:00 local time.

    It is correct for events from `from_ms` to `until_ms`, both inclusive.
    """
    first, *changes = offset_changes(from_ms, until_ms, timezone)
    if len(changes) > _MANY:
        return _looked_up([first, *changes], bound)
    ahead = bound.integer("ahead_ms", first.ahead_ms)
    for since_ms, then in changes:
        ahead = f"if(timestamp >= {instant('since_ms', since_ms, bound)}, {bound.integer('ahead_ms', then)}, {ahead})"
    return f"(toUnixTimestamp64Milli(timestamp) + {ahead})"


def offset_changes(from_ms: int, until_ms: int, timezone: str) -> list[OffsetChange]:
    """Return the offset at `from_ms`, and each later one up to `until_ms` with the moment at which it begins."""
    years = range(moment(from_ms).year, moment(until_ms).year + 1)
    zone = ZoneInfo(timezone)
    changes = list(chain.from_iterable(_changes_in(year, zone) for year in years))
    next_index = bisect_right([change.since_ms for change in changes], from_ms)
    ahead_ms = changes[next_index - 1].ahead_ms if next_index else _ahead_at(from_ms, zone)
    return [
        OffsetChange(from_ms, ahead_ms),
        *(change for change in changes[next_index:] if change.since_ms <= until_ms),
    ]


def _looked_up(changes: list[OffsetChange], bound: Bound) -> str:
    """Return SQL for a local time that costs the same however often the clocks changed."""
    since = bound.integers("since_ms", [change.since_ms for change in changes])
    ahead = bound.integers("ahead_ms", [change.ahead_ms for change in changes])
    at = "toUnixTimestamp64Milli(timestamp)"
    return f"({at} + transform(roundDown({at}, {since}), {since}, {ahead}, toInt64(0)))"


@lru_cache(maxsize=4_096)
def _changes_in(year: int, zone: ZoneInfo) -> tuple[OffsetChange, ...]:
    """Return the changes of a UTC year; since 1970, no zone has changed twice within two weeks."""
    first, end = (_year_ms(utc_year) for utc_year in (year, year + 1))
    changes = []
    for early, late in pairwise([*range(first - 1, end - 1, _TWO_WEEKS_MS), end - 1]):
        before, after = _ahead_at(early, zone), _ahead_at(late, zone)
        if before != after:
            changes.append(OffsetChange(_last_of(before, early, late, zone) + 1, after))
    return tuple(changes)


def _year_ms(year: int) -> int:
    return round(datetime(year, 1, 1, tzinfo=UTC).timestamp() * 1000)


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
