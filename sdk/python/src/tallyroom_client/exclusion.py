"""Keeps threads apart, and a signal handler from the thread that it interrupts."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Exclusion:
    """A lock that a signal handler can neither wait for nor break into: its call runs when the thread is done.

    A signal handler runs in the middle of whatever its thread is doing, and the thread cannot go on before the handler
    has returned.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.is_busy = False  # read and changed by the owner of the lock
        self._calls: deque[Callable[[], object]] = deque()

    def defer(self, call: Callable[[], object]) -> None:
        """Run `call` once the thread that this one interrupted is done."""
        self._calls.append(call)

    @contextmanager
    def change(self) -> Iterator[None]:
        """Let nobody in until the block ends."""
        with self.lock:
            self.is_busy = True
            try:
                yield
            finally:
                self.end()

    def end(self) -> None:
        """Run what signal handlers have deferred; the caller holds the lock and is done."""
        self.is_busy = False
        while self._calls:
            self._calls.popleft()()
