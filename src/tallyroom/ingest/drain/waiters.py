"""Those who wait until the drain has reached a chunk."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class DrainWaiters:
    """Futures of event loops that one thread completes.

    Attributes:
        drained_id: a chunk id of the spool; everything up to it is in the store.
    """

    def __init__(self, drained_id: int) -> None:
        self.drained_id = drained_id
        self._lock = threading.Lock()
        self._futures: list[tuple[int, asyncio.Future[None]]] = []

    @contextmanager
    def open_waiter(self, target: int) -> Iterator[asyncio.Future[None]]:
        """Provide a future that is done when everything up to `target` is in the store."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._futures.append((target, future))
        if self.drained_id >= target:  # it arrived between the caller's check and this one
            _wake(future)
        try:
            yield future
        finally:
            with self._lock:
                self._futures = [waiter for waiter in self._futures if waiter[1] is not future]

    def advance(self, last_id: int) -> None:
        """Note that everything up to a chunk is in the store, and wake whoever waits for it."""
        self.drained_id = last_id
        with self._lock:
            ready = [future for target, future in self._futures if target <= last_id]
            self._futures = [(target, future) for target, future in self._futures if target > last_id]
        for future in ready:
            future.get_loop().call_soon_threadsafe(_wake, future)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
