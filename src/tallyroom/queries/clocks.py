"""SQL for the local time that an event's timestamp has in a time zone (rules/questions#time-zones).

The store's own time zone data may be older or newer than this process's, and events would fall into days that the chart
does not have. So each query passes the offsets from UTC to the store.
"""

from bisect import bisect_left, bisect_right
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tallyroom.core.times import DAY_MS, datetime_from_ms
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.window import timestamp_sql

_MAX_NESTED_CHANGES = 6
_TWO_WEEKS_MS = 14 * DAY_MS


class OffsetChange(NamedTuple):
    """A moment, and how many milliseconds a zone's clocks are ahead of UTC from that moment."""

    since_ms: int
    offset_ms: int


def local_ms_sql(from_ms: int, until_ms: int, timezone: str, parameters: QueryParameters) -> str:
    """Return SQL for the ms since 1970-01-01T00:00 local time, for events from `from_ms` to `until_ms`, inclusive."""
    first_change, *changes = find_offset_changes(from_ms, until_ms, timezone)
    if len(changes) > _MAX_NESTED_CHANGES:
        return _local_ms_lookup_sql([first_change, *changes], parameters)
    offset_sql = parameters.bind_integer("ahead_ms", first_change.offset_ms)
    for since_ms, offset_ms in changes:
        is_after_sql = f"timestamp >= {timestamp_sql('since_ms', since_ms, parameters)}"
        offset_sql = f"if({is_after_sql}, {parameters.bind_integer('ahead_ms', offset_ms)}, {offset_sql})"
    return f"(toUnixTimestamp64Milli(timestamp) + {offset_sql})"


def find_offset_changes(from_ms: int, until_ms: int, timezone: str) -> list[OffsetChange]:
    """Return the offset at `from_ms`, and each later one up to `until_ms` with the moment at which it begins."""
    years = range(datetime_from_ms(from_ms).year, datetime_from_ms(until_ms).year + 1)
    zone = ZoneInfo(timezone)
    changes = list(chain.from_iterable(_find_changes_in_year(year, zone) for year in years))
    next_index = bisect_right([change.since_ms for change in changes], from_ms)
    offset_ms = changes[next_index - 1].offset_ms if next_index else _offset_ms_at(from_ms, zone)
    return [
        OffsetChange(from_ms, offset_ms),
        *(change for change in changes[next_index:] if change.since_ms <= until_ms),
    ]


def _local_ms_lookup_sql(changes: list[OffsetChange], parameters: QueryParameters) -> str:
    """Return SQL whose cost does not depend on the number of clock changes."""
    starts_placeholder = parameters.bind_integers("since_ms", [change.since_ms for change in changes])
    offsets_placeholder = parameters.bind_integers("ahead_ms", [change.offset_ms for change in changes])
    utc_ms_sql = "toUnixTimestamp64Milli(timestamp)"
    start_sql = f"roundDown({utc_ms_sql}, {starts_placeholder})"
    return f"({utc_ms_sql} + transform({start_sql}, {starts_placeholder}, {offsets_placeholder}, toInt64(0)))"


@lru_cache(maxsize=4_096)
def _find_changes_in_year(year: int, zone: ZoneInfo) -> tuple[OffsetChange, ...]:
    """Return the changes of a UTC year; since 1970, no zone has changed twice within two weeks."""
    start_ms, end_ms = (round(datetime(utc_year, 1, 1, tzinfo=UTC).timestamp() * 1000) for utc_year in (year, year + 1))
    changes = []
    for early_ms, late_ms in pairwise([*range(start_ms - 1, end_ms - 1, _TWO_WEEKS_MS), end_ms - 1]):
        early_offset_ms, late_offset_ms = _offset_ms_at(early_ms, zone), _offset_ms_at(late_ms, zone)
        if early_offset_ms != late_offset_ms:
            changes.append(OffsetChange(_find_change_ms(early_offset_ms, early_ms, late_ms, zone), late_offset_ms))
    return tuple(changes)


def _offset_ms_at(ms: int, zone: ZoneInfo) -> int:
    return (datetime_from_ms(ms).astimezone(zone).utcoffset() or timedelta()) // timedelta(milliseconds=1)


def _find_change_ms(offset_ms: int, early_ms: int, late_ms: int, zone: ZoneInfo) -> int:
    """Find the first millisecond without this offset, which applies at `early_ms` but not at `late_ms`."""
    return early_ms + bisect_left(range(early_ms, late_ms), 1, key=lambda ms: _offset_ms_at(ms, zone) != offset_ms)
