"""Hands the metadata of several workers over to one: with a mark on the database, or as a copy of one moment."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text

from tallyroom.cluster.postgresql.migrate import run_with_connection
from tallyroom.cluster.postgresql.paired_transaction import run_in_paired_transaction
from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import DAY_MS
from tallyroom.storage.metadata.copying import copy_metadata
from tallyroom.storage.metadata.record import AcceptedIdempotencyKey, MonthlyUsage, MoveDestination, SpoolRecords
from tallyroom.storage.metadata.stamp import SECRET_QUERIES
from tallyroom.storage.stamp import Stamp

_LOCK_WORKERS = text("LOCK TABLE workers IN SHARE ROW EXCLUSIVE MODE")
_FENCE_SPOOLS = text("UPDATE spools SET begun = :epoch WHERE state = 'live'")
_FIND_LEASE = text("SELECT spool, host FROM workers WHERE lease_until > clock_timestamp() ORDER BY spool LIMIT 1")
_LIST_LIVE_SPOOLS = text("""
SELECT identity, host, path, acknowledged > stored AS has_events,
    EXISTS (SELECT FROM workers WHERE spool = identity) AS is_unknown, seen_at IS NULL AS is_new,
    EXISTS (SELECT FROM erasure_parts WHERE spool = identity) AS has_erasures,
    EXISTS (SELECT FROM idempotency_keys WHERE spool = identity AND accepted IS NULL) AS has_requests
FROM spools WHERE state = 'live' ORDER BY identity""")
_COUNT_OPEN_KEYS = text("""
SELECT count(*), max(at_ms) FROM idempotency_keys WHERE accepted IS NULL
    AND at_ms > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - :kept_ms""")

_LIST_KEYS = text(
    "SELECT workspace_id, environment, key, fingerprint, accepted, at_ms, api_key_id,"
    " CASE WHEN queue_position IS NOT NULL THEN queue END"
    " FROM idempotency_keys WHERE accepted IS NOT NULL ORDER BY queue_position, at_ms"
)
_LIST_USAGE = text("SELECT workspace_id, month, sum(used)::bigint FROM event_grants GROUP BY workspace_id, month")

_INSERT_STAMP = text("INSERT INTO installation (id, epoch, begun) VALUES (:installation, :epoch, NULL)")
_INSERT_MARK = text("INSERT INTO moved_away (host, path, spool) VALUES (:host, :path, :spool)")


class WorkersNotIdle(TallyroomError):
    """A worker is running, or something in its spool is not yet in the event store and the metadata."""


class MetadataOfWorkers:
    """The metadata of several workers, as a single worker takes it over; the schema is the newest."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn

    def fence_workers(self, epoch: int) -> None:
        """Make each worker start again before it uses its spool; the caller holds the lock. Raises `WorkersNotIdle`."""
        run_with_connection(self._dsn, partial(_fence_workers, epoch=epoch))

    def read_encrypted_secrets(self) -> list[str]:
        """Return all stored secrets, encrypted."""
        return run_with_connection(self._dsn, _read_encrypted_secrets)

    def read_spool_records(self) -> SpoolRecords:
        """Return what a single worker reads from its spool."""
        return run_with_connection(self._dsn, _read_spool_records)

    def hand_over(self, file: Path, stamp: Stamp, destination: MoveDestination) -> int:
        """Copy everything that a single worker needs into a file, verify it, and return the number of rows.

        The same transaction marks the database, so that no worker starts on it again. `file`, in `destination`, has the
        newest schema and no rows; it gets the stamp durably before the mark. Raises `CopyDiffers`.
        """
        return run_in_paired_transaction(self._dsn, file, partial(_hand_over, stamp=stamp, destination=destination))


def _hand_over(
    server_connection: Connection, file_connection: Connection, *, stamp: Stamp, destination: MoveDestination
) -> int:
    row_count = copy_metadata(server_connection, file_connection)
    file_connection.execute(_INSERT_STAMP, {"installation": stamp.installation, "epoch": stamp.epoch})
    server_connection.execute(_INSERT_MARK, destination._asdict())
    return row_count


def _read_encrypted_secrets(server_connection: Connection) -> list[str]:
    return [str(secret) for query in SECRET_QUERIES for (secret,) in server_connection.execute(text(query))]


def copy_metadata_snapshot(
    dsn: str, file: Path, stamp: Stamp, accepts_snapshot: Callable[[], bool]
) -> SpoolRecords | None:
    """Copy everything that a single worker needs, without blocking writers, and return what it reads from its spool.

    `file` is a database with the newest schema and no rows. `accepts_snapshot` is called once the snapshot is taken; if
    it returns False, nothing is copied, and the result is None. Raises `CopyDiffers` if a table differs.
    """

    def copy(server_connection: Connection, file_connection: Connection) -> SpoolRecords | None:
        if not accepts_snapshot():
            return None
        copy_metadata(server_connection, file_connection)
        file_connection.execute(_INSERT_STAMP, {"installation": stamp.installation, "epoch": stamp.epoch})
        return _read_spool_records(server_connection)

    return run_in_paired_transaction(dsn, file, copy, is_snapshot=True)


def _read_spool_records(server_connection: Connection) -> SpoolRecords:
    keys = [AcceptedIdempotencyKey(*row) for row in server_connection.execute(_LIST_KEYS)]
    return SpoolRecords(keys, [MonthlyUsage(*row) for row in server_connection.execute(_LIST_USAGE)])


def _fence_workers(server_connection: Connection, *, epoch: int) -> None:
    with server_connection.begin():
        server_connection.execute(_LOCK_WORKERS)
        server_connection.execute(_FENCE_SPOOLS, {"epoch": epoch})
        if lease := server_connection.execute(_FIND_LEASE).first():
            raise WorkersNotIdle(
                f"A worker on {lease.host} is using the spool {lease.spool}. Stop all workers on all hosts, and run "
                "this again. Nothing was changed."
            )
        unfinished_spools = [
            f"{row.identity} in {row.path} on {row.host} ({reason})"
            for row, reason in _list_unfinished_spools(server_connection)
        ]
        if unfinished_spools:
            raise WorkersNotIdle(
                f"These spools are not fully delivered: {', '.join(unfinished_spools)}. Run their workers until "
                "everything is delivered and stop them, or adopt each spool with `tallyroom spool adopt DIR`. "
                "Nothing was changed."
            )
        open_key_count, newest_ms = server_connection.execute(_COUNT_OPEN_KEYS, {"kept_ms": DAY_MS}).one()
        if open_key_count:
            retry_at = datetime.fromtimestamp((newest_ms + DAY_MS) / 1000, UTC)
            raise WorkersNotIdle(
                f"{open_key_count:,} requests with an Idempotency-Key were running when their worker's spool was lost, "
                f"and may be retried. Run this again after {retry_at:%Y-%m-%d %H:%M} UTC. Nothing was changed."
            )


def _list_unfinished_spools(server_connection: Connection) -> Iterator[tuple[Any, str]]:
    for row in server_connection.execute(_LIST_LIVE_SPOOLS):
        if row.is_unknown:
            yield row, "its worker was not shut down cleanly"
        elif row.is_new:
            yield row, "no worker has used it yet"
        elif row.has_events:
            yield row, "it has queued events"
        elif row.has_erasures:
            yield row, "it has unfinished erasures"
        elif row.has_requests:
            yield row, "it has unsettled requests"
