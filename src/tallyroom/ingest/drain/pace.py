"""Decides when the drain starts its next insert: at once when idle, seldom under load, sooner when a reader waits.

An insert costs the store 7 ms of work regardless of its size, so fewer and larger inserts leave more of a loaded
machine to everything else. The intervals are those measured in docs/decisions/0003.
"""

import threading
from collections.abc import Callable

from tallyroom.core.clock import Clock
from tallyroom.storage.spool.claim import MAX_CLAIM_BYTES

_BETWEEN_STARTS = 0.45
_BETWEEN_STARTS_FOR_A_READER = 0.1


class Pace:
    """The drain's rest between two inserts, which commits and readers can shorten."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._last_start = float("-inf")
        self._idle = False
        self._hurry = False
        self._block_is_full = False
        self._stopping = False

    def started(self) -> None:
        """Note that an insert starts now."""
        with self._changed:
            self._last_start = self._clock.monotonic()
            self._hurry = self._block_is_full = False

    def arrived(self, waiting_bytes: int) -> None:
        """Note that a commit added events, and that `waiting_bytes` now wait in total.

        This wakes the drain only if it would oversleep: under load, hundreds of commits a second call this.
        """
        full = waiting_bytes >= MAX_CLAIM_BYTES
        if self._idle or full:
            with self._changed:
                self._block_is_full = full
                self._changed.notify()

    def hurry(self) -> None:
        """Shorten the rest, because a reader waits for its writes."""
        with self._changed:
            self._hurry = True
            self._changed.notify()

    def stop(self) -> None:
        """End the current rest and prevent any other."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    def due(self, waiting_bytes: int) -> bool:
        """Return whether the next insert can start without a rest: two full blocks wait, or its time has come."""
        return waiting_bytes >= 2 * MAX_CLAIM_BYTES or self._remaining() <= 0

    def rest(self, has_work: Callable[[], bool]) -> None:
        """Return when there is work and its time has come, or after a moment, so that the caller notices a stop."""
        give_up = self._clock.monotonic() + _BETWEEN_STARTS
        with self._changed:
            self._idle = True  # set before checking for work, so that work that arrives later finds the flag set
            while not self._stopping and (now := self._clock.monotonic()) < give_up:
                working = has_work()
                self._idle = not working
                wait = self._remaining() if working else give_up - now
                if wait <= 0:
                    return
                self._changed.wait(wait)

    def _remaining(self) -> float:
        if self._block_is_full:
            return 0
        interval = _BETWEEN_STARTS_FOR_A_READER if self._hurry else _BETWEEN_STARTS
        return self._last_start + interval - self._clock.monotonic()
