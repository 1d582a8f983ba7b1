"""Brings the spool to the directory of whoever goes on: a copy of the only one, or a new one in place of several."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.core.ids import RandomBytes
from tallyroom.operations.backup.files import flush_one
from tallyroom.operations.backup.snapshot import Snapshot
from tallyroom.storage.database_file import reading
from tallyroom.storage.metadata.record import KeptKey, KnownBySpools, Usage
from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.dead_letters import DeadLetter, bury, read_dead_letters
from tallyroom.storage.spool.event_counts import read_numbers
from tallyroom.storage.spool.expected_counts import Heap
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file
from tallyroom.storage.spool.stamp import has_numbers, write_stamp
from tallyroom.storage.stamp import Stamp

_NEW = f"{SPOOL_FILE}.moving"
_KEYS = "idempotency (workspace_id, environment, key, fingerprint, accepted, at_ms)"
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
    records: KnownBySpools
    dead_letters: Collection[DeadLetter]
    store_events: Mapping[Heap, int]


def identity_of(folder: Path) -> int | None:
    """Return the identity of the spool in a folder; None if there is none."""
    if not (folder / SPOOL_FILE).exists():
        return None
    with reading(folder / SPOOL_FILE) as connection:
        return read_numbers(connection).spool if has_numbers(connection) else None


def copy_spool(data: Path, folder: Path, stamp: Stamp, advance: Callable[[int], None]) -> KnownBySpools:
    """Copy the spool of `data`, which nobody uses, to `folder` with a new stamp, durably; replace an earlier copy.

    Raises:
        SnapshotDamaged: the spool cannot be read, or the copy has no room.
        OSError, sqlite3.Error: the copy cannot be written.
    """
    with _replacing(folder) as new:
        Snapshot(data / SPOOL_FILE).copy(new, advance)
        with closing(sqlite3.connect(new)) as connection, connection:
            write_stamp(connection, stamp)
            columns = "SELECT workspace_id, environment, key, fingerprint, accepted, at_ms FROM idempotency"
            keys = [KeptKey(*row) for row in connection.execute(columns)]
            usage = [Usage(*row) for row in connection.execute("SELECT workspace_id, month, events FROM usage")]
    return KnownBySpools(keys, usage)


def make_spool(folder: Path, stamp: Stamp, old_spools: MovedSpools, random_bytes: RandomBytes) -> int:
    """Make a spool that goes on in place of others, durably, and return its identity; replace an earlier one.

    Raises:
        OSError, sqlite3.Error: it cannot be written.
    """
    with _replacing(folder) as new, closing(open_spool_file(new)) as connection:
        prepare_spool_file(connection, random_bytes)
        connection.execute("BEGIN")
        while (identity := read_numbers(connection).spool) in old_spools.identities:
            other = int.from_bytes(random_bytes(_IDENTITY_BYTES), "big")
            connection.execute("UPDATE number SET value = ? WHERE name = 'spool'", (other,))
        write_stamp(connection, stamp)
        connection.executemany(f"INSERT INTO {_KEYS} VALUES (?, ?, ?, ?, ?, ?)", old_spools.records.keys)
        connection.executemany(
            "INSERT INTO usage (workspace_id, month, events) VALUES (?, ?, ?)", old_spools.records.usage
        )
        dead_letters = sum(bury(connection, letter) for letter in old_spools.dead_letters)
        connection.execute("UPDATE number SET value = value + ? WHERE name IN ('acked', 'stored')", (dead_letters,))
        expected_counts.take(connection, old_spools.store_events, missing=0)
        connection.execute("COMMIT")
    return identity


def dead_letters_of(folder: Path, identity: int) -> list[DeadLetter]:
    """Return what the spool with this identity has put aside; nothing if it is not in the folder.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    if identity_of(folder) != identity:
        return []
    with reading(folder / SPOOL_FILE) as connection:
        return read_dead_letters(connection)


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """Provide the path of a new spool, which is in its place, durably, when the block ends."""
    new = folder / _NEW
    for left in folder.glob(f"{_NEW}*"):  # by an interrupted attempt
        left.unlink()
    yield new
    for suffix in ("-wal", "-shm"):
        (folder / f"{SPOOL_FILE}{suffix}").unlink(missing_ok=True)
    flush_one(new)
    new.replace(folder / SPOOL_FILE)
    flush_one(folder)
