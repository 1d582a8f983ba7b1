"""The drain's interface to the spool: claim the next range, read its events, and mark it as done.

Functions that write are changes for `Spool.change`; the others only read.
"""

import sqlite3
from dataclasses import dataclass, field

MAX_CLAIM_BYTES = 6_000_000  # one block for the store: about 20,000 events, which take 70 ms to insert


@dataclass(frozen=True, slots=True)
class Claim:
    """A range of chunk ids, whose bytes never change, on its way into the store.

    Attributes:
        resumed: whether the claim was found open, so that parts of it may already be in the store.
    """

    first_id: int
    last_id: int
    resumed: bool = field(default=False, compare=False)


def first_chunk(connection: sqlite3.Connection) -> int | None:
    """Return the id of the oldest chunk that waits; None if none does."""
    (first,) = connection.execute("SELECT min(id) FROM chunk").fetchone()
    return None if first is None else int(first)


def open_claim(connection: sqlite3.Connection) -> Claim | None:
    """Return the claim that a crash or an unreachable store left open; None if there is none."""
    row = connection.execute("SELECT first_id, last_id FROM claim").fetchone()
    return Claim(row[0], row[1], resumed=True) if row else None


def take_claim(connection: sqlite3.Connection) -> Claim | None:
    """Record the next range: the oldest chunks, up to `MAX_CLAIM_BYTES` but at least one; None if there is no chunk."""
    first_id = last_id = total = 0
    for chunk_id, size in connection.execute("SELECT id, bytes FROM chunk ORDER BY id"):
        if total and total + size > MAX_CLAIM_BYTES:
            break
        first_id, last_id, total = first_id or chunk_id, chunk_id, total + size
    if not total:
        return None
    connection.execute("INSERT INTO claim VALUES (?, ?)", (first_id, last_id))
    return Claim(first_id, last_id)


def finish_claim(connection: sqlite3.Connection, claim: Claim) -> tuple[int, int]:
    """Delete the range with its chunks and halves; return how many events and bytes left the spool."""
    span = (claim.first_id, claim.last_id)
    events, size = connection.execute(
        "SELECT coalesce(sum(events), 0), coalesce(sum(bytes), 0) FROM chunk WHERE id BETWEEN ? AND ?", span
    ).fetchone()
    connection.execute("DELETE FROM chunk WHERE id BETWEEN ? AND ?", span)
    connection.execute("DELETE FROM claim")
    connection.execute("DELETE FROM halved")
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'stored'", (events,))
    return events, size


def bodies(connection: sqlite3.Connection, claim: Claim) -> dict[int, tuple[int, bytes]]:
    """Return the events of a range by month: their number and their lines."""
    months: dict[int, list[tuple[int, bytes]]] = {}
    for month, events, body in connection.execute(
        "SELECT month, events, body FROM chunk WHERE id BETWEEN ? AND ? ORDER BY id", (claim.first_id, claim.last_id)
    ):
        months.setdefault(month, []).append((events, body))
    return {
        month: (sum(events for events, _ in found), b"".join(body for _, body in found))
        for month, found in months.items()
    }


def halved_parts(connection: sqlite3.Connection) -> set[tuple[int, int, int]]:
    """Return (month, start, stop) of each part of the open claim that must not be sent whole again."""
    return set(connection.execute("SELECT month, start, stop FROM halved"))


def record_halved(connection: sqlite3.Connection, part: tuple[int, int, int]) -> None:
    """Record that a part is to be sent in halves from now on."""
    connection.execute("INSERT OR IGNORE INTO halved VALUES (?, ?, ?)", part)
