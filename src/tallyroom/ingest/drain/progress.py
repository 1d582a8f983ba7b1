"""How far the drain is, for callers that wait for it (rules/questions#fresh-answers)."""

import asyncio

from tallyroom.core.clock import Clock
from tallyroom.ingest.drain.awaited import build_awaited
from tallyroom.ingest.drain.pace import Pace
from tallyroom.ingest.drain.waiters import DrainWaiters
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

_POLL_SECONDS = 0.005


class DrainProgress:
    """Which acknowledged events the store has. Chunks leave the spool in turns, not in the order of arrival."""

    def __init__(self, spool: Spool, clock: Clock) -> None:
        self._spool = spool
        self._clock = clock
        self._pace = Pace(clock)
        self._waiting_chunks = spool.waiting_chunks
        self._waiters = DrainWaiters(spool.waiting_chunks)

    @property
    def drained_chunk_id(self) -> int:
        """The ID of a chunk; everything up to it is in the store. Later chunks may be there, too."""
        last_id = self._spool.last_id  # first: later chunks may leave the spool before the search
        oldest_id = self._waiting_chunks.find_oldest_id()
        return last_id if oldest_id is None else oldest_id - 1

    async def wait_caught_up(
        self, timeout_seconds: float, from_ms: int | None = None, scope: Scope | None = None
    ) -> bool:
        """Wait until everything acknowledged before this call is in the store; False if that takes too long.

        With `from_ms`, events of earlier UTC months may be missing; with `scope`, those of other environments.
        """
        awaited = build_awaited(self._spool.last_id, from_ms, scope)
        if not self._waiting_chunks.has_any(awaited):
            return True
        with self._waiters.open_waiter(awaited, is_hurried=True) as waiter:
            self._pace.wake()
            try:
                await asyncio.wait_for(waiter, timeout_seconds)
            except TimeoutError:
                return False
        return True

    def has_reached(self, chunk_id: int, scope: Scope | None = None) -> bool:
        """Return whether everything up to a chunk is in the store, except perhaps events outside `scope`."""
        return not self._waiting_chunks.has_any(build_awaited(chunk_id, None, scope))

    async def wait_reached(self, chunk_id: int, scope: Scope | None = None) -> None:
        """Wait, without hurrying the drain and without a time limit, until `has_reached`."""
        if not self.has_reached(chunk_id, scope):
            awaited = build_awaited(chunk_id, None, scope)
            with self._waiters.open_waiter(awaited, is_hurried=False) as waiter:
                await waiter

    async def wait_settled(self, timeout_seconds: float) -> bool:
        """Like `wait_caught_up`, but until no crash can send any of it again, so that later deletions last."""
        target_chunk_id = self._spool.last_id
        deadline = self._clock.monotonic() + timeout_seconds
        while not self._has_marked(target_chunk_id) and self._clock.monotonic() < deadline:
            await self.wait_caught_up(timeout_seconds)
            await asyncio.sleep(_POLL_SECONDS)
        return self._has_marked(target_chunk_id)

    def _has_marked(self, chunk_id: int) -> bool:
        """Return whether no crash can send anything up to a chunk again."""
        oldest_id = self._waiting_chunks.find_oldest_id(is_mark_awaited=True)
        return oldest_id is None or oldest_id > chunk_id
