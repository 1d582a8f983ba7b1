"""Stops the queries that no caller waits for (rules/questions#query-costs)."""

import asyncio
import itertools
import threading
from contextlib import suppress

from tallyroom.core.daemon_threads import DaemonThreads
from tallyroom.storage.event_store.backend.backend import Backend, Canceller, SealedReader
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.property_columns.catalog import Span

_KILL_INTERVAL_SECONDS = 0.2
_KILLS_UNTIL_STUCK = 25  # five seconds, the worst case of the largest pattern (regex_cost.py)


class RunningQuery:
    """A query of a pool, from its submission on; `reader` is set, under `lock`, while the store runs it."""

    def __init__(self, span: Span | None) -> None:
        self.span = span
        self.reader: SealedReader | None = None
        self.has_begun = False
        self.is_unwanted = False
        self.lock = threading.Lock()


class QueryCancellations:
    """Cancels queries of one pool until they end; it belongs to one event loop."""

    def __init__(self, backend: Backend) -> None:
        self.cancelled_count = 0  # queries stopped since the start because their callers gave up
        self.stuck_count = 0  # queries that keep running although they were stopped more than once
        self._backend = backend
        self._threads = DaemonThreads(1, "store-cancel")
        self._canceller: Canceller | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, future: "asyncio.Future[bytes]", query: RunningQuery) -> None:
        """Stop a query that no caller waits for; its slot becomes free when its thread does."""
        self.cancelled_count += 1
        task = asyncio.get_running_loop().create_task(self._cancel_until_done(future, query))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self, timeout_seconds: float) -> None:
        """Wait a limited time for a cancellation in progress, and close the connection."""
        if self._threads.close(timeout_seconds) and self._canceller is not None:
            self._canceller.close()

    async def _cancel_until_done(self, future: "asyncio.Future[bytes]", query: RunningQuery) -> None:
        query.is_unwanted = True
        for kill_count in itertools.count(1):
            with suppress(StoreError):
                await asyncio.wrap_future(self._threads.submit(self._cancel, query))
            await asyncio.wait([future], timeout=_KILL_INTERVAL_SECONDS)
            if future.done():
                break
            if kill_count == _KILLS_UNTIL_STUCK:
                self.stuck_count += 1
                future.add_done_callback(self._note_unstuck)
        if not future.cancelled():
            future.exception()  # marks the exception as retrieved

    def _note_unstuck(self, _future: "asyncio.Future[bytes]") -> None:
        self.stuck_count -= 1

    def _cancel(self, query: RunningQuery) -> None:
        with query.lock:  # so that the reader cannot be running another query when the cancellation arrives
            if query.reader is None:
                return
            if self._canceller is None:
                self._canceller = self._backend.open_canceller()
            try:
                self._canceller.cancel(query.reader.query_name)
            except StoreError:
                self._canceller.close()
                self._canceller = None
                raise
