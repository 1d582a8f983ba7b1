"""Idempotency keys: a request that a client repeats is answered again and counted once (contract 4).

The answer is written in the transaction of its events, so it is there exactly when they are.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, IdempotencyMismatch, ValidationFailed
from tallyroom.spool.group import Replay
from tallyroom.store.scope import Scope

KEPT_MS = 24 * 3600 * 1000
_MAX_KEY = 255
_FIRST_VISIBLE, _LAST_VISIBLE = 0x21, 0x7E


class Replays:
    """Knows the answers of the last 24 hours and the keys whose first request still runs.

    Args:
        connection: reads the spool's file.
        clock: tells which answers are too old.
    """

    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._in_flight: set[tuple[str, str, str]] = set()

    @contextmanager
    def first_or_again(self, scope: Scope, header: bytes, body: bytes) -> Iterator[tuple[Replay | None, int | None]]:
        """While inside, the key is in flight.

        Yields:
            (what to store with the events, None) for a first request; (None, accepted) for a repeated one.

        Raises:
            ValidationFailed: the key is empty, longer than 255 characters or has invisible ones.
            IdempotencyMismatch: the key was used with another body.
            Conflict: the first request with the key still runs.
        """
        key = _checked(header)
        fingerprint = hashlib.sha256(body).hexdigest()
        place = (scope.workspace_id, scope.environment, key)
        if place in self._in_flight:
            raise Conflict("A request with this Idempotency-Key still runs.", headers={"retry-after": "1"})
        accepted = self._known(place, fingerprint)
        if accepted is not None:
            yield None, accepted
            return
        self._in_flight.add(place)
        try:
            yield Replay(scope.environment, key, fingerprint, self._clock.now_ms()), None
        finally:
            self._in_flight.discard(place)

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def _known(self, place: tuple[str, str, str], fingerprint: str) -> int | None:
        row = self._connection.execute(
            "SELECT fingerprint, accepted FROM idempotency"
            " WHERE workspace_id = ? AND environment = ? AND key = ? AND at_ms > ?",
            (*place, self._clock.now_ms() - KEPT_MS),
        ).fetchone()
        if row is None:
            return None
        if row[0] != fingerprint:
            raise IdempotencyMismatch("This Idempotency-Key was used before with another body.")
        return int(row[1])


def forget_old_replays(connection: sqlite3.Connection, now_ms: int) -> None:
    """Delete the answers that are older than 24 hours; a change for `Spool.change`."""
    connection.execute("DELETE FROM idempotency WHERE at_ms <= ?", (now_ms - KEPT_MS,))


def forget_replays(connection: sqlite3.Connection, scope: Scope) -> None:
    """Delete the answers of an environment, which must not answer for one that takes its name; a change as above."""
    connection.execute(
        "DELETE FROM idempotency WHERE workspace_id = ? AND environment = ?", (scope.workspace_id, scope.environment)
    )


def _checked(header: bytes) -> str:
    if not 1 <= len(header) <= _MAX_KEY or not all(_FIRST_VISIBLE <= byte <= _LAST_VISIBLE for byte in header):
        raise ValidationFailed.at(["Idempotency-Key"], f"is not 1 to {_MAX_KEY} visible ASCII characters")
    return header.decode("ascii")
