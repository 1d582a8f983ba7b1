"""Turns a restored data directory into a new installation, so that its parts cannot be mixed with the original's."""

from contextlib import closing
from pathlib import Path

from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE
from tallyroom.core.ids import RandomBytes
from tallyroom.operations.installation.inspection import generate_installation_id
from tallyroom.storage.event_store.backend.opening import embedded_backend
from tallyroom.storage.metadata.stamp import open_for_writing, replace_stamp
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file
from tallyroom.storage.spool.stamp import remove_stamp, write_stamp
from tallyroom.storage.stamp import Stamp


def renew_installation(data_dir: Path, random_bytes: RandomBytes) -> None:
    """Give the three parts of `data_dir`, which must not be in use, a new id.

    If the metadata is from a version without ids, no part gets one; the first start gives an id to all of them.
    """
    stamp = Stamp(generate_installation_id(random_bytes), 1)
    with open_for_writing(data_dir / DATABASE_FILE) as metadata_connection:
        has_stamp = replace_stamp(metadata_connection, stamp)
    with closing(open_spool_file(data_dir / SPOOL_FILE)) as spool_connection:
        remove_stamp(spool_connection)
        if has_stamp:
            prepare_spool_file(spool_connection, random_bytes)
            write_stamp(spool_connection, stamp)
    if has_stamp:
        embedded_backend(data_dir).write_stamp(stamp)
