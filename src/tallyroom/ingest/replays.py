"""Idempotency keys: a repeated request gets its answer again and counts once (rules/events#idempotency).

The answer is written in the same transaction as its events, so it exists exactly when they do. A request may name the
key of another request; it then never overtakes that request, even if both are in flight.
"""

import asyncio
import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, IdempotencyMismatch, ValidationFailed
from tallyroom.spool.group import CommitWait, Replay
from tallyroom.spool.replays import find_replay
from tallyroom.store.scope import Scope

COMING_SECONDS = 2.0
"""How long a request waits for the one that it follows to arrive; connections differ by less."""

_MOST_COMING = 64  # requests that others wait for; each waiting request holds a body
_KEY_HEADER = "Idempotency-Key"
_AFTER_HEADER = "Idempotency-After"
_Name = tuple[str, str, str]
"""Workspace, environment, key."""
_MAX_KEY = 255
_FIRST_VISIBLE, _LAST_VISIBLE = 0x21, 0x7E


class Replays:
    """The answers of the last 24 hours, and the keys whose first request is still in flight.

    Args:
        connection: reads the spool's file.
        clock: determines which answers are too old.
    """

    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._in_flight: dict[_Name, CommitWait] = {}
        self._coming: dict[_Name, CommitWait] = {}

    @contextmanager
    def first_or_again(self, scope: Scope, header: bytes, body: bytes) -> Iterator[tuple[Replay | None, int | None]]:
        """Look up the key in `header`, and mark it as in flight while the block runs.

        Yields:
            (what to store with the events, None) for a first request; (None, accepted) for a repeated one.

        Raises:
            ValidationFailed: the key is empty, longer than 255 characters or has characters that are not visible ASCII.
            IdempotencyMismatch: the key was used with another body.
            Conflict: the first request with the key is still in flight.
        """
        name = _named(scope, _KEY_HEADER, header)
        fingerprint = hashlib.sha256(body).hexdigest()
        if name in self._in_flight:
            raise _conflict("A request with this Idempotency-Key is still running.")
        accepted = self._known(name, fingerprint)
        if accepted is not None:
            yield None, accepted
            return
        queued = self._in_flight[name] = self._coming.pop(name) if name in self._coming else CommitWait()
        try:
            yield Replay(scope.environment, name[-1], fingerprint, self._clock.now_ms(), queued), None
        finally:
            del self._in_flight[name]
            queued.lost |= not queued.decided.is_set()
            queued.decided.set()

    async def stand_behind(self, scope: Scope, header: bytes, replay: Replay) -> None:
        """Wait until the request with the key in `header` is in the queue, and note that `replay` follows it.

        Raises:
            ValidationFailed: the key is malformed, or is the request's own.
            Conflict: there is no such request, or it was refused; then nothing of this request may be kept.
        """
        name = _named(scope, _AFTER_HEADER, header)
        if name[-1] == replay.key:
            raise ValidationFailed.at([_AFTER_HEADER], f"is the request's own {_KEY_HEADER}")
        if name not in self._in_flight and self._answer(name) is not None:
            return
        try:
            async with asyncio.timeout(COMING_SECONDS):
                replay.behind = await self._decided(name)
        except TimeoutError:
            self._coming.pop(name, None)
            raise _conflict(f"No request with the key in {_AFTER_HEADER} is known or has arrived.") from None
        if replay.behind.lost:
            raise _conflict(f"The request with the key in {_AFTER_HEADER} was refused.")

    async def _decided(self, name: _Name) -> CommitWait:
        queued = self._in_flight.get(name, self._coming.get(name))
        if queued is None:
            if len(self._coming) >= _MOST_COMING:
                raise _conflict("Too many requests wait for others that have not arrived.")
            queued = self._coming[name] = CommitWait()
        await queued.decided.wait()
        return queued

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _known(self, name: _Name, fingerprint: str) -> int | None:
        answer = self._answer(name)
        if answer is None:
            return None
        if answer[0] != fingerprint:
            raise IdempotencyMismatch("This Idempotency-Key was already used with another body.")
        return answer[1]

    def _answer(self, name: _Name) -> tuple[str, int] | None:
        return find_replay(self._connection, *name, self._clock.now_ms())


def check_alone(header: bytes | None) -> None:
    """Refuse a request that follows another but has no key by which others could follow it.

    Raises:
        ValidationFailed: `header` was sent with a request that has no key of its own.
    """
    if header is not None:
        raise ValidationFailed.at([_AFTER_HEADER], f"requires an {_KEY_HEADER} as well")


def _named(scope: Scope, field: str, header: bytes) -> _Name:
    if not 1 <= len(header) <= _MAX_KEY or not all(_FIRST_VISIBLE <= byte <= _LAST_VISIBLE for byte in header):
        raise ValidationFailed.at([field], f"is not 1 to {_MAX_KEY} visible ASCII characters")
    return scope.workspace_id, scope.environment, header.decode("ascii")


def _conflict(message: str) -> Conflict:
    return Conflict(message, headers={"retry-after": "1"})
