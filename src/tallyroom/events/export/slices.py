"""Cuts an export into slices of bounded size, in the order of events.

A slice is found by reading only the positions of its events, within a window of time that grows and shrinks, so that
each query is small. The engine does not return positions when it writes a file.
"""

from collections.abc import AsyncIterator
from itertools import accumulate
from operator import attrgetter
from typing import Protocol

from tallyroom.core.ranges import FixedRange
from tallyroom.events.export.schemas import ExportPosition, SizedPosition

MAX_SLICE_EVENTS = 10_000
MAX_SLICE_BYTES = 4_000_000

_FIRST_WINDOW_DURATION_MS = 3_600_000
_MAX_WINDOW_DURATION_MS = 31 * 24 * 3_600_000


class PositionFinder(Protocol):
    """The positions of an export's events."""

    async def find_first_day(self, from_ms: int, until_ms: int) -> int | None:
        """Find the first millisecond of the first day with an event; None if there are none."""

    async def fetch_positions(self, after_position: ExportPosition, until_ms: int, limit: int) -> list[SizedPosition]:
        """Return the positions of the first `limit` events after a position and before a time, in order."""


async def split_into_slices(
    position_finder: PositionFinder,
    time_range: FixedRange,
    max_events: int = MAX_SLICE_EVENTS,
    max_bytes: int = MAX_SLICE_BYTES,
) -> AsyncIterator[tuple[ExportPosition, ExportPosition]]:
    """Yield pairs of positions: a slice has the events after the first position up to and including the second.

    A slice has at most `max_events`, and at most `max_bytes` unless its only event is larger.
    """
    after_position, window_duration_ms = ExportPosition.before(time_range.from_ms), _FIRST_WINDOW_DURATION_MS
    is_next_near = False  # True if the next event is likely to be in the next window
    while True:
        if not is_next_near:
            day_start_ms = await position_finder.find_first_day(after_position.timestamp_ms, time_range.to_ms)
            if day_start_ms is None:
                return
            after_position = max(after_position, ExportPosition.before(day_start_ms), key=attrgetter("timestamp_ms"))
        window_end_ms = min(after_position.timestamp_ms + window_duration_ms, time_range.to_ms)
        positions = await position_finder.fetch_positions(after_position, window_end_ms, max_events)
        slice_positions = _take_fitting(positions, max_bytes)
        if slice_positions:
            yield after_position, slice_positions[-1]
        if len(slice_positions) < len(positions) or len(positions) == max_events:
            slice_duration_ms = slice_positions[-1].timestamp_ms - after_position.timestamp_ms
            after_position, window_duration_ms, is_next_near = slice_positions[-1], 2 * slice_duration_ms + 1, True
        else:
            after_position, is_next_near = ExportPosition.before(window_end_ms), bool(slice_positions)
            window_duration_ms *= 4
        window_duration_ms = min(window_duration_ms, _MAX_WINDOW_DURATION_MS)


def _take_fitting(positions: list[SizedPosition], max_bytes: int) -> list[SizedPosition]:
    """Return as many of the first `positions` as fit into `max_bytes` together, but at least one."""
    byte_totals = accumulate(position.bytes for position in positions)
    fitting_count = sum(byte_total <= max_bytes for byte_total in byte_totals)
    return positions[: max(fitting_count, 1)]
