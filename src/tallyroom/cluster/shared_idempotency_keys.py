"""Idempotency keys across workers: a row in the metadata records who has taken a key (rules/events#idempotency).

The row is written before the events, and again once they are durable. In between, only that worker's spool knows the
result of the request.
"""

import asyncio
import logging
from typing import Any

from tallyroom.cluster import idempotency_repository as repository
from tallyroom.cluster.idempotency_repository import SettledKey, WantedKey
from tallyroom.cluster.worker_parts import WorkerContext
from tallyroom.core.errors import Conflict, Unavailable
from tallyroom.ingest.acceptance.idempotency_keys import IdempotencyKeys, KnownKey, ScopedKey
from tallyroom.storage.metadata.models import IdempotencyKey
from tallyroom.storage.spool.commit_group import CommitWait, IdempotentRequest, KeyQueue
from tallyroom.storage.spool.replays import AcceptedRequest, find_accepted_request, get_keep_ms

_POLL_SECONDS = 0.05  # between two queries about another worker's request
_FORGET_PAUSE_SECONDS = 0.05  # between two transactions that forget keys, in which other workers may write
_MAX_KEYS_PER_WRITE = 1000

_FIND_KEY = (
    "SELECT spool, accepted, received_ms FROM idempotency_keys"
    " WHERE workspace_id = ? AND environment = ? AND key = ?"
    " AND (at_ms > ? OR (queue_position IS NOT NULL AND at_ms > ?))"
)

_Claim = tuple[WantedKey, "asyncio.Future[KnownKey | int | None]"]
_Settlement = tuple[SettledKey, "asyncio.Future[None]"]

_log = logging.getLogger(__name__)


