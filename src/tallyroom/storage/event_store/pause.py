"""Pauses whatever moves data into the event store between two moves, so that both sides can be seen consistently."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from tallyroom.core.errors import Unavailable


class MoverHold:
    """The agreement between the drain and those who want it to rest.

    A range whose insertion has not begun does not count as begun, even if it is recorded: every event is then either in
    the store and marked, or waiting in the spool.

    Args:
        is_inserting: whether an open range exists that may already be partly inserted.
    """

    def __init__(self, *, is_inserting: bool) -> None:
        self._state_changed = threading.Condition()
        self._is_inserting = is_inserting
        self._holder_count = 0
        self._is_over = False

    def begin_insert(self) -> bool:
        """Wait until nobody holds the drain, which is about to insert a range; False if the drain should end instead.

        A range that has already begun continues without waiting, because the holders wait for its end.
        """
        with self._state_changed:
            self._state_changed.wait_for(lambda: self._is_inserting or not self._holder_count or self._is_over)
            self._is_inserting = self._is_inserting or not self._is_over
            return not self._is_over

    def end_insert(self) -> None:
        """Note that the range is marked as stored."""
        with self._state_changed:
            self._is_inserting = False
            self._state_changed.notify_all()

    def give_up(self) -> None:
        """Note that the drain is ending and waits for nobody any more."""
        with self._state_changed:
            self._is_over = True
            self._state_changed.notify_all()

    @contextmanager
    def held(self, timeout_seconds: float) -> Iterator[None]:
        """Keep the drain between two ranges while the block runs; usable in any thread.

        Raises:
            Unavailable: the current range did not finish within `timeout_seconds`.
        """
        with self._state_changed:
            self._holder_count += 1
        try:
            with self._state_changed:
                is_between_ranges = self._state_changed.wait_for(lambda: not self._is_inserting, timeout_seconds)
            if not is_between_ranges:
                raise Unavailable(
                    f"The event store did not accept the waiting events within {timeout_seconds:.0f} seconds."
                )
            yield
        finally:
            with self._state_changed:
                self._holder_count -= 1
                self._state_changed.notify_all()


class Mover(Protocol):
    """Whatever moves data into the event store and can be held."""

    def held(self, timeout_seconds: float) -> AbstractContextManager[None]:
        """Keep it between two moves while the block runs; see `MoverHold.held`."""
        ...
