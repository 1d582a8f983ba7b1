"""The range of chunks that is on its way into the store, recorded twice (rules/safety#damaged-events).

Its tokens depend on where it begins and ends. So a range that changed on the disk must not be used: stored events would
be sent again under other tokens, or others would be deleted before they are stored.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple
from zlib import crc32

from tallyroom.storage.spool.event_counts import LAST_DOUBTFUL_ID


class ChunkRange(NamedTuple):
    """The IDs of a first and a last chunk."""

    first_id: int
    last_id: int

    @property
    def checksum(self) -> int:
        """The checksum recorded in the copy."""
        return crc32(f"{self.first_id}-{self.last_id}".encode())


def read_open_range(connection: sqlite3.Connection) -> ChunkRange | None:
    """Return the open range, from the oldest chunk to an existing one; None if there is none that is certain.

    Of the range, its copy and the copy's checksum, two must agree. An older version writes only the range.
    """
    (oldest_chunk_id,) = connection.execute("SELECT min(id) FROM chunk").fetchone()
    claims, copies = _read_range_records(connection)
    candidate_ranges = [ChunkRange(*copy[:2]) for copy in copies if _is_sound_copy(copy)]
    candidate_ranges += [
        ChunkRange(*claim)
        for claim in claims
        if _are_ids(claim)
        and (
            _are_copies_obsolete(copies, oldest_chunk_id)
            or any(claim == copy[:2] or ChunkRange(*claim).checksum == copy[2] for copy in copies)
        )
    ]
    last_id_sql = "SELECT max(id) FROM chunk WHERE id = ?"
    for chunk_range in candidate_ranges:
        (existing_last_id,) = connection.execute(last_id_sql, (chunk_range.last_id,)).fetchone()
        if chunk_range.first_id == oldest_chunk_id and chunk_range.last_id == existing_last_id:
            return chunk_range
    return None


def record_range(connection: sqlite3.Connection, chunk_range: ChunkRange) -> None:
    """Record a range in place of any other."""
    connection.execute("DELETE FROM claim")
    connection.execute("DELETE FROM claim_copy")
    connection.execute("INSERT INTO claim VALUES (?, ?)", chunk_range)
    connection.execute("INSERT INTO claim_copy VALUES (?, ?, ?)", (*chunk_range, chunk_range.checksum))


def forget_range(connection: sqlite3.Connection) -> None:
    """Forget the range and its halves."""
    connection.execute("DELETE FROM claim")
    connection.execute("DELETE FROM claim_copy")
    connection.execute("DELETE FROM halved")


def mend_range(connection: sqlite3.Connection) -> bool:
    """Repair the range's records, and return whether one changed; if its end is uncertain, all chunks are doubtful."""
    chunk_range = read_open_range(connection)
    claims, copies = _read_range_records(connection)
    oldest_chunk_id, newest_chunk_id = connection.execute("SELECT min(id), max(id) FROM chunk").fetchone()
    if chunk_range is None:
        are_records_sound = not claims and _are_copies_obsolete(copies, oldest_chunk_id)
    else:
        are_records_sound = claims == [chunk_range] and (
            copies == [(*chunk_range, chunk_range.checksum)] or _are_copies_obsolete(copies, oldest_chunk_id)
        )
    if are_records_sound:
        return False
    if chunk_range is not None:
        record_range(connection, chunk_range)
    else:
        forget_range(connection)
        connection.execute("INSERT OR REPLACE INTO number VALUES (?, ?)", (LAST_DOUBTFUL_ID, newest_chunk_id or 0))
    return True


def _are_copies_obsolete(copies: Sequence[Sequence[Any]], oldest_chunk_id: int | None) -> bool:
    """Return whether all copies are of finished ranges: an older version, which has no copies, leaves one."""
    if not all(map(_is_sound_copy, copies)):
        return False
    return oldest_chunk_id is None or all(copy[1] < oldest_chunk_id for copy in copies)


def _read_range_records(connection: sqlite3.Connection) -> tuple[list[Any], list[Any]]:
    claims = connection.execute("SELECT first_id, last_id FROM claim").fetchall()
    copies = connection.execute("SELECT first_id, last_id, checksum FROM claim_copy").fetchall()
    return claims, copies


def _is_sound_copy(copy: Sequence[Any]) -> bool:
    first_id, last_id, checksum = copy
    return _are_ids((first_id, last_id)) and ChunkRange(first_id, last_id).checksum == checksum


def _are_ids(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int) for value in values)
