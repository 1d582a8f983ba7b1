"""Answers to requests with idempotency keys, which `CommitGroup` adds with their events (rules/events#idempotency).

The schema keeps queues within their limits: a new answer displaces the oldest one of its queue, and a new queue the one
of its API key that has been unused for longest (rules/events#queues).
"""

import sqlite3
from collections.abc import Iterable
from typing import Any, NamedTuple

from tallyroom.core.times import DAY_MS

KEEP_MS = DAY_MS
"""How long a key without a queue is remembered."""
QUEUE_KEEP_MS = 60 * DAY_MS
"""How long the newest keys of a queue are remembered."""
MAX_QUEUE_KEYS = 16
MAX_QUEUES = 10_000  # of an API key

_FORGOTTEN_AT_ONCE = 100  # in some milliseconds, during which no request is committed

_FIND_REQUEST = """
    SELECT fingerprint, accepted, 0 FROM idempotency
    WHERE workspace_id = :workspace_id AND environment = :environment AND key = :key AND at_ms > :single_until_ms
    UNION ALL
    SELECT fingerprint, accepted, 1 FROM queued_idempotency
    WHERE workspace_id = :workspace_id AND environment = :environment AND key = :key AND at_ms > :queued_until_ms
"""
_LIST_SINGLE = """
    SELECT workspace_id, environment, key, fingerprint, accepted, at_ms, NULL, NULL FROM idempotency
"""
_LIST_QUEUED = """
    SELECT workspace_id, environment, key, fingerprint, accepted, at_ms, api_key, name
    FROM queued_idempotency JOIN idempotency_queue ON id = queue ORDER BY queued_idempotency.rowid
"""
_USE_QUEUE = (
    "INSERT INTO idempotency_queue (api_key, name, used_ms) VALUES (?, ?, ?)"
    " ON CONFLICT DO UPDATE SET used_ms = excluded.used_ms"
)
_ADD_QUEUED = (
    "INSERT INTO queued_idempotency SELECT ?, ?, ?, ?, ?, ?, id FROM idempotency_queue WHERE api_key = ? AND name = ?"
)


class AcceptedRequest(NamedTuple):
    """A request whose events are durable."""

    fingerprint: str
    event_count: int
    is_queued: bool


def get_keep_ms(*, is_queued: bool) -> int:
    """Return how long a key is remembered, in milliseconds."""
    return QUEUE_KEEP_MS if is_queued else KEEP_MS


def find_accepted_request(
    connection: sqlite3.Connection, workspace_id: str, environment: str, key: str, now_ms: int
) -> AcceptedRequest | None:
    """Return what is known of the request with this key; None if no such request is known."""
    parameters = {
        "workspace_id": workspace_id,
        "environment": environment,
        "key": key,
        "single_until_ms": now_ms - KEEP_MS,
        "queued_until_ms": now_ms - QUEUE_KEEP_MS,
    }
    row = connection.execute(_FIND_REQUEST, parameters).fetchone()
    return None if row is None else AcceptedRequest(row[0], row[1], is_queued=bool(row[2]))


def forget_old_requests(connection: sqlite3.Connection, now_ms: int) -> bool:
    """Delete some expired answers, and return whether there may be more; a change for `Spool.change`."""
    single_keys = connection.execute(
        "DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency WHERE at_ms <= ? LIMIT ?)",
        (now_ms - KEEP_MS, _FORGOTTEN_AT_ONCE),
    )
    # A queue in use forgets its answers as new ones arrive.
    queues = connection.execute(
        "DELETE FROM idempotency_queue WHERE id IN (SELECT id FROM idempotency_queue WHERE used_ms <= ? LIMIT ?)",
        (now_ms - QUEUE_KEEP_MS, _FORGOTTEN_AT_ONCE // MAX_QUEUE_KEYS),
    )
    return single_keys.rowcount + queues.rowcount > 0


def forget_environment_requests(connection: sqlite3.Connection, workspace_id: str, environment: str) -> None:
    """Delete an environment's answers, so that none reaches a new environment with its name; a change for the spool."""
    connection.execute(
        "DELETE FROM idempotency WHERE workspace_id = ? AND environment = ?", (workspace_id, environment)
    )
    connection.execute(
        "DELETE FROM idempotency_queue WHERE id IN"
        " (SELECT queue FROM queued_idempotency WHERE workspace_id = ? AND environment = ?)",
        (workspace_id, environment),
    )


def list_answers(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """List all answers, oldest first, in the columns of `add_answers`; a file of an earlier version has no queues."""
    answers = connection.execute(_LIST_SINGLE).fetchall()
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'queued_idempotency'").fetchone():
        answers += connection.execute(_LIST_QUEUED)
    return answers


def add_answers(connection: sqlite3.Connection, answers: Iterable[tuple[Any, ...]]) -> None:
    """Add answers, oldest first: the columns of `idempotency`, and API key and name of a queue, or None twice."""
    for *columns, at_ms, api_key, name in answers:
        if name is None:
            connection.execute("INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?)", (*columns, at_ms))
            continue
        connection.execute(_USE_QUEUE, (api_key, name, at_ms))
        connection.execute(_ADD_QUEUED, (*columns, at_ms, api_key, name))
