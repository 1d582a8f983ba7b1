"""Erases an actor or an environment: events, labels and dead letters (rules/actors-and-groups#erasure)."""

import asyncio
import functools
import sqlite3
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractContextManager

from tallyroom.core.errors import Unavailable
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.erase import erase_actor, erase_environment
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.change import Change, Result
from tallyroom.storage.spool.dead_letters import erase_dead_letters
from tallyroom.storage.spool.erased_counts import counting_erased
from tallyroom.storage.spool.expected_counts import SpoolMonth
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.replays import forget_environment_requests

_DRAIN_TIMEOUT_SECONDS = 10.0


async def _notify_nobody() -> None:
    """Notify nobody."""


class Erasure:
    """Erases within one scope at a time, for a process that is alone.

    Args:
        spool: holds the dead letters.
        drain: moves acknowledged events into the store first, where they can be deleted.
        writer: the event store.
        notify_workers: returns when all workers know that events are gone.
    """

    def __init__(
        self, spool: Spool, drain: Drain, writer: Writer, notify_workers: Callable[[], Awaitable[None]] = _notify_nobody
    ) -> None:
        self._spool = spool
        self._drain = drain
        self._writer = writer
        self._notify_workers = notify_workers

    async def erase_actor(self, scope: Scope, actor: str) -> int:
        """Delete all of an actor's events that were acknowledged before the call, and return how many there were.

        Raises:
            Unavailable: the store does not take the events that wait in the spool, or failed, or not every worker may
                know that they are gone; ask again.
        """
        return await self.erase_here(scope, actor)

    async def erase_environment(self, scope: Scope) -> int:
        """Delete all of an environment's events acknowledged before the call, and return how many there were.

        Its idempotency keys are deleted, too: if a new environment takes the name, the same request is a new one there.

        Raises:
            Unavailable: as for `erase_actor`.
        """
        return await self.erase_here(scope, None)

    async def erase_for_others(self) -> None:
        """Erase what other workers were asked to erase; there are none."""

    async def erase_here(self, scope: Scope, actor: str | None, spool_ids: Collection[int] | None = None) -> int:
        """Erase what waits in this spool, and what the store has.

        Args:
            scope: the environment.
            actor: whose events to erase; everybody's, and the idempotency keys, if None.
            spool_ids: erase only what came through these, of which one is this worker's; all of it if None.

        Raises:
            Unavailable: the store does not take the events that wait in the spool, or failed, or not every worker may
                know that they are gone.
        """
        if not await self._drain.wait_settled(_DRAIN_TIMEOUT_SECONDS):
            raise Unavailable("Some events have not reached the event store yet, so nothing was erased. Try again.")
        workspace_id, environment = scope.workspace_id, scope.environment
        dead_letter_count = await self._change_spool(
            functools.partial(erase_dead_letters, workspace_id=workspace_id, environment=environment, actor=actor)
        )
        try:
            erased_count = await asyncio.to_thread(self._erase_from_store, scope, actor, spool_ids)
        except (StoreError, sqlite3.Error) as error:
            raise Unavailable("The event store failed while erasing. Try again.") from error
        if actor is None:
            await self._change_spool(
                functools.partial(forget_environment_requests, workspace_id=workspace_id, environment=environment)
            )
        await self._notify_workers()
        return dead_letter_count + erased_count

    async def _change_spool(self, change: Change[Result]) -> Result:
        return await asyncio.wrap_future(self._spool.change(change))

    def _erase_from_store(self, scope: Scope, actor: str | None, spool_ids: Collection[int] | None) -> int:
        if actor is None:
            return erase_environment(self._writer, scope, self._count_erased, spool_ids)
        return erase_actor(self._writer, scope, actor, self._count_erased, spool_ids)

    def _count_erased(self, count_by_spool_month: dict[SpoolMonth, int]) -> AbstractContextManager[None]:
        return counting_erased(self._spool, count_by_spool_month)
