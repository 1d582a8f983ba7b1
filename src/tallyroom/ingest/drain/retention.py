"""Deletes events, labels and dead letters that have passed an environment's retention (rules/events#retention-days)."""

import asyncio
import functools

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import NoPeers, Peers
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.erase import OutdatedEvents, expire_events
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.dead_letters import expire_dead_letters
from tallyroom.storage.spool.erased_counts import counting_erased
from tallyroom.storage.spool.queue import Spool

_DRAIN_TIMEOUT_SECONDS = 10.0


class RetentionEraser:
    """Deletes within one scope at a time, after the drain has marked what it stored; the next call completes it."""

    def __init__(self, spool: Spool, drain: Drain, writer: Writer, peers: Peers | None = None) -> None:
        self._peers = peers or NoPeers()
        self._spool = spool
        self._drain = drain
        self._writer = writer

    async def wait_for_drained_seq(self) -> int:
        """Wait for the drain, and return the `last_seq` for `expire`; raises `Unavailable` if the store is behind."""
        last_seq = self._spool.last_seq
        if not await self._drain.wait_settled(_DRAIN_TIMEOUT_SECONDS):
            raise Unavailable("Events are still queued for the event store.")
        return last_seq

    async def expire(self, scope: Scope, before_ms: int, last_seq: int) -> int:
        """Delete and count old events up to `last_seq`; raises `StoreError`, `sqlite3.Error` or `Unavailable`."""
        expire_old_letters = functools.partial(
            expire_dead_letters, workspace_id=scope.workspace_id, environment=scope.environment, before_ms=before_ms
        )
        dead_letter_count = await asyncio.wrap_future(self._spool.change(expire_old_letters))
        owned_spools = await self._peers.find_owned_spools()
        outdated_events = OutdatedEvents(scope, before_ms, self._spool.identity, last_seq, owned_spools)
        count_erased = functools.partial(counting_erased, self._spool)
        return dead_letter_count + await asyncio.to_thread(expire_events, self._writer, outdated_events, count_erased)
