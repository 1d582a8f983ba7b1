"""Decides whether a worker is alone, or counts and remembers together with the others on its PostgreSQL database."""

import sqlite3

from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers
from tallyroom.db.connection import Database
from tallyroom.ingest.idempotency_keys import IdempotencyKeys, LocalIdempotencyKeys
from tallyroom.ingest.shared_idempotency_keys import SharedIdempotencyKeys


def open_idempotency_keys(
    dsn: str, database: Database, connection: sqlite3.Connection, spool: int, clock: Clock, peers: Peers
) -> IdempotencyKeys:
    """Open the idempotency keys.

    Args:
        dsn: the PostgreSQL database of the metadata; "" if a file has them, which only one process accepts events for.
        database: the metadata.
        connection: reads the file of the worker's spool.
        spool: the identity of that spool.
        clock: determines which keys are too old.
        peers: the workers that share the metadata.
    """
    if not dsn:
        return LocalIdempotencyKeys()
    return SharedIdempotencyKeys(database, connection, spool, clock, peers)
