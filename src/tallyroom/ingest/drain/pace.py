"""Decides when the drain starts its next insert: at once when idle, rarely under load, sooner when a reader waits.

An insert costs the store 7 ms of work regardless of its size. The intervals were measured in docs/decisions/0003.
"""

import threading
from collections.abc import Callable

from tallyroom.core.clock import Clock
from tallyroom.storage.spool.claim import MAX_CLAIM_BYTES

_INTERVAL_SECONDS = 0.45
_HURRIED_INTERVAL_SECONDS = 0.1


class Pace:
    """The drain's rest between two inserts, which commits and readers can shorten."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._last_start = float("-inf")
        self._is_idle = False
        self._is_hurried = False
        self._is_block_full = False
        self._is_stopping = False

    def note_insert_start(self) -> None:
        """Record that an insert starts now."""
        with self._condition:
            self._last_start = self._clock.monotonic()
            self._is_hurried = self._is_block_full = False

    def note_commit(self, waiting_bytes: int) -> None:
        """Record a commit; under load, hundreds a second do, so it wakes the drain only if that would oversleep."""
        is_block_full = waiting_bytes >= MAX_CLAIM_BYTES
        if self._is_idle or is_block_full:
            with self._condition:
                self._is_block_full = is_block_full
                self._condition.notify()

    def hurry(self) -> None:
        """Shorten the rest, because a reader waits for its writes."""
        with self._condition:
            self._is_hurried = True
            self._condition.notify()

    def stop(self) -> None:
        """End the current rest and prevent any other."""
        with self._condition:
            self._is_stopping = True
            self._condition.notify()

    def is_due(self, waiting_bytes: int) -> bool:
        """Return whether the next insert can start without a rest: two full blocks wait, or the interval is over."""
        return waiting_bytes >= 2 * MAX_CLAIM_BYTES or self._count_remaining_seconds() <= 0

    def wait_for_work(self, has_work: Callable[[], bool]) -> None:
        """Return when there is work and the interval is over, or after a moment, so that the caller notices a stop."""
        deadline = self._clock.monotonic() + _INTERVAL_SECONDS
        with self._condition:
            self._is_idle = True  # set before checking for work, so that work that arrives later finds the flag set
            while not self._is_stopping and (now := self._clock.monotonic()) < deadline:
                is_work_waiting = has_work()
                self._is_idle = not is_work_waiting
                wait_seconds = self._count_remaining_seconds() if is_work_waiting else deadline - now
                if wait_seconds <= 0:
                    return
                self._condition.wait(wait_seconds)

    def _count_remaining_seconds(self) -> float:
        if self._is_block_full:
            return 0
        interval_seconds = _HURRIED_INTERVAL_SECONDS if self._is_hurried else _INTERVAL_SECONDS
        return self._last_start + interval_seconds - self._clock.monotonic()
