"""When the drain starts its next insert: at once when idle, seldom under load, sooner when a reader waits.

An insert costs the store 7 ms of work whatever its size, so under load fewer and larger ones leave more of the machine
to everything else; the intervals are the ones measured in docs/decisions/0003.
"""

import threading
from collections.abc import Callable

from tallyroom.core.clock import Clock
from tallyroom.spool.claim import MAX_CLAIM_BYTES

_BETWEEN_STARTS = 0.45
_BETWEEN_STARTS_FOR_A_READER = 0.1


class Pace:
    """Decides how long the drain rests; commits and readers may shorten the rest."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._last_start = float("-inf")
        self._idle = False
        self._hurry = False
        self._block_is_full = False
        self._stopping = False

    def started(self) -> None:
        """An insert starts now."""
        with self._changed:
            self._last_start = self._clock.monotonic()
            self._hurry = self._block_is_full = False

    def arrived(self, waiting_bytes: int) -> None:
        """A commit added events; `waiting_bytes` wait in all.

        The drain is woken only if it would sleep past its time: under load hundreds of commits a second pass here.
        """
        full = waiting_bytes >= MAX_CLAIM_BYTES
        if self._idle or full:
            with self._changed:
                self._block_is_full = full
                self._changed.notify()

    def hurry(self) -> None:
        """A reader waits for its writes."""
        with self._changed:
            self._hurry = True
            self._changed.notify()

    def stop(self) -> None:
        """Nobody rests any more."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    def due(self, waiting_bytes: int) -> bool:
        """Whether a full block waits, so that the next insert starts without a rest."""
        return waiting_bytes >= 2 * MAX_CLAIM_BYTES or self._remaining() <= 0

    def rest(self, has_work: Callable[[], bool]) -> None:
        """Return when there is work and its time has come, or after a moment to look for a stop."""
        give_up = self._clock.monotonic() + _BETWEEN_STARTS
        with self._changed:
            self._idle = True  # before the look: work that comes after it finds the flag
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
