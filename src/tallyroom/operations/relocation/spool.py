"""Brings the spool to the directory of whoever goes on: a copy of the only one, or a new one in place of several."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.core.ids import RandomBytes
from tallyroom.operations.backup.files import flush_path
from tallyroom.operations.backup.snapshot import Snapshot
from tallyroom.storage.database_file import open_read_only
from tallyroom.storage.metadata.record import AcceptedKey, SpoolRecords, Usage
from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.dead_letters import DeadLetter, add_dead_letter, read_dead_letters
from tallyroom.storage.spool.event_counts import read_numbers
from tallyroom.storage.spool.expected_counts import SpoolMonth
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file
from tallyroom.storage.spool.stamp import has_numbers, write_stamp
from tallyroom.storage.stamp import Stamp

_NEW_NAME = f"{SPOOL_FILE}.moving"
_KEY_COLUMNS = "idempotency (workspace_id, environment, key, fingerprint, accepted, at_ms)"
_IDENTITY_BYTES = 4


class MovedSpools(NamedTuple):
    """What a new spool goes on with.

    Attributes:
        identities: those of all spools that there ever were.
        records: what they knew.
        dead_letters: what they have put aside.
        store_events: the number of their events in the event store, by spool and month.
    """

    identities: Collection[int]
    records: SpoolRecords
    dead_letters: Collection[DeadLetter]
    store_events: Mapping[SpoolMonth, int]


def read_identity(folder: Path) -> int | None:
    """Return the identity of the spool in a folder; None if there is none."""
    if not (folder / SPOOL_FILE).exists():
        return None
    with open_read_only(folder / SPOOL_FILE) as connection:
        return read_numbers(connection).spool if has_numbers(connection) else None


def copy_spool(data: Path, folder: Path, stamp: Stamp, advance: Callable[[int], None]) -> SpoolRecords:
    """Copy the spool of `data`, which nobody uses, to `folder` with a new stamp, durably; replace an earlier copy.

    Raises:
        SnapshotDamaged: the spool cannot be read, or the copy has no room.
        OSError, sqlite3.Error: the copy cannot be written.
    """
    with _replace_spool_file(folder) as new:
        Snapshot(data / SPOOL_FILE).copy_to(new, advance)
        with closing(sqlite3.connect(new)) as connection, connection:
            write_stamp(connection, stamp)
            columns = "SELECT workspace_id, environment, key, fingerprint, accepted, at_ms FROM idempotency"
            keys = [AcceptedKey(*row) for row in connection.execute(columns)]
            usage = [Usage(*row) for row in connection.execute("SELECT workspace_id, month, events FROM usage")]
    return SpoolRecords(keys, usage)


def make_spool(folder: Path, stamp: Stamp, old_spools: MovedSpools, random_bytes: RandomBytes) -> int:
    """Make a spool that goes on in place of others, durably, and return its identity; replace an earlier one.

    Raises:
        OSError, sqlite3.Error: it cannot be written.
    """
    with _replace_spool_file(folder) as new, closing(open_spool_file(new)) as connection:
        prepare_spool_file(connection, random_bytes)
        connection.execute("BEGIN")
        while (identity := read_numbers(connection).spool) in old_spools.identities:
            other = int.from_bytes(random_bytes(_IDENTITY_BYTES), "big")
            connection.execute("UPDATE number SET value = ? WHERE name = 'spool'", (other,))
        write_stamp(connection, stamp)
        connection.executemany(f"INSERT INTO {_KEY_COLUMNS} VALUES (?, ?, ?, ?, ?, ?)", old_spools.records.keys)
        connection.executemany(
            "INSERT INTO usage (workspace_id, month, events) VALUES (?, ?, ?)", old_spools.records.usage
        )
        dead_letters = sum(add_dead_letter(connection, letter) for letter in old_spools.dead_letters)
        connection.execute("UPDATE number SET value = value + ? WHERE name IN ('acked', 'stored')", (dead_letters,))
        expected_counts.set_expected(connection, old_spools.store_events, missing_count=0)
        connection.execute("COMMIT")
    return identity


def read_dead_letters_of(folder: Path, identity: int) -> list[DeadLetter]:
    """Return what the spool with this identity has put aside; nothing if it is not in the folder.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    if read_identity(folder) != identity:
        return []
    with open_read_only(folder / SPOOL_FILE) as connection:
        return read_dead_letters(connection)


@contextmanager
def _replace_spool_file(folder: Path) -> Iterator[Path]:
    """Provide the path of a new spool, which is in its place, durably, when the block ends."""
    new = folder / _NEW_NAME
    for left in folder.glob(f"{_NEW_NAME}*"):  # by an interrupted attempt
        left.unlink()
    yield new
    for suffix in ("-wal", "-shm"):
        (folder / f"{SPOOL_FILE}{suffix}").unlink(missing_ok=True)
    flush_path(new)
    new.replace(folder / SPOOL_FILE)
    flush_path(folder)
