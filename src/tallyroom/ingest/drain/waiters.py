"""Callers that wait until the drain has stored chunks."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tallyroom.storage.spool.lane import AwaitedChunks
from tallyroom.storage.spool.waiting_chunks import WaitingChunks


class DrainWaiters:
    """Futures of event loops, completed by the drain's thread when the store has what each waits for."""

    def __init__(self, waiting_chunks: WaitingChunks) -> None:
        self._waiting_chunks = waiting_chunks
        self._lock = threading.Lock()
        self._waiting_futures: list[tuple[AwaitedChunks, bool, asyncio.Future[None]]] = []

    @contextmanager
    def open_waiter(self, awaited: AwaitedChunks, *, is_hurried: bool) -> Iterator[asyncio.Future[None]]:
        """Provide a future that is done when the awaited chunks are in the store; `is_hurried` shortens rests."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._waiting_futures.append((awaited, is_hurried, future))
        if not self._waiting_chunks.has_any(awaited):  # they arrived between the caller's check and this one
            _wake(future)
        try:
            yield future
        finally:
            with self._lock:
                self._waiting_futures = [waiter for waiter in self._waiting_futures if waiter[2] is not future]

    def list_hurried(self) -> list[AwaitedChunks]:
        """Return what hurried callers wait for, once for callers that differ only in the last chunk."""
        last_id_by_kind: dict[tuple[int, str | None], int] = {}
        with self._lock:
            for (last_id, from_month, lane), is_hurried, _ in self._waiting_futures:
                if is_hurried:
                    kind = (from_month, lane)
                    last_id_by_kind[kind] = max(last_id, last_id_by_kind.get(kind, 0))
        return [AwaitedChunks(last_id, *kind) for kind, last_id in last_id_by_kind.items()]

    def wake_reached(self) -> None:
        """Wake the callers whose chunks are in the store."""
        with self._lock:
            waiting_futures = list(self._waiting_futures)
        for awaited, _, future in waiting_futures:
            if not self._waiting_chunks.has_any(awaited):
                future.get_loop().call_soon_threadsafe(_wake, future)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
