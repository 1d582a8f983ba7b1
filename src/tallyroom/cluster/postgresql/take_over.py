"""Copies metadata from a SQLite file into an empty PostgreSQL database and begins an epoch, in one transaction."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, insert, text

from tallyroom.cluster.postgresql.paired_transaction import run_in_paired_transaction
from tallyroom.storage.metadata.copying import copy_metadata
from tallyroom.storage.metadata.models import EventGrant, IdempotencyKey
from tallyroom.storage.metadata.record import MovedSpool

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
    keys = [{**key._asdict(), "spool": spool_id, "received_ms": key.at_ms} for key in moved_spool.records.keys]
    grants = [
        {"workspace_id": workspace_id, "month": month, "spool": spool_id, "granted": event_count, "used": event_count}
        for workspace_id, month, event_count in moved_spool.records.usage
    ]
    if keys:
        server_connection.execute(insert(IdempotencyKey), keys)
    if grants:
        server_connection.execute(insert(EventGrant), grants)
