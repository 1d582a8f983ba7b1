"""The drain's interface to the spool; functions that write are changes for `Spool.change`."""

import sqlite3
from dataclasses import dataclass, field
from typing import NamedTuple

from tallyroom.storage.spool.event_counts import add_mended_records
from tallyroom.storage.spool.open_range import ChunkRange, forget_range, read_open_range, record_range
from tallyroom.storage.spool.row import UNMAPPED_MONTH

MAX_CLAIM_BYTES = 6_000_000  # one block for the store: about 20,000 events, which take 70 ms to insert

_MAX_CHUNK_BYTES = 1_000_000_000
# The size of a chunk; for a chunk of lines, always the size of the body, even if the number changed.
_BYTE_COUNT_SQL = (
    f"iif(typeof(bytes) = 'integer' AND bytes BETWEEN 0 AND {_MAX_CHUNK_BYTES}"
    f" AND (month = {UNMAPPED_MONTH} OR bytes = length(body)), bytes, coalesce(length(body), 0))"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A range of chunk IDs, whose bytes never change, on its way into the store."""

    first_id: int
    last_id: int
    is_resumed: bool = field(default=False, compare=False)  # it was found open; parts may already be in the store


def read_oldest_chunk_id(connection: sqlite3.Connection) -> int | None:
    """Return the ID of the oldest waiting chunk; None if there is none."""
    (oldest_chunk_id,) = connection.execute("SELECT min(id) FROM chunk").fetchone()
    return None if oldest_chunk_id is None else int(oldest_chunk_id)


def count_waiting_bytes(connection: sqlite3.Connection) -> int:
    """Return the size of all waiting rows."""
    (byte_count,) = connection.execute(f"SELECT coalesce(sum({_BYTE_COUNT_SQL}), 0) FROM chunk").fetchone()  # noqa: S608 # our own names
    return int(byte_count)


def read_open_claim(connection: sqlite3.Connection) -> Claim | None:
    """Return the claim that a crash or an unreachable store left open; None if there is none."""
    chunk_range = read_open_range(connection)
    return Claim(*chunk_range, is_resumed=True) if chunk_range else None


def take_claim(connection: sqlite3.Connection) -> Claim | None:
    """Record the next range: chunks up to `MAX_CLAIM_BYTES`, or a single doubtful one, to look up; else None."""
    first_id = read_oldest_chunk_id(connection)
    if first_id is None:
        return None
    last_id, byte_total, is_doubtful = first_id, 0, first_id <= read_last_doubtful_id(connection)
    for chunk_id, byte_count in connection.execute(f"SELECT id, {_BYTE_COUNT_SQL} FROM chunk ORDER BY id"):  # noqa: S608 # our own names
        byte_total += max(byte_count, 1)
        if chunk_id != first_id and (is_doubtful or byte_total > MAX_CLAIM_BYTES):
            break
        last_id = chunk_id
    record_range(connection, ChunkRange(first_id, last_id))
    return Claim(first_id, last_id, is_resumed=is_doubtful)


def read_last_doubtful_id(connection: sqlite3.Connection) -> int:
    """Return the ID up to which chunks may be in the store although no range records it; 0 if there are none."""
    row = connection.execute("SELECT CAST(value AS INTEGER) FROM number WHERE name = 'doubtful'").fetchone()
    return int(row[0]) if row else 0


def finish_claim(connection: sqlite3.Connection, claim: Claim) -> tuple[int, int]:
    """Delete the range with its chunks and halves; return how many events and bytes left the spool."""
    id_span = (claim.first_id, claim.last_id)
    sums_sql = f"coalesce(sum(events), 0), coalesce(sum({_BYTE_COUNT_SQL}), 0)"
    sums_query = f"SELECT {sums_sql} FROM chunk WHERE id BETWEEN ? AND ?"  # noqa: S608 # our own names
    event_count, byte_count = connection.execute(sums_query, id_span).fetchone()
    connection.execute("DELETE FROM chunk WHERE id BETWEEN ? AND ?", id_span)
    forget_range(connection)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'stored'", (event_count,))
    return int(event_count), int(byte_count)


class WaitingChunk(NamedTuple):
    """A row of the queue, perhaps damaged; `body` has lines or frames. Older versions wrote rows without `seal`."""

    id: int
    month: int
    event_count: int
    byte_count: int
    body: bytes
    seal: bytes | None


def read_waiting_chunks(connection: sqlite3.Connection, claim: Claim) -> list[WaitingChunk]:
    """Return the chunks of a range, in order, each value cast to its type."""
    number_columns = ", ".join(f"coalesce(CAST({name} AS INTEGER), 0)" for name in ("month", "events", "bytes"))
    rows = connection.execute(
        f"SELECT id, {number_columns}, coalesce(CAST(body AS BLOB), x''), CAST(seal AS BLOB)"  # noqa: S608 # our own names
        " FROM chunk WHERE id BETWEEN ? AND ? ORDER BY id",
        (claim.first_id, claim.last_id),
    )
    return [WaitingChunk(*row) for row in rows]


def correct_chunk_numbers(connection: sqlite3.Connection, chunk: WaitingChunk) -> None:
    """Correct the numbers of a chunk, and count the correction; the body does not change."""
    add_mended_records(connection, 1)
    connection.execute(
        "UPDATE chunk SET month = ?, events = ?, bytes = ? WHERE id = ?",
        (chunk.month, chunk.event_count, chunk.byte_count, chunk.id),
    )


def read_halved_parts(connection: sqlite3.Connection) -> set[tuple[int, int, int]]:
    """Return (month, start, stop) of each part of the open claim that must not be sent whole again."""
    return set(connection.execute("SELECT month, start, stop FROM halved"))


def record_halved_part(connection: sqlite3.Connection, part: tuple[int, int, int]) -> None:
    """Record that a part must be sent in halves."""
    connection.execute("INSERT OR IGNORE INTO halved VALUES (?, ?, ?)", part)
