"""The drain's rest until the next claim is due, which commits, readers and a stop can end early."""

import threading
from collections.abc import Callable

from tallyroom.core.clock import Clock

_MAX_REST_SECONDS = 0.45  # after which the drain notices that it should stop


class Pace:
    """Wakes the drain's thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._is_stopping = False

    def wake(self) -> None:
        """End the rest if something is due now: chunks have begun to wait, a block is full, or a reader waits."""
        with self._condition:
            self._condition.notify()

    def stop(self) -> None:
        """End the current rest and prevent any other."""
        with self._condition:
            self._is_stopping = True
            self._condition.notify()

    def wait_until_due(self, find_rest_seconds: Callable[[], float]) -> None:
        """Return when no rest is left, or after a moment."""
        deadline = self._clock.monotonic() + _MAX_REST_SECONDS
        with self._condition:
            while not self._is_stopping and (now := self._clock.monotonic()) < deadline:
                rest_seconds = find_rest_seconds()
                if rest_seconds <= 0:
                    return
                self._condition.wait(min(rest_seconds, deadline - now))
