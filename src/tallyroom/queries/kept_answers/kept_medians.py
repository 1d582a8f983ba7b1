"""Medians: the numbers of each UTC day are kept in order, and only new and changed days are read."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.queries.kept_answers.cache import ENTRY_OVERHEAD_BYTES
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.moved_windows import contains, intersect
from tallyroom.queries.kept_answers.pauses import FOREVER
from tallyroom.queries.kept_answers.revisions import Days
from tallyroom.queries.medians import MAX_KEPT_NUMBERS, PartNumbers, find_median, read_part_numbers
from tallyroom.queries.window import Window
from tallyroom.queries.window_queries import MedianQuery, WindowNumbers

_BYTES_PER_DAY = 500


class _KeptDay(NamedTuple):
    """The numbers of a whole day in ascending order, and the revision under which they were read."""

    revision: bytes
    numbers: "array[float]"


class _KeptDays(msgspec.Struct, frozen=True):
    by_day: dict[int, _KeptDay]

    @property
    def byte_count(self) -> int:
        """How much memory the numbers take, with their key."""
        return ENTRY_OVERHEAD_BYTES + sum(
            _BYTES_PER_DAY + len(kept_day.numbers) * kept_day.numbers.itemsize for kept_day in self.by_day.values()
        )


async def fetch_medians(context: KeepingContext, query: MedianQuery) -> WindowNumbers | None:
    """Return the median of each window; None if there are too many numbers to keep."""
    key = context.build_key(query.sql, query.parameters)
    entry = context.cache.find(context.scope.workspace_id, key)
    if entry is FOREVER:
        return None
    parts = [
        part
        for window in query.windows
        for part in _cut_into_days(window)
        if context.revisions.has_events(Days.of_window(part))
    ]
    numbers_by_part = _find_kept_numbers(context, parts, entry.by_day if isinstance(entry, _KeptDays) else {})
    unknown_parts = [part for part in parts if part not in numbers_by_part]
    context.cache.hit_count += len(numbers_by_part)
    context.cache.miss_count += sum(map(_is_whole_day, unknown_parts))
    part_numbers = await _read_parts(context, query, unknown_parts)
    count = sum(map(len, numbers_by_part.values())) + sum(part.number_count for part in part_numbers.values())
    if count > MAX_KEPT_NUMBERS:
        context.cache.keep(context.scope.workspace_id, key, FOREVER)
        return None
    numbers_by_part |= {
        part: part_numbers[part.from_ms].numbers if part.from_ms in part_numbers else array("d")
        for part in unknown_parts
    }
    _keep_numbers(context, key, numbers_by_part)
    return WindowNumbers(
        [
            find_median([numbers for part, numbers in numbers_by_part.items() if contains(window, part)])
            for window in query.windows
        ]
    )


def _cut_into_days(window: Window) -> Iterator[Window]:
    """Return the parts of a window on each UTC day."""
    days = Days.of_window(window)
    for day in range(days.first, days.last + 1):
        yield intersect(Window(day * DAY_MS, (day + 1) * DAY_MS - 1), window)


def _is_whole_day(part: Window) -> bool:
    return part.until_ms - part.from_ms == DAY_MS - 1


def _find_kept_numbers(
    context: KeepingContext, parts: Sequence[Window], kept_days: Mapping[int, _KeptDay]
) -> "dict[Window, array[float]]":
    """Return the numbers of those whole days that have not changed."""
    numbers_by_part = {}
    for part in filter(_is_whole_day, parts):
        days = Days.of_window(part)
        kept_day = kept_days.get(days.first)
        if kept_day is not None and kept_day.revision == context.revisions.revision_of(days):
            numbers_by_part[part] = kept_day.numbers
    return numbers_by_part


async def _read_parts(
    context: KeepingContext, query: MedianQuery, parts: Sequence[Window]
) -> Mapping[int, PartNumbers]:
    """Return the numbers of each part by its start."""
    answer = await context.fetch_binary(*query.build_sql(parts)) if parts else b""
    return {numbers.start_ms: numbers for numbers in read_part_numbers(answer)}


def _keep_numbers(context: KeepingContext, key: bytes, numbers_by_part: "Mapping[Window, array[float]]") -> None:
    kept_days = {}
    for part, numbers in numbers_by_part.items():
        if _is_whole_day(part):
            days = Days.of_window(part)
            kept_days[days.first] = _KeptDay(context.revisions.revision_of(days), numbers)
    if not context.cache.keep(context.scope.workspace_id, key, _KeptDays(kept_days)):
        context.cache.keep(context.scope.workspace_id, key, FOREVER)
