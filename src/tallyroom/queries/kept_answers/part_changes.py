"""When events may last have arrived at a time, of any scope: it follows from the store's parts alone."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tallyroom.core.next_result import NextResult
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.event_parts import EventPart, find_changed_parts
from tallyroom.storage.event_store.reader import EventReader

_MAX_CHANGED_SPANS = 500
_SECOND_MS = 1_000


class ChangedSpan(NamedTuple):
    """A time in which events may have come or gone, and the number of that change of the parts."""

    change: int
    window: Window


class PartChanges(NamedTuple):
    """The numbers of the last change of the parts, and of the last on each day; and how many events there are.

    `spans` are the times of all changes after the one with the number `spans_since`, in the order of these numbers.
    """

    event_count: int
    last: int
    last_by_day: Mapping[int, int]
    spans_since: int = 0
    spans: Sequence[ChangedSpan] = ()

    def list_spans(self, since: int) -> list[Window] | None:
        """Return the times of the changes after that with a number; None if not all of them are known."""
        if since < self.spans_since:
            return None
        return [span.window for span in self.spans if span.change > since]


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
        changed_parts = [] if self._parts is None else find_changed_parts(self._parts, parts)
        change = self._part_changes.last + bool(changed_parts)
        changed_days = {day for part in changed_parts for day in part.days}
        last_by_day = {**self._part_changes.last_by_day} | dict.fromkeys(changed_days, change)
        spans = [*self._part_changes.spans, *(ChangedSpan(change, _window_of(part)) for part in changed_parts)]
        spans_since = self._part_changes.spans_since
        if len(spans) > _MAX_CHANGED_SPANS:
            spans_since = spans[-_MAX_CHANGED_SPANS - 1].change
            spans = [span for span in spans if span.change > spans_since]
        event_count = sum(part.row_count for part in parts)
        self._part_changes = PartChanges(event_count, change, last_by_day, spans_since, spans)
        self._parts = parts
        return self._part_changes


def _window_of(part: EventPart) -> Window:
    return Window(part.seconds[0] * _SECOND_MS, (part.seconds[-1] + 1) * _SECOND_MS - 1)
