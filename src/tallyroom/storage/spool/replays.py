"""Answers to requests with idempotency keys, which `CommitGroup` adds with their events (rules/events#idempotency)."""

import sqlite3

KEEP_MS = 24 * 3600 * 1000


def find_accepted_request(
    connection: sqlite3.Connection, workspace_id: str, environment: str, key: str, now_ms: int
) -> tuple[str, int] | None:
    """Return a request's fingerprint and number of events; None if no request with the key is known."""
    row: tuple[str, int] | None = connection.execute(
        "SELECT fingerprint, accepted FROM idempotency"
        " WHERE workspace_id = ? AND environment = ? AND key = ? AND at_ms > ?",
        (workspace_id, environment, key, now_ms - KEEP_MS),
    ).fetchone()
    return row


def forget_old_requests(connection: sqlite3.Connection, now_ms: int) -> None:
    """Delete answers older than 24 hours; a change for `Spool.change`."""
    connection.execute("DELETE FROM idempotency WHERE at_ms <= ?", (now_ms - KEEP_MS,))


def forget_environment_requests(connection: sqlite3.Connection, workspace_id: str, environment: str) -> None:
    """Delete an environment's answers, so that none reaches a new environment with its name; a change for the spool."""
    connection.execute(
        "DELETE FROM idempotency WHERE workspace_id = ? AND environment = ?", (workspace_id, environment)
    )
