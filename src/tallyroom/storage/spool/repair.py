"""Repairs what changed on the disk in the spool's own records (rules/safety#damaged-events).

If two differ, the higher one counts: a number used twice would make the store drop new events as known ones.
"""

import sqlite3
from collections.abc import Iterator

from tallyroom.storage.spool.event_counts import (
    ACKNOWLEDGED_COUNT,
    ERASED_COUNT,
    LAST_DOUBTFUL_ID,
    LEFT_SPOOL_COUNT,
    MENDED_RECORD_COUNT,
    WRITTEN_OFF_COUNT,
    add_mended_records,
)
from tallyroom.storage.spool.open_range import mend_range

_MAX_NUMBER = 2**53  # more than any count, ID or sequence number

_RESETTABLE_NUMBERS = (ERASED_COUNT, WRITTEN_OFF_COUNT, MENDED_RECORD_COUNT, LAST_DOUBTFUL_ID)


def mend_records(connection: sqlite3.Connection) -> list[str]:
    """Repair what can be repaired, and return the repaired records; a change for `Spool.change`."""
    mended_records = [*_remove_duplicate_chunks(connection), *_mend_counts(connection), *_mend_numbering(connection)]
    if mend_range(connection):
        mended_records.append("the range on its way into the store")
    if mended_records:
        add_mended_records(connection, len(mended_records))
    return mended_records


def _remove_duplicate_chunks(connection: sqlite3.Connection) -> Iterator[str]:
    """Delete duplicate rows: each event has its own sequence number, so no two rows were written alike."""
    duplicates_sql = "SELECT seal, min(id) FROM chunk WHERE seal IS NOT NULL GROUP BY seal, body HAVING count(*) > 1"
    for seal, first_id in connection.execute(duplicates_sql).fetchall():
        body_sql = "(SELECT body FROM chunk WHERE id = ?)"
        connection.execute(
            f"DELETE FROM chunk WHERE seal = ? AND id <> ? AND body = {body_sql}",  # noqa: S608 # our own names
            (seal, first_id, first_id),
        )
        yield "a row that was there twice"


def _mend_counts(connection: sqlite3.Connection) -> Iterator[str]:
    """Derive counts that are not numbers from the others."""
    unreadable_names = {
        name
        for name in (ACKNOWLEDGED_COUNT, LEFT_SPOOL_COUNT, *_RESETTABLE_NUMBERS)
        if _has_number(connection, name) and _read_number(connection, name) is None
    }
    for name in _RESETTABLE_NUMBERS:
        if name in unreadable_names:
            _write_number(connection, name, 0)
    waiting_count = _read_int(connection, "SELECT total(CAST(events AS INTEGER)) FROM chunk") if unreadable_names else 0
    if LEFT_SPOOL_COUNT in unreadable_names:
        acknowledged_count = _read_number(connection, ACKNOWLEDGED_COUNT) or 0
        left_spool_count = max(acknowledged_count - waiting_count, _count_accounted_events(connection))
        _write_number(connection, LEFT_SPOOL_COUNT, left_spool_count)
    if ACKNOWLEDGED_COUNT in unreadable_names:
        left_spool_count = _read_number(connection, LEFT_SPOOL_COUNT) or 0
        _write_number(connection, ACKNOWLEDGED_COUNT, left_spool_count + waiting_count)
    if ERASED_COUNT in unreadable_names:
        left_spool_count = _read_number(connection, LEFT_SPOOL_COUNT) or 0
        _write_number(connection, ERASED_COUNT, max(left_spool_count - _count_accounted_events(connection), 0))
    yield from (f"the number {name}" for name in sorted(unreadable_names))


def _count_accounted_events(connection: sqlite3.Connection) -> int:
    """Return how many events are known to be in the store, put aside, erased or lost."""
    stored_sql = "SELECT total(events) FROM stock WHERE spool = (SELECT value FROM number WHERE name = 'spool')"
    dead_letters_sql = "SELECT count(*) FROM dead_letter"
    removed_count = sum(_read_number(connection, name) or 0 for name in (ERASED_COUNT, WRITTEN_OFF_COUNT))
    return _read_int(connection, stored_sql) + _read_int(connection, dead_letters_sql) + removed_count


def _mend_numbering(connection: sqlite3.Connection) -> Iterator[str]:
    next_seqs = [_read_number(connection, name) for name in ("next_seq", "next_seq_copy")]
    if next_seqs[0] is None or next_seqs[0] != next_seqs[1]:
        repaired_next_seq = max(
            (next_seq for next_seq in next_seqs if next_seq),
            default=(_read_number(connection, ACKNOWLEDGED_COUNT) or 0) + 1 + 2**32,
        )
        _write_number(connection, "next_seq", repaired_next_seq)
        _write_number(connection, "next_seq_copy", repaired_next_seq)
        yield "the next sequence number"
    (newest_chunk_id,) = connection.execute("SELECT coalesce(max(id), 0) FROM chunk").fetchone()
    sequence_rows = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'chunk'").fetchall()
    sequence_ids = [_to_valid_number(row[0]) for row in sequence_rows] or [0]
    recorded_last_id = _read_number(connection, "last_id")
    candidate_ids = [candidate_id for candidate_id in (recorded_last_id, *sequence_ids) if candidate_id is not None]
    if not candidate_ids:
        candidate_ids.append(_read_number(connection, ACKNOWLEDGED_COUNT) or 0)  # every chunk has an event
    highest_id = max(newest_chunk_id, *candidate_ids)
    if newest_chunk_id > max(candidate_ids):  # a changed ID: its row may be in the store under the old one
        _write_number(connection, LAST_DOUBTFUL_ID, newest_chunk_id)
    if recorded_last_id != highest_id or sequence_ids != [highest_id]:
        connection.execute("DELETE FROM sqlite_sequence WHERE name = 'chunk'")
        connection.execute("INSERT INTO sqlite_sequence VALUES ('chunk', ?)", (highest_id,))
        _write_number(connection, "last_id", highest_id)
        yield "the id of the newest chunk"


def _has_number(connection: sqlite3.Connection, name: str) -> bool:
    return _read_int(connection, f"SELECT count(*) FROM number WHERE name = '{name}'") > 0  # noqa: S608 # our own names


def _read_number(connection: sqlite3.Connection, name: str) -> int | None:
    row = connection.execute("SELECT value FROM number WHERE name = ?", (name,)).fetchone()
    return _to_valid_number(row[0]) if row else None


def _to_valid_number(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < _MAX_NUMBER else None


def _write_number(connection: sqlite3.Connection, name: str, value: int) -> None:
    connection.execute("INSERT OR REPLACE INTO number VALUES (?, ?)", (name, value))


def _read_int(connection: sqlite3.Connection, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])
