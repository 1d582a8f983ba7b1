"""Copies metadata from a SQLite file into an empty PostgreSQL database and begins an epoch, in one transaction."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, insert, text

from tallyroom.cluster.postgresql.paired_transaction import run_beside_file
from tallyroom.storage.metadata.copying import copy_metadata
from tallyroom.storage.metadata.models import EventGrant, IdempotencyKey
from tallyroom.storage.metadata.record import MovedSpool

_INSERT_STAMP = text("INSERT INTO installation (id, epoch, begun) VALUES (:installation, :epoch, NULL)")
_INSERT_SPOOL = text(
    "INSERT INTO spools (identity, host, path, epoch, begun, state) VALUES (:spool, :host, :path, :epoch, NULL, 'live')"
)


def take_over(
    path: Path, dsn: str, location: tuple[str, str], spool: MovedSpool, before_commit: Callable[[], None]
) -> int:
    """Copy all tables, verify them, and register the spool; return the number of rows.

    Args:
        path: the file, which nobody uses; its schema is the newest.
        dsn: the database, whose schema is the newest.
        location: the host and the data directory of the spool.
        spool: the one that comes along.
        before_commit: called when all is verified; if it raises, nothing is kept.

    Raises:
        TallyroomError: the database does not answer, has rows already, or cannot have those of the file.
        CopyDiffers: a table is not the same in both.
    """

    def copy(server: Connection, file: Connection) -> int:
        row_count = copy_metadata(file, server)
        _register(server, location, spool)
        before_commit()
        return row_count

    return run_beside_file(dsn, path, copy)


def _register(target: Connection, location: tuple[str, str], spool: MovedSpool) -> None:
    stamp, identity = spool.stamp, spool.identity
    target.execute(_INSERT_STAMP, {"installation": stamp.installation, "epoch": stamp.epoch})
    host, path = location
    target.execute(_INSERT_SPOOL, {"spool": identity, "host": host, "path": path, "epoch": stamp.epoch})
    keys = [{**key._asdict(), "spool": identity, "received_ms": key.at_ms} for key in spool.records.keys]
    grants = [
        {"workspace_id": workspace_id, "month": month, "spool": identity, "granted": event_count, "used": event_count}
        for workspace_id, month, event_count in spool.records.usage
    ]
    if keys:
        target.execute(insert(IdempotencyKey), keys)
    if grants:
        target.execute(insert(EventGrant), grants)
