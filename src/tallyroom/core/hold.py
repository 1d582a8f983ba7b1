"""Keeps whoever moves data into the event store between two moves, so that both sides can be looked at as one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tallyroom.core.errors import Unavailable


class Hold:
    """The agreement between the drain and whoever wants it to rest.

    A range that is recorded but has not begun to be inserted counts as not begun: every event is either in the store
    and marked, or waits in the spool.

    Args:
        begun: whether a range that was left open may have begun already.
    """

    def __init__(self, *, begun: bool) -> None:
        self._changed = threading.Condition()
        self._begun = begun
        self._holders = 0
        self._over = False

    def begin(self) -> bool:
        """The drain is about to insert a range: wait for those who hold it; False when the drain is to end instead.

        A range that has begun already goes on without a wait, since the holders wait for its end.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._begun or not self._holders or self._over)
            self._begun = self._begun or not self._over
            return not self._over

    def end(self) -> None:
        """The range is marked as stored."""
        with self._changed:
            self._begun = False
            self._changed.notify_all()

    def give_up(self) -> None:
        """The drain ends and waits for nobody any more."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    @contextmanager
    def held(self, seconds: float) -> Iterator[None]:
        """Keep the drain between two ranges while the block runs, in any thread.

        Raises:
            Unavailable: the range under way did not come to its end within `seconds`.
        """
        with self._changed:
            self._holders += 1
        try:
            with self._changed:
                between = self._changed.wait_for(lambda: not self._begun, seconds)
            if not between:
                raise Unavailable(f"The event store did not take what waits for it within {seconds:.0f} seconds.")
            yield
        finally:
            with self._changed:
                self._holders -= 1
                self._changed.notify_all()
