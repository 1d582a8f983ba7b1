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

COMING_SECONDS = 2.0
"""How long a request waits for the one that it follows to arrive; connections differ by less."""

_MOST_COMING = 64  # requests that others wait for; each waiting request holds a body
_KEY_HEADER = "Idempotency-Key"
_AFTER_HEADER = "Idempotency-After"
_MAX_KEY = 255
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
        self._coming: dict[KeyName, CommitWait] = {}

    @asynccontextmanager
    async def first_or_again(
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
        name = _named(scope, _KEY_HEADER, header)
        fingerprint = hashlib.sha256(body).hexdigest()
        if name in self._in_flight:
            raise _conflict("A request with this Idempotency-Key is still running.")
        answer = self._answer(name)
        if answer is not None:
            yield None, _same(fingerprint, *answer)
            return
        place = self._in_flight[name] = self._coming.pop(name) if name in self._coming else CommitWait()
        replay: Replay | None = None
        try:
            first_request = await self._keys.take(name, fingerprint)
            if first_request is None:
                replay = Replay(scope.environment, name.key, fingerprint, self._clock.now_ms(), place)
                yield replay, None
            else:
                place.peer_received_ms = first_request.received_ms
                place.decided.set()
                yield None, _same(fingerprint, first_request.fingerprint, first_request.accepted)
        finally:
            place.is_lost |= not place.decided.is_set()
            place.decided.set()
            if replay is None or await self._keys.leave(name, replay):
                del self._in_flight[name]

    async def stand_behind(self, scope: Scope, header: bytes, replay: Replay) -> None:
        """Wait until the request with the key in `header` is in the queue, and note that `replay` follows it.

        Raises:
            ValidationFailed: the key is malformed, or is the request's own.
            Conflict: there is no such request, or it was refused; then nothing of this request may be kept.
        """
        name = _named(scope, _AFTER_HEADER, header)
        if name.key == replay.key:
            raise ValidationFailed.at([_AFTER_HEADER], f"is the request's own {_KEY_HEADER}")
        if name not in self._in_flight and self._answer(name) is not None:
            return
        try:
            async with asyncio.timeout(COMING_SECONDS):
                replay.previous_wait = await self._first_decided(name)
        except TimeoutError:
            self._coming.pop(name, None)
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

    async def _first_decided(self, name: KeyName) -> CommitWait:
        """Return the place of a request here, or one in front of everything if another worker has kept the request."""
        if name in self._in_flight or not self._keys.are_shared:
            return await self._decided(name)
        looking = [asyncio.ensure_future(place) for place in (self._decided(name), self._keys.elsewhere(name))]
        try:
            tasks, _ = await asyncio.wait(looking, return_when=asyncio.FIRST_COMPLETED)
            self._coming.pop(name, None)
            return tasks.pop().result()
        finally:
            for task in looking:
                task.cancel()
            await asyncio.gather(*looking, return_exceptions=True)

    async def _decided(self, name: KeyName) -> CommitWait:
        place = self._in_flight.get(name, self._coming.get(name))
        if place is None:
            if len(self._coming) >= _MOST_COMING:
                raise _conflict("Too many requests wait for others that have not arrived.")
            place = self._coming[name] = CommitWait()
        await place.decided.wait()
        return place

    async def close(self) -> None:
        """Settle after the spool is closed, and close the connection."""
        await self._keys.close()
        self._connection.close()

    def _answer(self, name: KeyName) -> tuple[str, int] | None:
        return find_replay(self._connection, *name, self._clock.now_ms())


def check_follower(headers: Mapping[bytes, bytes]) -> None:
    """Refuse a request that follows another but has no key by which others could follow it.

    Raises:
        ValidationFailed: it has no key of its own.
    """
    if b"idempotency-after" in headers and b"idempotency-key" not in headers:
        raise ValidationFailed.at([_AFTER_HEADER], f"requires an {_KEY_HEADER} as well")


def _same(fingerprint: str, before: str, accepted: int) -> int:
    """Return what was accepted before under a key, if this is the same request."""
    if before != fingerprint:
        raise IdempotencyMismatch("This Idempotency-Key was already used with another body.")
    return accepted


def _named(scope: Scope, field: str, header: bytes) -> KeyName:
    if not 1 <= len(header) <= _MAX_KEY or not all(_FIRST_VISIBLE <= byte <= _LAST_VISIBLE for byte in header):
        raise ValidationFailed.at([field], f"is not 1 to {_MAX_KEY} visible ASCII characters")
    return KeyName(scope.workspace_id, scope.environment, header.decode("ascii"))


def _conflict(message: str) -> Conflict:
    return Conflict(message, headers={"retry-after": "1"})
