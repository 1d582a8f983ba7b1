"""Deletes what is older than an environment keeps: events, labels and dead letters (rules/events#retention-days)."""

import asyncio
import functools
from contextlib import AbstractContextManager

from tallyroom.core.errors import Unavailable
from tallyroom.core.times import DAY_MS
from tallyroom.ingest.drain import Drain
from tallyroom.spool.claim import expire_dead_letters
from tallyroom.spool.erased import counted
from tallyroom.spool.queue import Spool
from tallyroom.spool.stock import Heap
from tallyroom.store.connection import Writer
from tallyroom.store.erase import Outdated, expire
from tallyroom.store.scope import Scope

_DRAIN_SECONDS = 10.0


def cut_ms(retention_days: int, now_ms: int) -> int:
    """The start of the UTC day that holds the moment `retention_days` ago: what happened before it goes.

    So an event stays for at least so many days after it happened, and goes before another day is over.
    """
    return (now_ms // DAY_MS - retention_days) * DAY_MS


class Retention:
    """Deletes within one scope at a time; what a crash interrupts is deleted by the next call.

    Args:
        spool: holds dead letters.
        drain: what was acknowledged has to reach the store first: a crash would send again what is not marked.
        writer: the event store.
    """

    def __init__(self, spool: Spool, drain: Drain, writer: Writer) -> None:
        self._spool = spool
        self._drain = drain
        self._writer = writer

    async def settled(self) -> int:
        """Wait for the drain; returns the sequence number up to which events may be deleted.

        Raises:
            Unavailable: the store does not take what waits in the spool.
        """
        last_seq = self._spool.last_seq
        if not await self._drain.settled(_DRAIN_SECONDS):
            raise Unavailable("Events still wait for the event store.")
        return last_seq

    async def expire(self, scope: Scope, before_ms: int, last_seq: int) -> int:
        """Delete what happened before `before_ms`; returns the number of events.

        Args:
            scope: whose events.
            before_ms: as from `cut_ms`.
            last_seq: as from `settled`; what came later goes at the next call.

        Raises:
            StoreError: the event store failed.
            sqlite3.Error: the spool did.
        """
        forget = functools.partial(
            expire_dead_letters, workspace_id=scope.workspace_id, environment=scope.environment, before_ms=before_ms
        )
        dead = await asyncio.wrap_future(self._spool.change(forget))
        outdated = Outdated(scope, before_ms, self._spool.identity, last_seq)
        return dead + await asyncio.to_thread(expire, self._writer, outdated, self._counted)

    def _counted(self, events: dict[Heap, int]) -> AbstractContextManager[None]:
        return counted(self._spool, events)
