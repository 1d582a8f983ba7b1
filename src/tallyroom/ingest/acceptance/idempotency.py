"""Idempotency keys: a repeated request gets its answer again and counts once (rules/events#idempotency).

The answer is written in the same transaction as its events, so it exists exactly when they do. A request may name the
key of another request; it then never overtakes that request, even if both are in flight.
"""

import asyncio
import hashlib
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, IdempotencyMismatch, ValidationFailed
from tallyroom.ingest.acceptance.idempotency_keys import IdempotencyKeys, KeyName
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import CommitWait, Replay
from tallyroom.storage.spool.replays import find_replay

MAX_WAIT_SECONDS = 2.0
"""How long a request waits for the one that it follows to arrive; connections differ by less."""

_MAX_AWAITED = 64  # requests that others wait for; each waiting request holds a body
_KEY_HEADER = "Idempotency-Key"
_AFTER_HEADER = "Idempotency-After"
_MAX_KEY_LENGTH = 255
_FIRST_VISIBLE, _LAST_VISIBLE = 0x21, 0x7E


class Replays:
    """The answers of the last 24 hours, and the keys whose first request is still in flight.

    Args:
        connection: reads the spool's file.
        clock: determines which answers are too old.
        keys: knows which keys other workers have.
    """

    def __init__(self, connection: sqlite3.Connection, clock: Clock, keys: IdempotencyKeys) -> None:
        self._connection = connection
        self._clock = clock
        self._keys = keys
        self._in_flight: dict[KeyName, CommitWait] = {}
        self._awaited: dict[KeyName, CommitWait] = {}

    @asynccontextmanager
    async def claim_key(
        self, scope: Scope, header: bytes, body: bytes
    ) -> AsyncIterator[tuple[Replay | None, int | None]]:
        """Look up the key in `header`, and mark it as in flight while the block runs.

        Yields:
            (what to store with the events, None) for a first request; (None, accepted) for a repeated one.

        Raises:
            ValidationFailed: the key is empty, longer than 255 characters or has characters that are not visible ASCII.
            IdempotencyMismatch: the key was used with another body.
            Conflict: the first request with the key is still in flight.
            Unavailable: nobody can tell whether another worker has kept a request with the key.
        """
        name = _parse_key(scope, _KEY_HEADER, header)
        fingerprint = hashlib.sha256(body).hexdigest()
        if name in self._in_flight:
            raise _conflict("A request with this Idempotency-Key is still running.")
        answer = self._find_answer(name)
        if answer is not None:
            yield None, _check_fingerprint(fingerprint, *answer)
            return
        commit_wait = self._in_flight[name] = self._awaited.pop(name) if name in self._awaited else CommitWait()
        replay: Replay | None = None
        try:
            first_request = await self._keys.claim(name, fingerprint)
            if first_request is None:
                replay = Replay(scope.environment, name.key, fingerprint, self._clock.now_ms(), commit_wait)
                yield replay, None
            else:
                commit_wait.peer_received_ms = first_request.received_ms
                commit_wait.decided.set()
                yield None, _check_fingerprint(fingerprint, first_request.fingerprint, first_request.accepted_count)
        finally:
            commit_wait.is_lost |= not commit_wait.decided.is_set()
            commit_wait.decided.set()
            if replay is None or await self._keys.release(name, replay):
                del self._in_flight[name]

    async def wait_for_predecessor(self, scope: Scope, header: bytes, replay: Replay) -> None:
        """Wait until the request with the key in `header` is in the queue, and note that `replay` follows it.

        Raises:
            ValidationFailed: the key is malformed, or is the request's own.
            Conflict: there is no such request, or it was refused; then nothing of this request may be kept.
        """
        name = _parse_key(scope, _AFTER_HEADER, header)
        if name.key == replay.key:
            raise ValidationFailed.at([_AFTER_HEADER], f"is the request's own {_KEY_HEADER}")
        if name not in self._in_flight and self._find_answer(name) is not None:
            return
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                replay.previous_wait = await self._wait_decided_anywhere(name)
        except TimeoutError:
            self._awaited.pop(name, None)
            raise _conflict(f"No request with the key in {_AFTER_HEADER} is known or has arrived.") from None
        if replay.previous_wait.is_lost:
            raise _conflict(f"The request with the key in {_AFTER_HEADER} was refused.")

    async def settle(self) -> None:
        """Let other workers know what became of requests of this one, where that has not worked yet.

        Raises:
            Unavailable: the metadata does not answer.
        """
        await self._keys.settle()

    async def forget(self) -> None:
        """Have other workers forget keys older than 24 hours; those of the spool are forgotten there.

        Raises:
            Unavailable: the metadata does not answer.
        """
        await self._keys.forget()

    async def _wait_decided_anywhere(self, name: KeyName) -> CommitWait:
        """Return the wait for a request here, or one that is over if another worker has kept the request."""
        if name in self._in_flight or not self._keys.are_shared:
            return await self._wait_decided(name)
        lookups = [
            asyncio.ensure_future(lookup) for lookup in (self._wait_decided(name), self._keys.wait_elsewhere(name))
        ]
        try:
            tasks, _ = await asyncio.wait(lookups, return_when=asyncio.FIRST_COMPLETED)
            self._awaited.pop(name, None)
            return tasks.pop().result()
        finally:
            for task in lookups:
                task.cancel()
            await asyncio.gather(*lookups, return_exceptions=True)

    async def _wait_decided(self, name: KeyName) -> CommitWait:
        commit_wait = self._in_flight.get(name, self._awaited.get(name))
        if commit_wait is None:
            if len(self._awaited) >= _MAX_AWAITED:
                raise _conflict("Too many requests wait for others that have not arrived.")
            commit_wait = self._awaited[name] = CommitWait()
        await commit_wait.decided.wait()
        return commit_wait

    async def close(self) -> None:
        """Settle after the spool is closed, and close the connection."""
        await self._keys.close()
        self._connection.close()

    def _find_answer(self, name: KeyName) -> tuple[str, int] | None:
        return find_replay(self._connection, *name, self._clock.now_ms())


def check_follower(headers: Mapping[bytes, bytes]) -> None:
    """Refuse a request that follows another but has no key by which others could follow it.

    Raises:
        ValidationFailed: it has no key of its own.
    """
    if b"idempotency-after" in headers and b"idempotency-key" not in headers:
        raise ValidationFailed.at([_AFTER_HEADER], f"requires an {_KEY_HEADER} as well")


def _check_fingerprint(fingerprint: str, known_fingerprint: str, accepted_count: int) -> int:
    """Return what was accepted before under a key, if this is the same request."""
    if known_fingerprint != fingerprint:
        raise IdempotencyMismatch("This Idempotency-Key was already used with another body.")
    return accepted_count


def _parse_key(scope: Scope, field: str, header: bytes) -> KeyName:
    if not 1 <= len(header) <= _MAX_KEY_LENGTH or not all(_FIRST_VISIBLE <= byte <= _LAST_VISIBLE for byte in header):
        raise ValidationFailed.at([field], f"is not 1 to {_MAX_KEY_LENGTH} visible ASCII characters")
    return KeyName(scope.workspace_id, scope.environment, header.decode("ascii"))


def _conflict(message: str) -> Conflict:
    return Conflict(message, headers={"retry-after": "1"})