class SharedIdempotencyKeys(IdempotencyKeys):
    """One worker's keys, and the others' keys in the metadata; concurrent requests share a transaction."""

    are_shared = True

    def __init__(self, context: WorkerContext) -> None:
        self._database = context.database
        self._connection = context.connection
        self._spool_id = context.spool_id
        self._clock = context.clock
        self._peers = context.peers
        self._busy_keys: set[ScopedKey] = set()
        self._claims: list[_Claim] = []
        self._settlements: list[_Settlement] = []
        self._write_task: asyncio.Task[None] | None = None
        self._is_settled = False

    async def claim(self, scoped_key: ScopedKey, fingerprint: str, queue: KeyQueue | None) -> KnownKey | None:
        """Take a key."""
        future: asyncio.Future[KnownKey | int | None] = asyncio.get_running_loop().create_future()
        self._busy_keys.add(scoped_key)
        try:
            self._claims.append((WantedKey(scoped_key, queue, fingerprint, self._clock.now_ms()), future))
            self._write_soon()
            holder = await future
            if isinstance(holder, int):
                await self._raise_taken(holder)
        except BaseException:
            self._busy_keys.discard(scoped_key)
            self._is_settled = False  # the key may have been taken all the same
            raise
        if holder is not None:
            self._busy_keys.discard(scoped_key)
        return holder if isinstance(holder, KnownKey) else None

    async def release(self, scoped_key: ScopedKey, idempotent_request: IdempotentRequest) -> bool:
        """Record what the spool knows; log it if the metadata does not accept it now."""
        accepted_count = idempotent_request.accepted_count or self._count_accepted(scoped_key)
        if accepted_count is None and not idempotent_request.commit_wait.is_lost:
            return False
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        settled_key = SettledKey(scoped_key, idempotent_request.queue, accepted_count, idempotent_request.received_ms)
        try:
            self._settlements.append((settled_key, future))
            self._write_soon()
            await future
        except Unavailable as error:
            _log.warning("the result of an idempotent request will be recorded later", extra={"reason": error.message})
            self._is_settled = False
        finally:
            self._busy_keys.discard(scoped_key)
        return True

    async def wait_decided_elsewhere(self, scoped_key: ScopedKey) -> CommitWait:
        """Poll until the other worker's request is decided."""
        has_been_elsewhere = False
        while True:
            now_ms = self._clock.now_ms()
            expiry_times = (now_ms - get_keep_ms(is_queued=is_queued) for is_queued in (False, True))
            row = await self._database.look_up(_FIND_KEY, *scoped_key, *expiry_times)
            spool_id, accepted_count, received_ms = row or (None, None, 0)
            if accepted_count is not None or (has_been_elsewhere and row is None):
                commit_wait = CommitWait()
                commit_wait.is_lost, commit_wait.peer_received_ms = accepted_count is None, received_ms
                commit_wait.decided.set()
                return commit_wait
            has_been_elsewhere |= spool_id not in (None, self._spool_id)
            await asyncio.sleep(_POLL_SECONDS)

    async def settle_keys(self) -> None:
        """Compare the open keys of this worker with its spool."""
        if self._is_settled:
            return
        self._is_settled = True
        try:
            async with self._database.session(write=True) as db:
                open_keys, now_ms = await repository.list_open_keys(db, self._spool_id), self._clock.now_ms()
                settled_keys = [
                    SettledKey(key, queue, self._count_accepted(key), now_ms)
                    for key, queue in open_keys
                    if key not in self._busy_keys
                ]
                await repository.settle_keys(db, self._spool_id, settled_keys)
        except BaseException:
            self._is_settled = False
            raise

    async def forget_old_keys(self) -> None:
        """Delete all workers' expired keys, in transactions that each take a moment."""
        may_have_more = True
        while may_have_more:
            async with self._database.session(write=True) as db:
                may_have_more = await repository.forget_keys(db, self._clock.now_ms())
            await asyncio.sleep(_FORGET_PAUSE_SECONDS)

    async def close(self) -> None:
        """Settle all keys, including those that were undecided before."""
        if self._write_task is not None:
            await self._write_task
        self._busy_keys.clear()
        self._is_settled = False
        try:
            await self.settle_keys()
        except Unavailable as error:
            _log.warning("open idempotency keys will be settled at the next start", extra={"reason": error.message})

    def _count_accepted(self, scoped_key: ScopedKey) -> int | None:
        """Return the number of events under this key in this worker's spool; None if there are none."""
        accepted_request = find_accepted_request(self._connection, *scoped_key, self._clock.now_ms())
        return None if accepted_request is None else accepted_request.event_count

    async def _raise_taken(self, spool_id: int) -> None:
        """Refuse a request whose key has been taken by the worker on another spool."""
        if await self._peers.is_alive(spool_id):
            raise Conflict("A request with this Idempotency-Key is still running.", headers={"retry-after": "1"})
        raise Unavailable("A stopped worker may have stored a request with this Idempotency-Key. Try again later.")

    def _write_soon(self) -> None:
        if self._write_task is None:
            self._write_task = asyncio.get_running_loop().create_task(self._write_waiting())

    async def _write_waiting(self) -> None:
        try:
            while self._claims or self._settlements:
                await self._write_batch()
        finally:
            self._write_task = None

    async def _write_batch(self) -> None:
        """Write everything that is waiting by the time the write lock is held."""
        claims: list[_Claim] = []
        settlements: list[_Settlement] = []
        try:
            async with self._database.session(write=True) as db:
                claims, settlements = self._take_batch()
                await repository.settle_keys(db, self._spool_id, [key for key, _ in settlements])
                keys = [key for key, _ in claims]
                conflict_by_key = await repository.take_keys(db, self._spool_id, keys, self._clock.now_ms())
        except Exception as error:  # noqa: BLE001 # everyone who waits must get any error
            if not claims and not settlements:
                claims, settlements = self._take_batch()
            futures: list[asyncio.Future[Any]] = [
                *(future for _, future in claims),
                *(future for _, future in settlements),
            ]
            for future in futures:
                if not future.done():
                    future.set_exception(error)
            return
        for key, future in claims:
            if not future.done():  # a caller may have been cancelled
                future.set_result(_read_holder(conflict_by_key.get(key.scoped_key)))
        for _, future in settlements:
            if not future.done():
                future.set_result(None)

    def _take_batch(self) -> tuple[list[_Claim], list[_Settlement]]:
        limit = _MAX_KEYS_PER_WRITE
        claims, self._claims = self._claims[:limit], self._claims[limit:]
        settlements, self._settlements = self._settlements[:limit], self._settlements[limit:]
        return claims, settlements


def _read_holder(row: IdempotencyKey | None) -> KnownKey | int | None:
    """Return the request that has the key, or the spool of the worker where it may still be running."""
    if row is None or row.accepted is None:
        return None if row is None else row.spool
    is_queued = row.queue_position is not None
    return KnownKey(AcceptedRequest(row.fingerprint, row.accepted, is_queued), row.received_ms or 0)
