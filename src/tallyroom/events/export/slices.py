"""Cuts an export into slices of bounded size, in the order of events.

A slice is found by reading only the positions of its events, within a window of time that grows where events are rare
and shrinks where there are many. Each query of an export is therefore small, no matter how long the history is. The
positions need a separate query, because the engine does not return them when it writes a file.
"""

from collections.abc import AsyncIterator
from itertools import accumulate
from typing import Protocol

from tallyroom.core.ranges import FixedRange
from tallyroom.events.export.schemas import ExportPosition, SizedPosition

SLICE_EVENTS = 10_000
SLICE_BYTES = 4_000_000

_FIRST_WINDOW_MS = 3_600_000
_MAX_WINDOW_MS = 31 * 24 * 3_600_000


class Positions(Protocol):
    """The positions of an export's events."""

    async def first_day(self, from_ms: int, until_ms: int) -> int | None:
        """Find the first millisecond of the first day with an event; None if there are none."""
        ...

    async def positions(self, after: ExportPosition, until_ms: int, limit: int) -> list[SizedPosition]:
        """Return the positions of the first `limit` events after a position and before a time, in order."""
        ...


async def slices(
    queries: Positions, time_range: FixedRange, most_events: int = SLICE_EVENTS, most_bytes: int = SLICE_BYTES
) -> AsyncIterator[tuple[ExportPosition, ExportPosition]]:
    """Yield pairs of positions: a slice has the events after the first position up to and including the second.

    Args:
        queries: finds the positions of the events.
        time_range: the times of the export.
        most_events: maximum number of events in one slice.
        most_bytes: maximum size of one slice, unless its only event is larger.
    """
    after, window = ExportPosition.before(time_range.from_ms), _FIRST_WINDOW_MS
    near = False  # True if the next event is likely to be in the next window
    while True:
        if not near:
            day_ms = await queries.first_day(after.timestamp_ms, time_range.to_ms)
            if day_ms is None:
                return
            after = max(after, ExportPosition.before(day_ms), key=_time)
        end_ms = min(after.timestamp_ms + window, time_range.to_ms)
        positions = await queries.positions(after, end_ms, most_events)
        slice_ = _fitting(positions, most_bytes)
        if slice_:
            yield after, slice_[-1]
        if len(slice_) < len(positions) or len(positions) == most_events:
            slice_ms = slice_[-1].timestamp_ms - after.timestamp_ms
            after, window, near = slice_[-1], 2 * slice_ms + 1, True
        else:
            after, window, near = ExportPosition.before(end_ms), 4 * window, bool(slice_)
        window = min(window, _MAX_WINDOW_MS)


def _fitting(positions: list[SizedPosition], most_bytes: int) -> list[SizedPosition]:
    """Return as many of the first `positions` as fit into `most_bytes` together, but at least one."""
    sizes = accumulate(position.bytes for position in positions)
    fitting = sum(size <= most_bytes for size in sizes)
    return positions[: max(fitting, 1)]


def _time(position: ExportPosition) -> int:
    return position.timestamp_ms
