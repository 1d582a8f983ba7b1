"""Events that were erased while they waited: the drain leaves them out (rules/actors-and-groups#erasure).

Sent bytes never change, so an omission leaves out the chunks of an open range, its gaps, and stays until all the others
have left the spool.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.chunk_set import ChunkRun
from tallyroom.storage.spool.claim import Claim, read_last_doubtful_id, read_oldest_chunk_id, read_open_claim


class OmissionSpan(NamedTuple):
    """An omission, and the first and last ID of the chunks that it concerns, except for those in the gaps."""

    omission: Omission
    first_id: int
    last_id: int
    gaps: tuple[ChunkRun, ...] = ()

    def concerns(self, chunk_id: int) -> bool:
        """Return whether the events of a chunk are left out."""
        is_in_span = self.first_id <= chunk_id <= self.last_id
        return is_in_span and not any(first_id <= chunk_id <= last_id for first_id, last_id in self.gaps)


def begin_omissions(connection: sqlite3.Connection, omissions: Sequence[Omission]) -> None:
    """Leave out what waits outside of an open range, and forget finished omissions; a change for `Spool.change`."""
    oldest_chunk_id = read_oldest_chunk_id(connection)
    erasure_ids = {omission.erasure_id for omission in omissions}
    spans = [span for span in _read_omission_spans(connection) if span.omission.erasure_id not in erasure_ids]
    _forget_finished(connection, spans)
    if oldest_chunk_id is None or not omissions:
        return
    first_omitted_id = max(oldest_chunk_id, read_last_doubtful_id(connection) + 1)
    (last_omitted_id,) = connection.execute("SELECT max(id) FROM chunk").fetchone()
    claim = read_open_claim(connection)
    for omission in omissions if first_omitted_id <= last_omitted_id else ():
        row = (*omission, first_omitted_id, last_omitted_id)
        insert_sql = "INSERT OR IGNORE INTO omission VALUES (?, ?, ?, ?, ?, ?, ?, 0)"
        if connection.execute(insert_sql, row).rowcount and claim is not None:
            gap_rows = [(omission.erasure_id, *run) for run in claim.chunks.runs]
            connection.executemany("INSERT INTO omission_gap VALUES (?, ?, ?)", gap_rows)


def list_omission_spans(connection: sqlite3.Connection, claim: Claim) -> list[OmissionSpan]:
    """Return the omissions that may concern chunks of a claim."""
    id_span = (claim.chunks.last_id, claim.chunks.first_id)
    return _read_omission_spans(connection, "WHERE first_id <= ? AND last_id >= ?", *id_span)


def add_omitted_counts(connection: sqlite3.Connection, count_by_erasure_id: Mapping[str, int]) -> None:
    """Count what a range left out, in the change that marks it; forget omissions by age, whose count is not needed."""
    for erasure_id, event_count in count_by_erasure_id.items():
        connection.execute("UPDATE omission SET events = events + ? WHERE erasure = ?", (event_count, erasure_id))
        connection.execute("UPDATE number SET value = value + ? WHERE name = 'erased'", (event_count,))
    _forget_finished(connection, _read_omission_spans(connection, "WHERE before_ms IS NOT NULL"))


def count_omitted_events(connection: sqlite3.Connection, erasure_id: str) -> int:
    """Return how many waiting events an erasure has taken; a change for `Spool.change`."""
    rows = connection.execute("SELECT events FROM omission WHERE erasure = ?", (erasure_id,)).fetchall()
    return sum(event_count for (event_count,) in rows)


def _read_omission_spans(connection: sqlite3.Connection, condition_sql: str = "", *values: int) -> list[OmissionSpan]:
    columns = "erasure, workspace_id, environment, actor, before_ms, first_id, last_id"
    rows = connection.execute(f"SELECT {columns} FROM omission {condition_sql} ORDER BY erasure", values)  # noqa: S608 # our own names
    return [
        OmissionSpan(Omission(*omission_values), first_id, last_id, _read_gaps(connection, omission_values[0]))
        for *omission_values, first_id, last_id in rows.fetchall()
    ]


def _read_gaps(connection: sqlite3.Connection, erasure_id: str) -> tuple[ChunkRun, ...]:
    rows = connection.execute(
        "SELECT first_id, last_id FROM omission_gap WHERE erasure = ? ORDER BY first_id", (erasure_id,)
    )
    return tuple(ChunkRun(*row) for row in rows)


def _forget_finished(connection: sqlite3.Connection, spans: Sequence[OmissionSpan]) -> None:
    """Forget the omissions none of whose chunks wait anymore."""
    oldest_chunk_id = read_oldest_chunk_id(connection)
    for span in spans:
        if oldest_chunk_id is None or span.last_id < oldest_chunk_id:
            for table in ("omission", "omission_gap"):
                connection.execute(f"DELETE FROM {table} WHERE erasure = ?", (span.omission.erasure_id,))  # noqa: S608 # our own names
