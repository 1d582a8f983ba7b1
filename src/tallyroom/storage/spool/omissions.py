"""Events that were erased while they waited: the drain leaves them out (rules/actors-and-groups#erasure).

The bytes that are sent for a range never change, so an omission names the chunks that it concerns, none of which is on
its way into the store yet. It stays until all of them are gone.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tallyroom.storage.omission import Omission
from tallyroom.storage.spool.claim import Claim, first_chunk, last_doubtful, open_claim


class OmissionSpan(NamedTuple):
    """An omission and the chunks that it concerns, by their first and last id."""

    omission: Omission
    first_id: int
    last_id: int


def begin_omissions(connection: sqlite3.Connection, omissions: Sequence[Omission]) -> None:
    """Leave out what waits now and is in no open range, and forget other omissions; a change for `Spool.change`.

    An omission that is known already goes on as it is; another is forgotten once its chunks are gone.
    """
    waiting = first_chunk(connection)
    ids = {omission.erasure for omission in omissions}
    for span in _spans(connection):
        if span.omission.erasure not in ids and (waiting is None or span.last_id < waiting):
            connection.execute("DELETE FROM omission WHERE erasure = ?", (span.omission.erasure,))
    if waiting is None or not omissions:
        return
    claim = open_claim(connection)
    first = max(waiting, claim.last_id + 1 if claim else 0, last_doubtful(connection) + 1)
    (last,) = connection.execute("SELECT max(id) FROM chunk").fetchone()
    if first <= last:
        rows = [(*omission, first, last) for omission in omissions]
        connection.executemany("INSERT OR IGNORE INTO omission VALUES (?, ?, ?, ?, ?, ?, ?, 0)", rows)


def spans_in(connection: sqlite3.Connection, claim: Claim) -> list[OmissionSpan]:
    """Return the omissions that concern a range."""
    return _spans(connection, "WHERE first_id <= ? AND last_id >= ?", claim.last_id, claim.first_id)


def count_omitted(connection: sqlite3.Connection, claim: Claim, events: Mapping[str, int]) -> None:
    """Count as erased what a range left out, by erasure; part of the change that marks the range as stored.

    Omissions by age are then forgotten, as nobody asks for their count.
    """
    for erasure, left_out in events.items():
        connection.execute("UPDATE omission SET events = events + ? WHERE erasure = ?", (left_out, erasure))
        connection.execute("UPDATE number SET value = value + ? WHERE name = 'erased'", (left_out,))
    connection.execute("DELETE FROM omission WHERE before_ms IS NOT NULL AND last_id <= ?", (claim.last_id,))


def omitted_events(connection: sqlite3.Connection, erasure: str) -> int:
    """Return how many events an erasure has taken of those that waited; a change for `Spool.change`."""
    counts = connection.execute("SELECT events FROM omission WHERE erasure = ?", (erasure,)).fetchall()
    return sum(events for (events,) in counts)


def _spans(connection: sqlite3.Connection, condition: str = "", *values: int) -> list[OmissionSpan]:
    columns = "erasure, workspace_id, environment, actor, before_ms, first_id, last_id"
    rows = connection.execute(f"SELECT {columns} FROM omission {condition} ORDER BY erasure", values)  # noqa: S608 # our own names
    return [OmissionSpan(Omission(*row[:5]), *row[5:]) for row in rows]
