"""Copies metadata from a SQLite file into an empty PostgreSQL database and begins an epoch, in one transaction."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, text

from tallyroom.cluster.postgresql.paired_transaction import run_in_paired_transaction
from tallyroom.storage.metadata.copying import copy_metadata
from tallyroom.storage.metadata.models import EventGrant, IdempotencyKey, IdempotencyQueue
from tallyroom.storage.metadata.record import AcceptedIdempotencyKey, MovedSpool

_INSERT_STAMP = text("INSERT INTO installation (id, epoch, begun) VALUES (:installation, :epoch, NULL)")
_INSERT_SPOOL = text(
    "INSERT INTO spools (identity, host, path, epoch, begun, state) VALUES (:spool, :host, :path, :epoch, NULL, 'live')"
)


def take_over_metadata(
    file: Path, dsn: str, location: tuple[str, str], moved_spool: MovedSpool, before_commit: Callable[[], None]
) -> int:
    """Copy all tables of the unused `file` into an empty database, register the spool, and return the number of rows.

    `location` is the host and the data directory of the spool. `before_commit` is called when everything is verified;
    if it raises, nothing is copied. Raises `CopyDiffers` if a table differs.
    """

    def copy(server_connection: Connection, file_connection: Connection) -> int:
        row_count = copy_metadata(file_connection, server_connection)
        _register_spool(server_connection, location, moved_spool)
        before_commit()
        return row_count

    return run_in_paired_transaction(dsn, file, copy)


def _register_spool(server_connection: Connection, location: tuple[str, str], moved_spool: MovedSpool) -> None:
    stamp, spool_id = moved_spool.stamp, moved_spool.identity
    server_connection.execute(_INSERT_STAMP, {"installation": stamp.installation, "epoch": stamp.epoch})
    host, path = location
    server_connection.execute(_INSERT_SPOOL, {"spool": spool_id, "host": host, "path": path, "epoch": stamp.epoch})
    keys, queues = _number_queue_keys(moved_spool.records.keys)
    grants = [
        {"workspace_id": workspace_id, "month": month, "spool": spool_id, "granted": event_count, "used": event_count}
        for workspace_id, month, event_count in moved_spool.records.usage
    ]
    if keys:
        server_connection.execute(insert(IdempotencyKey), [{**key, "spool": spool_id} for key in keys])
    if queues:
        server_connection.execute(insert(IdempotencyQueue), queues)
    if grants:
        server_connection.execute(insert(EventGrant), grants)


def _number_queue_keys(keys: Iterable[AcceptedIdempotencyKey]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of the keys, with their positions in their queues, and the rows of these queues."""
    key_rows: list[dict[str, Any]] = []
    queue_row_by_name: dict[tuple[str | None, str], dict[str, Any]] = {}
    for key in keys:
        position = None
        if key.queue is not None:
            queue_row = queue_row_by_name.setdefault(
                (key.api_key_id, key.queue), {"api_key_id": key.api_key_id, "name": key.queue, "last_position": 0}
            )
            queue_row["last_position"] = position = queue_row["last_position"] + 1
            queue_row["used_ms"] = key.at_ms
        key_rows.append({**key._asdict(), "received_ms": key.at_ms, "queue_position": position})
    return key_rows, list(queue_row_by_name.values())
