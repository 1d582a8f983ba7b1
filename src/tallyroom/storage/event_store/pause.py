"""Pauses movers of data into the event store between two moves, so that both sides can be seen consistently."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from tallyroom.core.errors import Unavailable


class MoverHold:
    """The agreement between the drain and callers that want it to pause.

    Between inserts, every event is either in the store and marked, or waits in the spool, even in a recorded range.
    `is_inserting` is True if an open range may already be partly inserted.
    """

    def __init__(self, *, is_inserting: bool) -> None:
        self._state_changed = threading.Condition()
        self._is_inserting = is_inserting
        self._holder_count = 0
        self._is_over = False

    def begin_insert(self) -> bool:
        """Wait for the holders, unless a range has begun, whose end they wait for; False if the drain should end."""
        with self._state_changed:
            self._state_changed.wait_for(lambda: self._is_inserting or not self._holder_count or self._is_over)
            self._is_inserting = self._is_inserting or not self._is_over
            return not self._is_over

    def end_insert(self) -> None:
        """Record that the range is marked as stored."""
        with self._state_changed:
            self._is_inserting = False
            self._state_changed.notify_all()

    def give_up(self) -> None:
        """Record that the drain is ending and no longer waits for holders."""
        with self._state_changed:
            self._is_over = True
            self._state_changed.notify_all()

    @contextmanager
    def held(self, timeout_seconds: float) -> Iterator[None]:
        """Keep the drain between two ranges during the block, in any thread; raises `Unavailable` on timeout."""
        with self._state_changed:
            self._holder_count += 1
        try:
            with self._state_changed:
                is_between_ranges = self._state_changed.wait_for(lambda: not self._is_inserting, timeout_seconds)
            if not is_between_ranges:
                seconds = f"{timeout_seconds:.0f} seconds"
                raise Unavailable(f"The event store did not accept the queued events within {seconds}.")
            yield
        finally:
            with self._state_changed:
                self._holder_count -= 1
                self._state_changed.notify_all()


class Mover(Protocol):
    """Moves data into the event store and can be held."""

    def held(self, timeout_seconds: float) -> AbstractContextManager[None]:
        """Keep it between two moves while the block runs; see `MoverHold.held`."""
