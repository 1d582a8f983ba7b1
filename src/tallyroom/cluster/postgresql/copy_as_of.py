"""Copies the metadata of running workers into a file, as it is at one moment."""

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
    """Copy all that one worker alone needs; nobody who writes is held up.

    Args:
        dsn: the database, whose schema is the newest.
        file: a database with the newest schema, which has no rows.
        stamp: what the file gets as its stamp.
        accepts_snapshot: called when the moment is fixed; if it returns False, nothing is copied.

    Returns:
        What a worker alone has to know from its spool; None if the moment was not right.

    Raises:
        TallyroomError: the server does not answer, or the file does not take the rows.
        CopyDiffers: a table is not the same in both.
    """

    def copy(server_connection: Connection, file_connection: Connection) -> SpoolRecords | None:
        if not accepts_snapshot():
            return None
        copy_metadata(server_connection, file_connection)
        file_connection.execute(insert(Installation).values(id=stamp.installation, epoch=stamp.epoch, begun=None))
        return read_spool_records(server_connection)

    return run_in_paired_transaction(dsn, file, copy, is_snapshot=True)
