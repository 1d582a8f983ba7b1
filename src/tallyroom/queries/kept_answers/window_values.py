"""The distinct values of a window, which can be moved on to a later window.

A value is a number of 64 bits, a hash. Each has the time of its last event; values whose last event is before the
window's start no longer count, but may come back.
"""

import asyncio
from array import array
from bisect import bisect_left
from collections.abc import Collection, Mapping

import msgspec

from tallyroom.queries.distinct_values import PartValues
from tallyroom.queries.window import Window

_NEVER_MS = -(2**63)
_VALUES_BETWEEN_PAUSES = 500
_BYTES_PER_ADDED_VALUE = 150


class WindowValues(msgspec.Struct, frozen=True):
    """The values of a window: their number, the hashes in order with their last times, and values that came later."""

    count: int
    hashes: "array[int]"
    last_ms: "array[int]"
    added: Mapping[int, int] = {}

    @property
    def byte_count(self) -> int:
        """How much memory the values take."""
        return sum(len(words) * words.itemsize for words in (self.hashes, self.last_ms)) + (
            _BYTES_PER_ADDED_VALUE * len(self.added)
        )

    @classmethod
    def of_part(cls, part: PartValues | None) -> "WindowValues":
        """Return the values of a window that was read in one part; None means no values."""
        return cls(0, array("Q"), array("Q")) if part is None else cls(part.value_count, part.hashes, part.last_ms)

    async def move(
        self, window: Window, later: Window, last_ms_by_hash: Mapping[int, int], left: Collection[int]
    ) -> "WindowValues":
        """Return the values of a window that begins and ends no earlier, while other tasks run.

        `last_ms_by_hash` has at least the values of the events that the later window has in addition, and `left` those
        of the events before its start that the window had.
        """
        count, last_ms, added = self.count, self.last_ms[:], dict(self.added)
        for number, hash_ in enumerate({*left, *last_ms_by_hash}, 1):
            index = bisect_left(self.hashes, hash_)
            is_in_order = index < len(self.hashes) and self.hashes[index] == hash_
            earlier_ms = last_ms[index] if is_in_order else added.get(hash_, _NEVER_MS)
            latest_ms = max(earlier_ms, last_ms_by_hash.get(hash_, _NEVER_MS))
            count += (latest_ms >= later.from_ms) - (earlier_ms >= window.from_ms)
            if is_in_order:
                last_ms[index] = latest_ms
            elif latest_ms != earlier_ms:
                added[hash_] = latest_ms
            if number % _VALUES_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)
        return WindowValues(count, self.hashes, last_ms, added)
