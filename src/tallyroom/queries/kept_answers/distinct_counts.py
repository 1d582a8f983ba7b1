"""Numbers of distinct values, from the last time of each value."""

from collections.abc import Mapping, Sequence

import msgspec

from tallyroom.queries.distinct_values import MAX_KEPT_VALUES, PartValues, read_part_values
from tallyroom.queries.kept_answers.cache import UNKEEPABLE_BYTES
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.kept_windows import fetch_content
from tallyroom.queries.kept_answers.moved_windows import contains
from tallyroom.queries.kept_answers.window_values import WindowValues
from tallyroom.queries.window import Window
from tallyroom.queries.window_queries import DistinctQuery, WindowNumbers

_FEW_VALUES = 1_000
_MIN_SAVED = 4  # with more than this fraction of the values to read again, all are read
_MAX_ADDED_VALUES = 20_000  # of a window; each takes about ten times as much memory as the others


class _Values(msgspec.Struct, frozen=True):
    by_window: list[WindowValues]

    @property
    def byte_count(self) -> int:
        """How much memory the values of all windows take; not all of very many were read, so these cannot be kept."""
        if any(values.count > MAX_KEPT_VALUES for values in self.by_window):
            return UNKEEPABLE_BYTES
        return sum(values.byte_count for values in self.by_window)


async def fetch_distinct_counts(context: KeepingContext, query: DistinctQuery) -> WindowNumbers | None:
    """Return the number of values of each window; None if they are not kept now."""
    values = await fetch_content(context, _DistinctForm(context, query))
    return None if values is None else WindowNumbers([window_values.count for window_values in values.by_window])


class _DistinctForm:
    def __init__(self, context: KeepingContext, query: DistinctQuery) -> None:
        self.sql = query.sql
        self.parameters = query.parameters
        self.windows = query.windows
        self._context = context
        self._query = query

    async def read(self) -> _Values:
        """Read the values of all windows."""
        part_values = await self._read_parts(self.windows)
        return _Values([WindowValues.of_part(part_values.get(window.from_ms)) for window in self.windows])

    async def move(self, values: _Values, windows: Sequence[Window], parts: Sequence[Window]) -> _Values | None:
        """Return the values of each window, from those of an earlier one."""
        part_values = await self._read_parts(parts)
        read_count = sum(values.value_count for values in part_values.values())
        if read_count > max(_FEW_VALUES, sum(window_values.count for window_values in values.by_window) // _MIN_SAVED):
            return None
        moved_values = []
        for window_values, earlier, window in zip(values.by_window, windows, self.windows, strict=True):
            last_ms_by_hash: dict[int, int] = {}
            leaving_hashes: set[int] = set()
            for part in parts:
                if part.from_ms not in part_values:
                    continue
                _, _, hashes, last_ms = part_values[part.from_ms]
                if contains(window, part):
                    last_ms_by_hash.update(zip(hashes, last_ms, strict=True))  # parts are in order
                elif contains(earlier, part):
                    leaving_hashes.update(hashes)
            moved_values.append(await window_values.move(earlier, window, last_ms_by_hash, leaving_hashes))
        if any(len(window_values.added) > _MAX_ADDED_VALUES for window_values in moved_values):
            return None
        return _Values(moved_values)

    async def _read_parts(self, parts: Sequence[Window]) -> Mapping[int, PartValues]:
        """Return the values of each part by its start."""
        answer = await self._context.fetch_binary(*self._query.build_sql(parts)) if parts else b""
        return {values.start_ms: values for values in read_part_values(answer)}
