"""Copies the spool to the directory of the worker that goes on with it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tallyroom.backup.files import flush_one
from tallyroom.backup.snapshot import Snapshot
from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.core.database_file import reading
from tallyroom.core.stamp import Stamp
from tallyroom.spool.numbers import read_numbers
from tallyroom.spool.stamp import has_numbers, write_stamp

_NEW = f"{SPOOL_FILE}.moving"


class SharedBySpool(NamedTuple):
    """What only the spool knows, and other workers have to know: rows of its tables `idempotency` and `usage`."""

    keys: list[tuple[str, str, str, str, int, int]]
    usage: list[tuple[str, int, int]]


def identity_of(folder: Path) -> int | None:
    """Return the identity of the spool in a folder; None if there is none."""
    if not (folder / SPOOL_FILE).exists():
        return None
    with reading(folder / SPOOL_FILE) as connection:
        return read_numbers(connection).spool if has_numbers(connection) else None


def copy_spool(data: Path, folder: Path, stamp: Stamp, advance: Callable[[int], None]) -> SharedBySpool:
    """Copy the spool of `data`, which nobody uses, to `folder` with a new stamp, durably; replace an earlier copy.

    Raises:
        SnapshotDamaged: the spool cannot be read, or the copy has no room.
        OSError, sqlite3.Error: the copy cannot be written.
    """
    new = folder / _NEW
    for left in folder.glob(f"{_NEW}*"):  # by an interrupted attempt
        left.unlink()
    Snapshot(data / SPOOL_FILE).copy(new, advance)
    with closing(sqlite3.connect(new)) as connection, connection:
        write_stamp(connection, stamp)
        known = SharedBySpool(
            connection.execute(
                "SELECT workspace_id, environment, key, fingerprint, accepted, at_ms FROM idempotency"
            ).fetchall(),
            connection.execute("SELECT workspace_id, month, events FROM usage").fetchall(),
        )
    for suffix in ("-wal", "-shm"):
        (folder / f"{SPOOL_FILE}{suffix}").unlink(missing_ok=True)
    flush_one(new)
    new.replace(folder / SPOOL_FILE)
    flush_one(folder)
    return known
