"""The revision of the days of a scope: it stays the same as long as a question can see the same events on them.

It takes no read of events on a day on which no block of any scope has arrived (part_changes.py). On the others, the
scope's events are counted: events never change, so equal counts are the same events unless some were removed, and that
changes the version.
"""

import hashlib
import itertools
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from cachetools import LRUCache

from tallyroom.core.next_result import NextResult
from tallyroom.core.times import DAY_MS
from tallyroom.queries.kept_answers.part_changes import PartChanges, PartWatch
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.slices import build_time_sql
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

_MAX_REMEMBERED_SCOPES = 1_000  # several kilobytes each
_REVISION_BYTES = 16
_MAX_MISSES = 5  # then one of sixteen changes is counted


class Days(NamedTuple):
    """Days from one to another, both inclusive, as numbers of days since 1970-01-01 UTC."""

    first: int
    last: int

    @classmethod
    def of_window(cls, window: Window) -> "Days":
        """Return the days that a window touches."""
        return cls(max(window.from_ms, 0) // DAY_MS, max(window.until_ms, 0) // DAY_MS)

    def contains(self, other: "Days") -> bool:
        """Return whether all of the other days are among these."""
        return self.first <= other.first and other.last <= self.last

    def extend(self, other: "Days") -> "Days":
        """Return all days from the first to the last of both."""
        return Days(min(self.first, other.first), max(self.last, other.last))

    def select(self, days: Collection[int]) -> list[int]:
        """Return those of some days that are among these, in order."""
        day_range = range(self.first, self.last + 1)
        if len(day_range) < len(days):
            return [day for day in day_range if day in days]
        return sorted(day for day in days if day in day_range)


class _ChangedDay(NamedTuple):
    """A day of a scope on which blocks have arrived, up to some `change` of the parts.

    `number` stays the same as long as the count does; `event_count` is None if the events were not counted. The last
    `miss_count` counts were all different, so that counting paid for nothing; the events are not counted after each of
    the next `skip_count` changes.
    """

    number: int
    change: int
    event_count: int | None
    miss_count: int = 0
    skip_count: int = 0

    def take_for_granted(self, number: int, change: int) -> "_ChangedDay":
        """Return the day after a change at which it was not counted."""
        return _ChangedDay(number, change, None, self.miss_count, self.skip_count - 1)

    def recount(self, number: int, change: int, event_count: int) -> "_ChangedDay":
        """Return the day after a change at which it was counted; `number` is for other events."""
        if self.event_count is None:
            return _ChangedDay(number, change, event_count, self.miss_count)
        if self.event_count == event_count:
            return _ChangedDay(self.number, change, event_count)
        miss_count = min(self.miss_count + 1, _MAX_MISSES)
        return _ChangedDay(number, change, event_count, miss_count, 2**miss_count - 2)


_UNKNOWN_DAY = _ChangedDay(number=0, change=0, event_count=None)


class DayRevisions(NamedTuple):
    """What a scope had on some days when a question began; a day on which nothing has arrived has no entry.

    `part_changes` are those of the events of all scopes.
    """

    version: Hashable
    days: Days
    changed_days: Mapping[int, _ChangedDay]
    part_changes: PartChanges

    @property
    def stored_count(self) -> int:
        """The number of events of all scopes."""
        return self.part_changes.event_count

    def has_events(self, days: Days) -> bool:
        """Return whether some of the days may have events."""
        changed_days = [self.changed_days[day] for day in days.select(self.changed_days)]
        return len(changed_days) <= days.last - days.first or any(day.event_count != 0 for day in changed_days)

    def list_numbers(self, days: Days) -> dict[int, int]:
        """Return a number for each of some days on which something has arrived; it never recurs for other events."""
        return {day: self.changed_days[day].number for day in days.select(self.changed_days)}

    def revision_of(self, days: Days) -> bytes:
        """Return the revision of some of the days; it never recurs after a change of their events."""
        text = repr((self.version, self.list_numbers(days)))
        return hashlib.blake2b(text.encode(), digest_size=_REVISION_BYTES).digest()


class _RememberedScope(NamedTuple):
    version: Hashable
    changed_days: dict[int, _ChangedDay]


class _DayRow(msgspec.Struct):
    day: int
    event_count: int


class RevisionReader:
    """Reads revisions, at once for all questions of a scope that ask at the same time.

    `read_version` returns a value that never recurs after events were removed, shown again or lost, or are read in
    another way, by any worker.
    """

    def __init__(self, reader: EventReader, read_version: Callable[[], Hashable]) -> None:
        self._reader = reader
        self._read_version = read_version
        self._part_watch = PartWatch(reader)
        self._numbers = itertools.count(1)
        self._remembered_scopes: LRUCache[Scope, _RememberedScope] = LRUCache(_MAX_REMEMBERED_SCOPES)
        self._revisions_by_scope: dict[Scope, NextResult[Days, DayRevisions]] = {}

    async def read(self, scope: Scope, days: Days) -> DayRevisions:
        """Return the revisions of at least these days, read after this call began; raises as `EventReader` does."""
        revisions = self._revisions_by_scope.setdefault(
            scope, NextResult(lambda asked_days: self._read_days(scope, asked_days))
        )
        try:
            return await revisions.get(days)
        finally:
            if revisions.is_idle:
                self._revisions_by_scope.pop(scope, None)

    async def _read_days(self, scope: Scope, asked_days: Sequence[Days]) -> DayRevisions:
        days = asked_days[0]
        for other_days in asked_days[1:]:
            days = days.extend(other_days)
        version = self._read_version()  # before the events, so that what is removed meanwhile is in no later revision
        part_changes = await self._part_watch.read()
        changed_days = self._recall_scope(scope, version)
        days_to_count: list[int] = []
        for day in days.select(part_changes.last_by_day):
            changed_day = changed_days.get(day, _UNKNOWN_DAY)
            if changed_day.change >= part_changes.last_by_day[day]:
                continue
            if changed_day.skip_count:
                changed_days[day] = changed_day.take_for_granted(next(self._numbers), part_changes.last)
            else:
                days_to_count.append(day)
        if days_to_count:
            count_by_day = await self._count_events(scope, days_to_count)
            for day in days_to_count:
                changed_day, count = changed_days.get(day, _UNKNOWN_DAY), count_by_day.get(day, 0)
                changed_days[day] = changed_day.recount(next(self._numbers), part_changes.last, count)
        days_in_question = {day: changed_days[day] for day in days.select(changed_days)}
        return DayRevisions(version, days, days_in_question, part_changes)

    def _recall_scope(self, scope: Scope, version: Hashable) -> dict[int, _ChangedDay]:
        """Return what is known of the changed days of a scope; nothing if events were removed since."""
        remembered_scope = self._remembered_scopes.get(scope)
        if remembered_scope is None or remembered_scope.version != version:
            remembered_scope = self._remembered_scopes[scope] = _RememberedScope(version, {})
        return remembered_scope.changed_days

    async def _count_events(self, scope: Scope, days: Sequence[int]) -> dict[int, int]:
        parameters = QueryParameters()
        sql = f"""
SELECT toUInt32(toDate(timestamp)) AS day, count() AS event_count
FROM events
{scoped_where(build_time_sql(list(_join_days(days)), parameters))}
GROUP BY day"""
        day_rows = await self._reader.fetch_rows(sql.strip(), scope, parameters.values, _DayRow, parameters.span)
        return {row.day: row.event_count for row in day_rows}


def _join_days(days: Sequence[int]) -> Iterator[Window]:
    """Return the times of some days, in order, as few windows."""
    first_day = days[0]
    for day, next_day in zip(days, [*days[1:], None], strict=True):
        if next_day != day + 1:
            yield Window(first_day * DAY_MS, (day + 1) * DAY_MS - 1)
            first_day = next_day or 0
