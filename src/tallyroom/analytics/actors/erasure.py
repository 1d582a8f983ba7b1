"""Erasing an actor: events, label and dead letters, answered when it is done (contract 6)."""

import asyncio
import functools

from tallyroom.core.errors import Unavailable
from tallyroom.ingest.drain import Drain
from tallyroom.spool.claim import erase_dead_letters
from tallyroom.spool.queue import Spool
from tallyroom.store.connection import Writer
from tallyroom.store.erase import erase_actor
from tallyroom.store.errors import StoreError
from tallyroom.store.scope import Scope

_DRAIN_SECONDS = 10.0


class Erasure:
    """Erases one actor of one scope at a time.

    Args:
        spool: holds dead letters.
        drain: what was acknowledged has to reach the store first, where it can be deleted.
        writer: the event store.
    """

    def __init__(self, spool: Spool, drain: Drain, writer: Writer) -> None:
        self._spool = spool
        self._drain = drain
        self._writer = writer

    async def erase(self, scope: Scope, actor: str) -> int:
        """Delete everything of `actor` that was acknowledged before the call; returns the number of events.

        Raises:
            Unavailable: the store does not take what waits in the spool, or failed; ask again.
        """
        if not await self._drain.settled(_DRAIN_SECONDS):
            raise Unavailable("Events still wait for the event store; nothing was erased yet. Ask again.")
        forget = functools.partial(
            erase_dead_letters, workspace_id=scope.workspace_id, environment=scope.environment, actor=actor
        )
        dead = await asyncio.wrap_future(self._spool.change(forget))
        try:
            return dead + await asyncio.to_thread(erase_actor, self._writer, scope, actor)
        except StoreError as error:
            raise Unavailable("The event store failed while erasing. Ask again.") from error
