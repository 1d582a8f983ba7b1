"""Events that were erased while they waited: the drain leaves them out (rules/actors-and-groups#erasure).

Sent bytes never change, so an omission names chunks outside open ranges, and stays until these have left the spool.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.claim import Claim, read_last_doubtful_id, read_oldest_chunk_id, read_open_claim


class OmissionSpan(NamedTuple):
    """An omission, and the first and last ID of the chunks that it concerns."""

    omission: Omission
    first_id: int
    last_id: int


def begin_omissions(connection: sqlite3.Connection, omissions: Sequence[Omission]) -> None:
    """Leave out what waits outside of an open range, and forget finished omissions; a change for `Spool.change`."""
    oldest_chunk_id = read_oldest_chunk_id(connection)
    erasure_ids = {omission.erasure_id for omission in omissions}
    for span in _read_omission_spans(connection):
        if span.omission.erasure_id not in erasure_ids and (oldest_chunk_id is None or span.last_id < oldest_chunk_id):
            connection.execute("DELETE FROM omission WHERE erasure = ?", (span.omission.erasure_id,))
    if oldest_chunk_id is None or not omissions:
        return
    claim = read_open_claim(connection)
    first_omitted_id = max(oldest_chunk_id, claim.last_id + 1 if claim else 0, read_last_doubtful_id(connection) + 1)
    (last_omitted_id,) = connection.execute("SELECT max(id) FROM chunk").fetchone()
    if first_omitted_id <= last_omitted_id:
        rows = [(*omission, first_omitted_id, last_omitted_id) for omission in omissions]
        connection.executemany("INSERT OR IGNORE INTO omission VALUES (?, ?, ?, ?, ?, ?, ?, 0)", rows)


def list_omission_spans(connection: sqlite3.Connection, claim: Claim) -> list[OmissionSpan]:
    """Return the omissions that concern a range."""
    return _read_omission_spans(connection, "WHERE first_id <= ? AND last_id >= ?", claim.last_id, claim.first_id)


def add_omitted_counts(connection: sqlite3.Connection, claim: Claim, count_by_erasure_id: Mapping[str, int]) -> None:
    """Count what a range left out, in the change that marks it; forget omissions by age, whose count is not needed."""
    for erasure_id, event_count in count_by_erasure_id.items():
        connection.execute("UPDATE omission SET events = events + ? WHERE erasure = ?", (event_count, erasure_id))
        connection.execute("UPDATE number SET value = value + ? WHERE name = 'erased'", (event_count,))
    connection.execute("DELETE FROM omission WHERE before_ms IS NOT NULL AND last_id <= ?", (claim.last_id,))


def count_omitted_events(connection: sqlite3.Connection, erasure_id: str) -> int:
    """Return how many waiting events an erasure has taken; a change for `Spool.change`."""
    rows = connection.execute("SELECT events FROM omission WHERE erasure = ?", (erasure_id,)).fetchall()
    return sum(event_count for (event_count,) in rows)


def _read_omission_spans(connection: sqlite3.Connection, condition_sql: str = "", *values: int) -> list[OmissionSpan]:
    columns = "erasure, workspace_id, environment, actor, before_ms, first_id, last_id"
    rows = connection.execute(f"SELECT {columns} FROM omission {condition_sql} ORDER BY erasure", values)  # noqa: S608 # our own names
    return [OmissionSpan(Omission(*row[:5]), *row[5:]) for row in rows]
