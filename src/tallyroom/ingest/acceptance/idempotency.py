"""Idempotency keys: a repeated request gets its answer again and counts once (rules/events#idempotency).

The answer is written in the transaction of its events. A request that names the key of another never overtakes it.
"""

import asyncio
import hashlib
import re
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, IdempotencyMismatch, ValidationFailed
from tallyroom.ingest.acceptance.idempotency_keys import IdempotencyKeys, ScopedKey
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import CommitWait, IdempotentRequest, KeyQueue
from tallyroom.storage.spool.replays import AcceptedRequest, find_accepted_request

MAX_WAIT_SECONDS = 2.0
"""How long a request waits for its predecessor to arrive; connections differ by less."""

_MAX_AWAITED_KEYS = 64  # requests that others wait for; each waiting request holds a body
_KEY_HEADER = "Idempotency-Key"
_AFTER_HEADER = "Idempotency-After"
_QUEUE_HEADER = "Idempotency-Queue"
_QUEUE_PATTERN = re.compile(rb"[A-Za-z0-9_-]{22}")
_MAX_KEY_LENGTH = 255
_FIRST_VISIBLE_BYTE, _LAST_VISIBLE_BYTE = 0x21, 0x7E


class IdempotencyRegistry:
    """The answers that are remembered, and the keys whose first request is still in flight."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock, keys: IdempotencyKeys) -> None:
        self._connection = connection
        self._clock = clock
        self._keys = keys
        self._running_wait_by_key: dict[ScopedKey, CommitWait] = {}
        self._awaited_wait_by_key: dict[ScopedKey, CommitWait] = {}

    @asynccontextmanager
    async def claim_key(
        self, scope: Scope, key_header: bytes, body: bytes, queue: KeyQueue | None = None
    ) -> AsyncIterator[tuple[IdempotentRequest | None, AcceptedRequest | None]]:
        """Yield what to store with the events of a first request, or the accepted request that this one repeats.

        The key is in flight during the block, and then the newest of `queue`. Raises `ValidationFailed` if it is
        malformed, `IdempotencyMismatch` for another body, `Conflict` while the first request is in flight, and
        `Unavailable` if that is unknown.
        """
        scoped_key = _parse_key(scope, _KEY_HEADER, key_header)
        fingerprint = hashlib.sha256(body).hexdigest()
        if scoped_key in self._running_wait_by_key:
            raise _build_conflict("A request with this Idempotency-Key is still running.")
        known_request = self._find_request(scoped_key)
        if known_request is not None:
            yield None, _confirm_repeated(fingerprint, known_request)
            return
        commit_wait = self._awaited_wait_by_key.pop(scoped_key, None) or CommitWait()
        self._running_wait_by_key[scoped_key] = commit_wait
        idempotent_request: IdempotentRequest | None = None
        try:
            known_key = await self._keys.claim(scoped_key, fingerprint, queue)
            if known_key is None:
                idempotent_request = IdempotentRequest(
                    scope.environment, scoped_key.key, fingerprint, self._clock.now_ms(), queue, commit_wait
                )
                yield idempotent_request, None
            else:
                commit_wait.peer_received_ms = known_key.received_ms
                commit_wait.decided.set()
                yield None, _confirm_repeated(fingerprint, known_key.request)
        finally:
            commit_wait.is_lost |= not commit_wait.decided.is_set()
            commit_wait.decided.set()
            if idempotent_request is None or await self._keys.release(scoped_key, idempotent_request):
                del self._running_wait_by_key[scoped_key]

    async def wait_for_predecessor(
        self, scope: Scope, after_header: bytes, idempotent_request: IdempotentRequest
    ) -> None:
        """Wait until the request with the key in `after_header` is queued, and have `idempotent_request` follow it.

        Raises `ValidationFailed` for a malformed key or the request's own; or `Conflict` if there is no such request,
        or it was refused: then nothing of this request may be kept.
        """
        scoped_key = _parse_key(scope, _AFTER_HEADER, after_header)
        if scoped_key.key == idempotent_request.key:
            raise ValidationFailed.at([_AFTER_HEADER], f"must not be the request's own {_KEY_HEADER}")
        if scoped_key not in self._running_wait_by_key and self._find_request(scoped_key) is not None:
            return
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                idempotent_request.previous_wait = await self._wait_decided_anywhere(scoped_key)
        except TimeoutError:
            self._awaited_wait_by_key.pop(scoped_key, None)
            raise _build_conflict(f"No request with the key in {_AFTER_HEADER} has arrived.") from None
        if idempotent_request.previous_wait.is_lost:
            raise _build_conflict(f"The request with the key in {_AFTER_HEADER} was refused.")

    async def settle_keys(self) -> None:
        """Report outcomes to other workers that could not be reported before; raises `Unavailable` without metadata."""
        await self._keys.settle_keys()

    async def forget_old_keys(self) -> None:
        """Make other workers forget expired keys; raises `Unavailable` without metadata."""
        await self._keys.forget_old_keys()

    async def _wait_decided_anywhere(self, scoped_key: ScopedKey) -> CommitWait:
        """Return the wait for a request here, or a finished one if another worker has the request."""
        if scoped_key in self._running_wait_by_key or not self._keys.are_shared:
            return await self._wait_decided(scoped_key)
        lookup_tasks = [
            asyncio.ensure_future(lookup)
            for lookup in (self._wait_decided(scoped_key), self._keys.wait_decided_elsewhere(scoped_key))
        ]
        try:
            done_tasks, _ = await asyncio.wait(lookup_tasks, return_when=asyncio.FIRST_COMPLETED)
            self._awaited_wait_by_key.pop(scoped_key, None)
            return done_tasks.pop().result()
        finally:
            for task in lookup_tasks:
                task.cancel()
            await asyncio.gather(*lookup_tasks, return_exceptions=True)

    async def _wait_decided(self, scoped_key: ScopedKey) -> CommitWait:
        commit_wait = self._running_wait_by_key.get(scoped_key, self._awaited_wait_by_key.get(scoped_key))
        if commit_wait is None:
            if len(self._awaited_wait_by_key) >= _MAX_AWAITED_KEYS:
                raise _build_conflict(
                    "Too many requests are waiting for preceding requests that have not arrived. Try again shortly."
                )
            commit_wait = self._awaited_wait_by_key[scoped_key] = CommitWait()
        await commit_wait.decided.wait()
        return commit_wait

    async def close(self) -> None:
        """Settle after the spool is closed, and close the connection."""
        await self._keys.close()
        self._connection.close()

    def _find_request(self, scoped_key: ScopedKey) -> AcceptedRequest | None:
        return find_accepted_request(self._connection, *scoped_key, self._clock.now_ms())


def require_key_header(headers: Mapping[bytes, bytes]) -> None:
    """Raise `ValidationFailed` for a request that follows another or names a queue, but has no key."""
    for header_name in (_AFTER_HEADER, _QUEUE_HEADER):
        if header_name.lower().encode() in headers and b"idempotency-key" not in headers:
            raise ValidationFailed.at([header_name], f"requires an {_KEY_HEADER} as well")


def parse_queue(api_key_id: str, queue_header: bytes | None) -> KeyQueue | None:
    """Return the queue that a request names, if any; raise `ValidationFailed` if its name is malformed."""
    if queue_header is None:
        return None
    if not _QUEUE_PATTERN.fullmatch(queue_header):
        raise ValidationFailed.at([_QUEUE_HEADER], "is not 22 characters of A-Z, a-z, 0-9, - and _")
    return KeyQueue(api_key_id, queue_header.decode("ascii"))


def _confirm_repeated(fingerprint: str, known_request: AcceptedRequest) -> AcceptedRequest:
    if known_request.fingerprint != fingerprint:
        raise IdempotencyMismatch("This Idempotency-Key was already used with another body.")
    return known_request


def _parse_key(scope: Scope, header_name: str, header_value: bytes) -> ScopedKey:
    is_visible = all(_FIRST_VISIBLE_BYTE <= byte <= _LAST_VISIBLE_BYTE for byte in header_value)
    if not 1 <= len(header_value) <= _MAX_KEY_LENGTH or not is_visible:
        raise ValidationFailed.at([header_name], f"is not 1 to {_MAX_KEY_LENGTH} visible ASCII characters")
    return ScopedKey(scope.workspace_id, scope.environment, header_value.decode("ascii"))


def _build_conflict(message: str) -> Conflict:
    return Conflict(message, headers={"retry-after": "1"})
