"""Erasure across several workers: each erases the events of its own spool (rules/actors-and-groups#erasure).

Only the worker on a spool knows which of its events are on their way into the store, and how many of them the store
must hold. So an erasure is a list of parts in the metadata, one for each spool in use. A worker that is away does its
part when it is back. Until then, the erasure is not reported as complete.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from tallyroom.cluster import erasure_repository as repository
from tallyroom.cluster.erasure_repository import OpenErasurePart
from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import DAY_MS
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.omissions import begin_omissions, count_omitted_events
from tallyroom.storage.spool.queue import Spool

_TIMEOUT_SECONDS = 15.0
_POLL_SECONDS = 0.05


class SharedErasure(Erasure):
    """Erases within one scope at a time; `announce_removal` returns when all workers know that events were removed."""

    def __init__(
        self,
        spool: Spool,
        drain: Drain,
        writer: Writer,
        announce_removal: Callable[[], Awaitable[None]],
        database: Database,
        clock: Clock,
        id_generator: IdGenerator,
    ) -> None:
        super().__init__(spool, drain, writer, announce_removal)
        self._database = database
        self._spool_id = spool.identity
        self._clock = clock
        self._id_generator = id_generator
        self._lock = asyncio.Lock()

    async def erase_actor(self, scope: Scope, actor: str) -> int:
        """Like `Erasure.erase_actor`; raises `Unavailable` if a worker is late, which still does its part."""
        return await self._erase(scope, actor)

    async def erase_environment(self, scope: Scope) -> int:
        """Like `Erasure.erase_environment`; raises as `erase_actor` does."""
        return await self._erase(scope, None)

    async def erase_for_others(self) -> None:
        """Do the open parts of this worker, oldest first; raises `Unavailable`, also if this worker was replaced."""
        async with self._lock:
            if objection := self._database.peers.find_objection():
                raise Unavailable(objection)
            async with self._database.session(write=False) as db:
                parts = await repository.list_open_parts(db, self._spool_id)
            if parts:
                await self._change_spool(partial(begin_omissions, omissions=[_build_omission(part) for part in parts]))
            for part in parts:
                owned_spool_ids = await self._database.peers.find_owned_spools()
                erased_count = await self.erase_here(part.scope, part.actor, owned_spool_ids)
                erased_count += await self._change_spool(partial(count_omitted_events, erasure_id=part.erasure_id))
                async with self._database.session(write=True) as db:
                    await repository.finish_part(db, part.erasure_id, self._spool_id, erased_count)

    async def _erase(self, scope: Scope, actor: str | None) -> int:
        part, now_ms = OpenErasurePart(self._id_generator.new(), scope, actor), self._clock.now_ms()
        async with self._database.session(write=True) as db:
            await repository.forget_complete_erasures(db, now_ms - DAY_MS)
            await repository.begin_erasure(db, part, now_ms)
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                await self.erase_for_others()
                return await self._wait_until_erased(part.erasure_id)
        except (TimeoutError, TallyroomError) as error:
            raise Unavailable("Some workers are still erasing. Try again to see the result.") from error

    async def _wait_until_erased(self, erasure_id: str) -> int:
        while True:
            async with self._database.session(write=False) as db:
                progress = await repository.read_progress(db, erasure_id)
            if not progress.open_part_count:
                async with self._database.session(write=True) as db:
                    await repository.forget_erasure(db, erasure_id)
                return progress.erased_count
            await asyncio.sleep(_POLL_SECONDS)


def _build_omission(part: OpenErasurePart) -> Omission:
    return Omission(part.erasure_id, part.scope.workspace_id, part.scope.environment, part.actor)
