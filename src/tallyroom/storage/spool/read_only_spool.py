"""Reads from outside what waits in the spool of another process on this host, running or not."""

import sqlite3
from pathlib import Path

from tallyroom.storage.spool.lane import SHARED_LANE, AwaitedChunks, LaneMonth

UNKNOWN_ID = 2**63 - 1
"""Higher than any ID of a chunk."""

_LIST_CHUNKS = """
SELECT id, month, lane FROM chunk LEFT JOIN chunk_lane USING (id) WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?"""
_MAX_CHUNKS_PER_LOOK = 1000  # 1 ms on the event loop


class ReadOnlySpool:
    """Sees each commit as soon as it is durable, without locks; the file may be missing, and may be replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._inode = 0

    def read_last_id(self) -> int:
        """Return the ID of the newest waiting chunk; 0 if there is none, `UNKNOWN_ID` if that cannot be read now."""
        try:
            connection = self._open_current()
            return int(connection.execute("SELECT coalesce(max(id), 0) FROM chunk").fetchone()[0]) if connection else 0
        except (OSError, sqlite3.Error):  # for example while the log is recovered after a crash
            return UNKNOWN_ID

    def find_awaited(self, awaited: AwaitedChunks, first_id: int = 0) -> int | None:
        """Look for an awaited chunk from an ID on; return where the next look has to begin, or None if there is none.

        A look is short, however much waits: it may end before the last awaited chunk.
        """
        look = (first_id, awaited.last_id, _MAX_CHUNKS_PER_LOOK)
        try:
            connection = self._open_current()
            row_count = 0
            for chunk_id, month, lane in connection.execute(_LIST_CHUNKS, look) if connection else ():
                if awaited.includes(LaneMonth(lane or SHARED_LANE, month)):
                    return int(chunk_id)
                row_count += 1
            return int(chunk_id) + 1 if row_count == _MAX_CHUNKS_PER_LOOK else None
        except (OSError, sqlite3.Error):
            return first_id

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open_current(self) -> sqlite3.Connection | None:
        try:
            inode = self._path.stat().st_ino
        except FileNotFoundError:
            return None
        if self._connection is None or inode != self._inode:
            self.close()
            uri = f"{self._path.absolute().as_uri()}?mode=ro"
            self._connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=0)
            self._inode = inode
        return self._connection
