"""What questions have read of properties since the last report, by property and map."""

import threading
from collections.abc import Iterable
from typing import Final, NamedTuple

from tallyroom.core.clock import Clock
from tallyroom.storage.event_store.property_columns.column import may_have_column
from tallyroom.storage.event_store.property_columns.slots import PropertyRead

MAX_PROPERTIES: Final = 1_000
"""Properties to remember between two reports; questions could name any number of them."""


class ReadVolume(NamedTuple):
    """How many bytes questions read, or would have read without a column, and when they last did."""

    byte_count: int
    read_ms: int


class PropertyReads:
    """Adds up reads; the threads that run queries call `add`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._volume_by_read: dict[PropertyRead, ReadVolume] = {}

    def add(self, byte_counts: Iterable[tuple[PropertyRead, int]]) -> None:
        """Add what one query read of each property."""
        now_ms = self._clock.now_ms()
        with self._lock:
            for property_read, byte_count in byte_counts:
                volume = self._volume_by_read.get(property_read)
                if volume is not None:
                    self._volume_by_read[property_read] = ReadVolume(volume.byte_count + byte_count, now_ms)
                elif len(self._volume_by_read) < MAX_PROPERTIES and may_have_column(property_read):
                    self._volume_by_read[property_read] = ReadVolume(byte_count, now_ms)

    def take(self) -> dict[PropertyRead, ReadVolume]:
        """Return what was added since the last call."""
        with self._lock:
            volume_by_read, self._volume_by_read = self._volume_by_read, {}
        return volume_by_read
