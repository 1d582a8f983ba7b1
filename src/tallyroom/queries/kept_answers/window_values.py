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


class WindowValues(msgspec.Struct, frozen=True, array_like=True):
    """The values of a window: their number, the hashes in order with their last times, and values that came later."""

    window: Window
    count: int
    hashes: bytes
    last_ms: bytes
    added: dict[int, int] = {}

    @classmethod
    def of_part(cls, window: Window, part: PartValues | None) -> "WindowValues":
        """Return the values of a window that was read in one part; None means no values."""
        if part is None:
            return cls(window, 0, b"", b"")
        return cls(window, part.count, part.hashes.tobytes(), part.last_ms.tobytes())

    async def move(self, window: Window, last_ms_by_hash: Mapping[int, int], left: Collection[int]) -> "WindowValues":
        """Return the values of a window that begins and ends no earlier, while other tasks run.

        `last_ms_by_hash` has at least the values of the events that the window has in addition, and `left` those of the
        events before its start that the earlier window had.
        """
        hashes, last_ms, added = array("Q", self.hashes), array("Q", self.last_ms), dict(self.added)
        count = self.count
        for number, hash_ in enumerate({*left, *last_ms_by_hash}, 1):
            index = bisect_left(hashes, hash_)
            is_in_order = index < len(hashes) and hashes[index] == hash_
            earlier_ms = last_ms[index] if is_in_order else added.get(hash_, _NEVER_MS)
            latest_ms = max(earlier_ms, last_ms_by_hash.get(hash_, _NEVER_MS))
            count += (latest_ms >= window.from_ms) - (earlier_ms >= self.window.from_ms)
            if is_in_order:
                last_ms[index] = latest_ms
            elif latest_ms != earlier_ms:
                added[hash_] = latest_ms
            if number % _VALUES_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)
        return WindowValues(window, count, hashes.tobytes(), last_ms.tobytes(), added)
