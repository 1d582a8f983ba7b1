"""The chunks that are on their way into the store, recorded twice (rules/safety#damaged-events).

Tokens depend on which chunks these are. So a record that changed on the disk must not be used: stored events would be
sent again under other tokens, or others would be deleted before they are stored.
"""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.storage.spool.chunk_set import ChunkRun, ChunkSet
from tallyroom.storage.spool.event_counts import LAST_DOUBTFUL_ID


class _RangeRecords(NamedTuple):
    claim_rows: Sequence[tuple[object, object]]
    copy_rows: Sequence[tuple[object, object]]
    copy_checksums: Sequence[object]  # one for each row of the copy, all the same

    @property
    def sound_copy(self) -> ChunkSet | None:
        """The copy, if its checksums agree with it."""
        chunk_set = _build_chunk_set(self.copy_rows)
        is_sound = chunk_set is not None and set(self.copy_checksums) == {chunk_set.checksum}
        return chunk_set if is_sound else None

    def is_copy_obsolete(self, oldest_chunk_id: int | None) -> bool:
        """Whether there is no copy, or that of a finished range: version 1, which has no copies, leaves one."""
        if not self.copy_rows:
            return True
        copy = self.sound_copy
        return copy is not None and (oldest_chunk_id is None or copy.last_id < oldest_chunk_id)


def read_open_range(connection: sqlite3.Connection) -> ChunkSet | None:
    """Return the chunks of the open range, all of which wait; None if there are none that are certain.

    Of the range, its copy and the copy's checksum, two must agree. Version 1 writes only the range.
    """
    records = _read_range_records(connection)
    candidates = [records.sound_copy]
    if (chunk_set := _build_chunk_set(records.claim_rows)) is not None and (
        records.is_copy_obsolete(_read_oldest_chunk_id(connection))
        or records.claim_rows == records.copy_rows
        or chunk_set.checksum in records.copy_checksums
    ):
        candidates.append(chunk_set)
    return next((chunks for chunks in candidates if chunks is not None and _do_ends_wait(connection, chunks)), None)


def record_range(connection: sqlite3.Connection, chunk_set: ChunkSet) -> None:
    """Record a range in place of any other."""
    connection.execute("DELETE FROM claim")
    connection.execute("DELETE FROM claim_copy")
    connection.executemany("INSERT INTO claim VALUES (?, ?)", chunk_set.runs)
    checksum = chunk_set.checksum
    connection.executemany("INSERT INTO claim_copy VALUES (?, ?, ?)", [(*run, checksum) for run in chunk_set.runs])


def forget_range(connection: sqlite3.Connection) -> None:
    """Forget the range and its halves."""
    connection.execute("DELETE FROM claim")
    connection.execute("DELETE FROM claim_copy")
    connection.execute("DELETE FROM halved")


def mend_range(connection: sqlite3.Connection) -> bool:
    """Repair the range's records, and return whether one changed; if it is uncertain, all chunks are doubtful."""
    chunk_set, records = read_open_range(connection), _read_range_records(connection)
    is_copy_obsolete = records.is_copy_obsolete(_read_oldest_chunk_id(connection))
    if chunk_set is None:
        are_records_sound = not records.claim_rows and is_copy_obsolete
    else:
        is_copy_sound = is_copy_obsolete or records.sound_copy == chunk_set
        are_records_sound = is_copy_sound and records.claim_rows == list(chunk_set.runs)
    if are_records_sound:
        return False
    if chunk_set is not None:
        record_range(connection, chunk_set)
    else:
        forget_range(connection)
        connection.execute(
            "INSERT OR REPLACE INTO number SELECT ?, coalesce(max(id), 0) FROM chunk", (LAST_DOUBTFUL_ID,)
        )
    return True


def _read_range_records(connection: sqlite3.Connection) -> _RangeRecords:
    claim_rows = connection.execute("SELECT first_id, last_id FROM claim ORDER BY rowid").fetchall()
    copies = connection.execute("SELECT first_id, last_id, checksum FROM claim_copy ORDER BY rowid").fetchall()
    return _RangeRecords(claim_rows, [copy[:2] for copy in copies], [copy[2] for copy in copies])


def _read_oldest_chunk_id(connection: sqlite3.Connection) -> int | None:
    (oldest_chunk_id,) = connection.execute("SELECT min(id) FROM chunk").fetchone()
    return None if oldest_chunk_id is None else int(oldest_chunk_id)


def _build_chunk_set(rows: Sequence[tuple[object, object]]) -> ChunkSet | None:
    """Return the set that rows of a record name; None if they cannot be what this program wrote."""
    runs: list[ChunkRun] = []
    for first_id, last_id in rows:
        if not isinstance(first_id, int) or not isinstance(last_id, int) or first_id > last_id:
            return None
        if runs and first_id <= runs[-1].last_id:
            return None
        runs.append(ChunkRun(first_id, last_id))
    return ChunkSet(tuple(runs)) if runs else None


def _do_ends_wait(connection: sqlite3.Connection, chunk_set: ChunkSet) -> bool:
    ends_sql = "SELECT count(*) FROM chunk WHERE id IN (?, ?)"
    return all(
        connection.execute(ends_sql, run).fetchone()[0] == 1 + (run.first_id != run.last_id) for run in chunk_set.runs
    )
