"""Brings the spool to its new directory: a copy of the only one, or a new one that replaces several."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from tallyroom.core.data_directory import SPOOL_FILE
from tallyroom.core.ids import RandomBytes
from tallyroom.operations.backup.files import flush_path
from tallyroom.operations.backup.snapshot import DatabaseSnapshot
from tallyroom.storage.database_file import open_read_only
from tallyroom.storage.metadata.record import AcceptedIdempotencyKey, MonthlyUsage, SpoolRecords
from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.dead_letters import DeadLetter, add_dead_letter, read_dead_letters
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.expected_counts import SpoolMonth
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file
from tallyroom.storage.spool.replays import add_answers, list_answers
from tallyroom.storage.spool.stamp import has_spool_tables, write_stamp
from tallyroom.storage.stamp import Stamp

_NEW_FILE_NAME = f"{SPOOL_FILE}.moving"
_IDENTITY_BYTES = 4


class ReplacedSpools(NamedTuple):
    """The contents of a new spool that replaces others."""

    identities: Collection[int]  # of all spools that ever existed
    records: SpoolRecords
    dead_letters: Collection[DeadLetter]
    event_count_by_spool_month: Mapping[SpoolMonth, int]  # their events in the event store


def read_identity(folder: Path) -> int | None:
    """Return the identity of the spool in a folder; None if there is none."""
    if not (folder / SPOOL_FILE).exists():
        return None
    with open_read_only(folder / SPOOL_FILE) as connection:
        return read_spool_counts(connection).spool if has_spool_tables(connection) else None


def copy_spool(data_dir: Path, folder: Path, stamp: Stamp, advance: Callable[[int], None]) -> SpoolRecords:
    """Copy the unused spool of `data_dir` to `folder` with a new stamp, durably; replace an earlier copy."""
    with _replace_spool_file(folder) as new_file:
        DatabaseSnapshot(data_dir / SPOOL_FILE).copy_to(new_file, advance)
        with closing(sqlite3.connect(new_file)) as connection, connection:
            write_stamp(connection, stamp)
            accepted_keys = [AcceptedIdempotencyKey(*row) for row in list_answers(connection)]
            usages = [MonthlyUsage(*row) for row in connection.execute("SELECT workspace_id, month, events FROM usage")]
    return SpoolRecords(accepted_keys, usages)


def make_spool(folder: Path, stamp: Stamp, replaced_spools: ReplacedSpools, random_bytes: RandomBytes) -> int:
    """Make a spool that replaces others, durably, and return its identity; overwrite an earlier attempt."""
    with _replace_spool_file(folder) as new_file, closing(open_spool_file(new_file)) as connection:
        prepare_spool_file(connection, random_bytes)
        connection.execute("BEGIN")
        while (identity := read_spool_counts(connection).spool) in replaced_spools.identities:
            other_identity = int.from_bytes(random_bytes(_IDENTITY_BYTES), "big")
            connection.execute("UPDATE number SET value = ? WHERE name = 'spool'", (other_identity,))
        write_stamp(connection, stamp)
        records = replaced_spools.records
        add_answers(connection, records.keys)
        connection.executemany("INSERT INTO usage (workspace_id, month, events) VALUES (?, ?, ?)", records.usage)
        letter_count = sum(add_dead_letter(connection, letter) for letter in replaced_spools.dead_letters)
        connection.execute("UPDATE number SET value = value + ? WHERE name IN ('acked', 'stored')", (letter_count,))
        expected_counts.set_expected(connection, replaced_spools.event_count_by_spool_month, missing_count=0)
        connection.execute("COMMIT")
    return identity


def read_dead_letters_of(folder: Path, identity: int) -> list[DeadLetter]:
    """Return the dead letters of the spool with this identity; empty if it is not in the folder."""
    if read_identity(folder) != identity:
        return []
    with open_read_only(folder / SPOOL_FILE) as connection:
        return read_dead_letters(connection)


@contextmanager
def _replace_spool_file(folder: Path) -> Iterator[Path]:
    """Provide the path of a new spool, which is moved into place, durably, when the block ends."""
    new_file = folder / _NEW_FILE_NAME
    for leftover in folder.glob(f"{_NEW_FILE_NAME}*"):  # from an interrupted attempt
        leftover.unlink()
    yield new_file
    for suffix in ("-wal", "-shm"):
        (folder / f"{SPOOL_FILE}{suffix}").unlink(missing_ok=True)
    flush_path(new_file)
    new_file.replace(folder / SPOOL_FILE)
    flush_path(folder)
