"""Erases an actor or an environment: events, labels and dead letters (rules/actors-and-groups#erasure)."""

import asyncio
import functools
import sqlite3
from collections.abc import Awaitable, Callable, Collection

from tallyroom.core.errors import Unavailable
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.erase import erase_actor, erase_environment
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.change import Change, Result
from tallyroom.storage.spool.dead_letters import erase_dead_letters
from tallyroom.storage.spool.erased_counts import counting_erased
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.replays import forget_environment_requests

_DRAIN_TIMEOUT_SECONDS = 10.0


async def _do_nothing() -> None:
    """Do nothing: there are no other workers."""


class Erasure:
    """Erases within one scope at a time, after the drain; `notify_workers` returns when all workers know."""

    def __init__(
        self, spool: Spool, drain: Drain, writer: Writer, notify_workers: Callable[[], Awaitable[None]] = _do_nothing
    ) -> None:
        self._spool = spool
        self._drain = drain
        self._writer = writer
        self._notify_workers = notify_workers

    async def erase_actor(self, scope: Scope, actor: str) -> int:
        """Delete an actor's events, and return how many; after `Unavailable`, ask again: some may remain."""
        return await self.erase_here(scope, actor)

    async def erase_environment(self, scope: Scope) -> int:
        """Delete an environment's events like `erase_actor`, and its idempotency keys; return how many events."""
        return await self.erase_here(scope, None)

    async def erase_for_others(self) -> None:
        """Do nothing: there are no other workers."""

    async def erase_here(self, scope: Scope, actor: str | None, spool_ids: Collection[int] | None = None) -> int:
        """Erase what waits in this spool and what the store has of `spool_ids`, or of all spools.

        An `actor` of None erases all events and the idempotency keys. Raises as `erase_actor` does.
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
        count_erased = functools.partial(counting_erased, self._spool)
        if actor is None:
            return erase_environment(self._writer, scope, count_erased, spool_ids)
        return erase_actor(self._writer, scope, actor, count_erased, spool_ids)
