"""Medians: the numbers of each UTC day near the median are kept in order, and only new and changed days are read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from tallyroom.core.times import DAY_MS
from tallyroom.queries.kept_answers.cache import ENTRY_OVERHEAD_BYTES
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.moved_windows import contains, intersect
from tallyroom.queries.kept_answers.pauses import FOREVER
from tallyroom.queries.kept_answers.revisions import Days
from tallyroom.queries.medians import (
    ALL_NUMBERS,
    MAX_KEPT_NUMBERS,
    NO_NUMBERS,
    Band,
    BandNumbers,
    OutsideBand,
    choose_band,
    find_median,
    read_part_numbers,
)
from tallyroom.queries.window import Window
from tallyroom.queries.window_queries import MedianQuery, WindowNumbers

_BYTES_PER_DAY = 500


class _KeptDay(NamedTuple):
    """The numbers of a whole day, and the revision under which they were read."""

    revision: bytes
    numbers: BandNumbers


class _KeptDays(msgspec.Struct, frozen=True):
    band: Band
    by_day: dict[int, _KeptDay]

    @property
    def byte_count(self) -> int:
        """How much memory the numbers take, with their key."""
        arrays = [kept_day.numbers.numbers for kept_day in self.by_day.values()]
        return ENTRY_OVERHEAD_BYTES + sum(_BYTES_PER_DAY + len(numbers) * numbers.itemsize for numbers in arrays)


async def fetch_medians(context: KeepingContext, query: MedianQuery) -> WindowNumbers | None:
    """Return the median of each window; None if there are too many numbers near it to keep."""
    key = context.build_key(query.sql, query.parameters)
    workspace_id = context.scope.workspace_id
    entry = context.cache.find(workspace_id, key)
    if entry is FOREVER:
        return None
    if isinstance(entry, _KeptDays):
        medians = await _find_medians(context, query, key, entry)
        if medians is not None:
            return medians
    band = await _find_band(context, query)
    medians = None if band is None else await _find_medians(context, query, key, _KeptDays(band, {}))
    if medians is None:
        context.cache.keep(workspace_id, key, FOREVER)
    return medians


async def _find_band(context: KeepingContext, query: MedianQuery) -> Band | None:
    if context.revisions.stored_count <= MAX_KEPT_NUMBERS:
        return ALL_NUMBERS
    return choose_band(await context.fetch_binary(*query.build_spread_sql()))


async def _find_medians(
    context: KeepingContext, query: MedianQuery, key: bytes, kept_days: _KeptDays
) -> WindowNumbers | None:
    """Return the medians, and keep what they follow from; None if a median is outside the band or it has too many."""
    parts = [
        part
        for window in query.windows
        for part in _cut_into_days(window)
        if context.revisions.has_events(Days.of_window(part))
    ]
    numbers_by_part = _find_kept_numbers(context, parts, kept_days.by_day)
    unknown_parts = [part for part in parts if part not in numbers_by_part]
    context.cache.hit_count += len(numbers_by_part)
    context.cache.miss_count += sum(map(_is_whole_day, unknown_parts))
    numbers_by_start = await _read_parts(context, query.limit(*kept_days.band), unknown_parts)
    numbers_by_part |= {part: numbers_by_start.get(part.from_ms, NO_NUMBERS) for part in unknown_parts}
    if sum(len(numbers.numbers) for numbers in numbers_by_part.values()) > MAX_KEPT_NUMBERS:
        return None
    try:
        medians = [
            find_median([numbers for part, numbers in numbers_by_part.items() if contains(window, part)])
            for window in query.windows
        ]
    except OutsideBand:
        return None
    _keep_numbers(context, key, kept_days.band, numbers_by_part)
    return WindowNumbers(medians)


def _cut_into_days(window: Window) -> Iterator[Window]:
    """Return the parts of a window on each UTC day."""
    days = Days.of_window(window)
    for day in range(days.first, days.last + 1):
        yield intersect(Window(day * DAY_MS, (day + 1) * DAY_MS - 1), window)


def _is_whole_day(part: Window) -> bool:
    return part.until_ms - part.from_ms == DAY_MS - 1


def _find_kept_numbers(
    context: KeepingContext, parts: Sequence[Window], kept_days: Mapping[int, _KeptDay]
) -> dict[Window, BandNumbers]:
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
) -> Mapping[int, BandNumbers]:
    """Return the numbers of each part by its start."""
    return read_part_numbers(await context.fetch_binary(*query.build_sql(parts))) if parts else {}


def _keep_numbers(
    context: KeepingContext, key: bytes, band: Band, numbers_by_part: Mapping[Window, BandNumbers]
) -> None:
    kept_days = {}
    for part, numbers in numbers_by_part.items():
        if _is_whole_day(part):
            days = Days.of_window(part)
            kept_days[days.first] = _KeptDay(context.revisions.revision_of(days), numbers)
    if not context.cache.keep(context.scope.workspace_id, key, _KeptDays(band, kept_days)):
        context.cache.keep(context.scope.workspace_id, key, FOREVER)
