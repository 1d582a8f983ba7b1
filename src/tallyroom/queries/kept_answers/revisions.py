"""The revision of the days of a scope: it stays the same as long as a question can see the same events on them.

Events never change. So the events of a UTC day are known by their number and a sum of hashes of their times, as long
as none was removed or shown again. Reading these takes a pass over the times of the events; they are remembered until a
block is inserted into the month.
"""

import hashlib
from calendar import monthrange
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

import msgspec
from cachetools import LRUCache

from tallyroom.core.times import DAY_MS
from tallyroom.queries.kept_answers.shared_result import NextResult
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.window import Window, time_condition
from tallyroom.storage.event_store.month_marks import MonthMark
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

_MAX_REMEMBERED_MONTHS = 1_000  # several kilobytes each
_REVISION_BYTES = 16
_EPOCH_DAY = date(1970, 1, 1).toordinal()

_EventsOfDay = tuple[int, int]
"""The number of events of a day, and the sum of the hashes of their times."""


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

    def select(self, events_by_day: Mapping[int, _EventsOfDay]) -> dict[int, _EventsOfDay]:
        """Return the entries of these days."""
        return {day: events for day, events in events_by_day.items() if self.first <= day <= self.last}


class DayRevisions(NamedTuple):
    """What a scope had on some days when a question began; days without events have no entry."""

    version: Hashable
    days: Days
    events_by_day: Mapping[int, _EventsOfDay]

    def has_events(self, days: Days) -> bool:
        """Return whether some of the days may have events; True for days that were not read."""
        return not self.days.contains(days) or bool(days.select(self.events_by_day))

    def revision_of(self, days: Days) -> bytes:
        """Return the revision of some of the days; it never recurs after a change of their events."""
        day_range = range(days.first, days.last + 1)
        if len(day_range) > len(self.events_by_day):
            events = sorted(days.select(self.events_by_day).items())
        else:
            events = [(day, self.events_by_day[day]) for day in day_range if day in self.events_by_day]
        return hashlib.blake2b(repr((self.version, events)).encode(), digest_size=_REVISION_BYTES).digest()


class _RememberedMonth(NamedTuple):
    """What a scope had on some days of a month, and the state of the store in which it was read."""

    state: Hashable
    days: Days
    events_by_day: Mapping[int, _EventsOfDay]


class _DayRow(msgspec.Struct):
    day: int
    counted: int
    hashes: int


class RevisionReader:
    """Reads revisions, at once for all questions of a scope that ask at the same time.

    `read_version` returns a value that never recurs after events were removed, shown again or lost, or are read in
    another way, by any worker.
    """

    def __init__(self, reader: EventReader, read_version: Callable[[], Hashable]) -> None:
        self._reader = reader
        self._read_version = read_version
        self._remembered_months: LRUCache[tuple[Scope, int], _RememberedMonth] = LRUCache(_MAX_REMEMBERED_MONTHS)
        self._month_marks = NextResult[None, Mapping[int, MonthMark]](lambda _: reader.fetch_month_marks())
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
        month_marks = await self._month_marks.get(None)
        events_by_day: dict[int, _EventsOfDay] = {}
        missing_days: dict[int, Days] = {}
        for month, days_of_month in _split_by_month(days, month_marks):
            remembered_month = self._remembered_months.get((scope, month))
            if remembered_month is None or remembered_month.state != (version, month_marks[month]):
                missing_days[month] = days_of_month
            elif remembered_month.days.contains(days_of_month):
                events_by_day |= days_of_month.select(remembered_month.events_by_day)
            else:
                missing_days[month] = days_of_month.extend(remembered_month.days)
        if missing_days:
            months = list(missing_days.values())
            events_by_day |= await self._query_days(scope, Days(months[0].first, months[-1].last))
        for month, days_of_month in missing_days.items():
            state = version, month_marks[month]
            month_events = days_of_month.select(events_by_day)
            self._remembered_months[scope, month] = _RememberedMonth(state, days_of_month, month_events)
        return DayRevisions(version, days, events_by_day)

    async def _query_days(self, scope: Scope, days: Days) -> dict[int, _EventsOfDay]:
        parameters = QueryParameters()
        where_sql = scoped_where(time_condition(days.first * DAY_MS, (days.last + 1) * DAY_MS - 1, parameters))
        sql = f"""
SELECT toUInt32(toDate(timestamp)) AS day, count() AS counted,
  sum(intHash64(toUInt64(toUnixTimestamp64Milli(timestamp)))) AS hashes
FROM events
{where_sql}
GROUP BY day"""
        day_rows = await self._reader.fetch_rows(sql.strip(), scope, parameters.values, _DayRow, parameters.span)
        return {row.day: (row.counted, row.hashes) for row in day_rows}


def _split_by_month(days: Days, month_marks: Mapping[int, MonthMark]) -> list[tuple[int, Days]]:
    """Return the days of each month that has events of anyone, in order."""
    months = []
    for month in sorted(month_marks):
        first_day, last_day = _days_of_month(month)
        if first_day <= days.last and last_day >= days.first:
            months.append((month, Days(max(first_day, days.first), min(last_day, days.last))))
    return months


def _days_of_month(month: int) -> Days:
    """Return the days of a month, such as 202611."""
    year, number = divmod(month, 100)
    first_date = date(year, number, 1)
    return Days(
        first_date.toordinal() - _EPOCH_DAY, first_date.toordinal() - _EPOCH_DAY + monthrange(year, number)[1] - 1
    )
