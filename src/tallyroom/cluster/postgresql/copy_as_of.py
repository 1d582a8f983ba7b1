"""Copies the metadata of running workers into a file, as of one moment."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, insert

from tallyroom.cluster.postgresql.hand_over import read_spool_records
from tallyroom.cluster.postgresql.paired_transaction import run_in_paired_transaction
from tallyroom.storage.metadata.copying import copy_metadata
from tallyroom.storage.metadata.models import Installation
from tallyroom.storage.metadata.record import SpoolRecords
from tallyroom.storage.stamp import Stamp


def copy_metadata_snapshot(
    dsn: str, file: Path, stamp: Stamp, accepts_snapshot: Callable[[], bool]
) -> SpoolRecords | None:
    """Copy everything that a single worker needs, without blocking writers, and return what it reads from its spool.

    `file` is a database with the newest schema and no rows. `accepts_snapshot` is called once the snapshot is taken; if
    it returns False, nothing is copied, and the result is None. Raises `CopyDiffers` if a table is not the same in
    both.
    """

    def copy(server_connection: Connection, file_connection: Connection) -> SpoolRecords | None:
        if not accepts_snapshot():
            return None
        copy_metadata(server_connection, file_connection)
        file_connection.execute(insert(Installation).values(id=stamp.installation, epoch=stamp.epoch, begun=None))
        return read_spool_records(server_connection)

    return run_in_paired_transaction(dsn, file, copy, is_snapshot=True)
