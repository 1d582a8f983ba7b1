"""Callers that wait until the drain has reached a chunk."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class DrainWaiters:
    """Futures of event loops, completed by the drain's thread as `drained_chunk_id` advances."""

    def __init__(self, drained_chunk_id: int) -> None:
        self.drained_chunk_id = drained_chunk_id
        self._lock = threading.Lock()
        self._waiting_futures: list[tuple[int, asyncio.Future[None]]] = []

    @contextmanager
    def open_waiter(self, chunk_id: int) -> Iterator[asyncio.Future[None]]:
        """Provide a future that is done when everything up to `chunk_id` is in the store."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._waiting_futures.append((chunk_id, future))
        if self.drained_chunk_id >= chunk_id:  # it arrived between the caller's check and this one
            _wake(future)
        try:
            yield future
        finally:
            with self._lock:
                self._waiting_futures = [waiter for waiter in self._waiting_futures if waiter[1] is not future]

    def advance(self, chunk_id: int) -> None:
        """Record that everything up to a chunk is in the store, and wake those who wait for it."""
        self.drained_chunk_id = chunk_id
        with self._lock:
            reached_futures = [future for waited_id, future in self._waiting_futures if waited_id <= chunk_id]
            self._waiting_futures = [waiter for waiter in self._waiting_futures if waiter[0] > chunk_id]
        for future in reached_futures:
            future.get_loop().call_soon_threadsafe(_wake, future)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
