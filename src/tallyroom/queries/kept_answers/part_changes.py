"""When events may last have arrived on a day, of any scope: it follows from the store's parts alone."""

from collections.abc import Mapping
from typing import NamedTuple

from tallyroom.queries.kept_answers.shared_result import NextResult
from tallyroom.storage.event_store.event_parts import EventPart, find_changed_days
from tallyroom.storage.event_store.reader import EventReader


class PartChanges(NamedTuple):
    """The numbers of the last change of the parts, and of the last on each day; and how many events there are."""

    event_count: int
    last: int
    last_by_day: Mapping[int, int]


class PartWatch:
    """Compares the parts of the events with those of its last look."""

    def __init__(self, reader: EventReader) -> None:
        self._reader = reader
        self._parts: frozenset[EventPart] | None = None
        self._part_changes = PartChanges(0, 0, {})
        self._next_look = NextResult[None, PartChanges](lambda _: self._look())

    async def read(self) -> PartChanges:
        """Return the changes until at least the beginning of this call; raises as `EventReader.fetch_rows` does."""
        return await self._next_look.get(None)

    async def _look(self) -> PartChanges:
        parts = await self._reader.fetch_parts()
        changed_days = set() if self._parts is None else find_changed_days(self._parts, parts)
        change = self._part_changes.last + bool(changed_days)
        last_by_day = {**self._part_changes.last_by_day} | dict.fromkeys(changed_days, change)
        self._part_changes = PartChanges(sum(part.row_count for part in parts), change, last_by_day)
        self._parts = parts
        return self._part_changes
