"""The drain's interface to the spool; functions that write are changes for `Spool.change`."""

import sqlite3
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.spool.chunk_set import ChunkSet
from tallyroom.storage.spool.event_counts import add_mended_records
from tallyroom.storage.spool.lane import SHARED_LANE, LaneMonth
from tallyroom.storage.spool.open_range import forget_range, read_open_range, record_range
from tallyroom.storage.spool.row import UNMAPPED_MONTH

_MAX_CHUNK_BYTES = 1_000_000_000
# The size of a chunk; for a chunk of lines, always the size of the body, even if the number changed.
_BYTE_COUNT_SQL = (
    f"iif(typeof(bytes) = 'integer' AND bytes BETWEEN 0 AND {_MAX_CHUNK_BYTES}"
    f" AND (month = {UNMAPPED_MONTH} OR bytes = length(body)), bytes, coalesce(length(body), 0))"
)


# The chunks of a set, whose runs are bound as JSON. `CROSS JOIN` keeps SQLite from scanning all chunks for each run.
_CHUNKS_OF_RUNS_SQL = (
    "json_each(?) AS run CROSS JOIN chunk"
    " ON chunk.id BETWEEN json_extract(run.value, '$[0]') AND json_extract(run.value, '$[1]')"
)


class ChunksMissing(TallyroomError):
    """Chunks that should wait cannot be found: their rows changed on the disk."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Chunks on their way into the store, whose bytes never change."""

    chunks: ChunkSet
    is_resumed: bool = field(default=False, compare=False)  # it was found open; parts may already be in the store


def read_oldest_chunk_id(connection: sqlite3.Connection) -> int | None:
    """Return the ID of the oldest waiting chunk; None if there is none."""
    (oldest_chunk_id,) = connection.execute("SELECT min(id) FROM chunk").fetchone()
    return None if oldest_chunk_id is None else int(oldest_chunk_id)


class ChunkSize(NamedTuple):
    """What the order of the queue depends on."""

    id: int
    lane_month: LaneMonth
    byte_count: int


def read_chunk_sizes(connection: sqlite3.Connection) -> list[ChunkSize]:
    """Return all waiting chunks, in the order of arrival, without reading their bodies."""
    month_sql = "coalesce(CAST(month AS INTEGER), 0)"
    rows = connection.execute(
        f"SELECT chunk.id, coalesce(CAST(lane AS TEXT), ?), {month_sql}, {_BYTE_COUNT_SQL}"  # noqa: S608 # our own names
        " FROM chunk LEFT JOIN chunk_lane ON chunk_lane.id = chunk.id ORDER BY chunk.id",
        (SHARED_LANE,),
    )
    return [
        ChunkSize(chunk_id, LaneMonth(lane, month), max(byte_count, 1)) for chunk_id, lane, month, byte_count in rows
    ]


def read_open_claim(connection: sqlite3.Connection) -> Claim | None:
    """Return the claim that a crash or an unreachable store left open; None if there is none."""
    chunk_set = read_open_range(connection)
    return Claim(chunk_set, is_resumed=True) if chunk_set else None


def take_claim(connection: sqlite3.Connection, chunk_set: ChunkSet, *, is_doubtful: bool = False) -> Claim:
    """Record the next claim; doubtful chunks are looked up before they are sent. Raises `ChunksMissing`."""
    count_sql = f"SELECT count(*) FROM {_CHUNKS_OF_RUNS_SQL}"  # noqa: S608 # our own names
    (chunk_count,) = connection.execute(count_sql, (_encode_runs(chunk_set),)).fetchone()
    if chunk_count != chunk_set.chunk_count:
        raise ChunksMissing("Rows that wait in the spool cannot be found.")
    record_range(connection, chunk_set)
    return Claim(chunk_set, is_resumed=is_doubtful)


def read_last_doubtful_id(connection: sqlite3.Connection) -> int:
    """Return the ID up to which chunks may be in the store although no range records it; 0 if there are none."""
    row = connection.execute("SELECT CAST(value AS INTEGER) FROM number WHERE name = 'doubtful'").fetchone()
    return int(row[0]) if row else 0


def finish_claim(connection: sqlite3.Connection, claim: Claim) -> int:
    """Delete the range with its chunks and halves; return how many events left the spool."""
    runs_json = _encode_runs(claim.chunks)
    sum_sql = f"SELECT coalesce(sum(events), 0) FROM {_CHUNKS_OF_RUNS_SQL}"  # noqa: S608 # our own names
    (event_count,) = connection.execute(sum_sql, (runs_json,)).fetchone()
    for table in ("chunk_lane", "chunk"):
        ids_sql = f"SELECT chunk.id FROM {_CHUNKS_OF_RUNS_SQL}"  # noqa: S608 # our own names
        connection.execute(f"DELETE FROM {table} WHERE id IN ({ids_sql})", (runs_json,))  # noqa: S608 # our own names
    forget_range(connection)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'stored'", (event_count,))
    return int(event_count)


def _encode_runs(chunk_set: ChunkSet) -> str:
    return msgspec.json.encode(chunk_set.runs).decode()


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
        f"SELECT chunk.id, {number_columns}, coalesce(CAST(body AS BLOB), x''), CAST(seal AS BLOB)"  # noqa: S608 # our own names
        f" FROM {_CHUNKS_OF_RUNS_SQL}",
        (_encode_runs(claim.chunks),),
    )
    # They come in this order anyway, but SQLite would sort them, and copy all bodies twice to do so.
    return sorted([WaitingChunk(*row) for row in rows], key=lambda chunk: chunk.id)


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
