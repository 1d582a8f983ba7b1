"""Reads from outside what waits in the spool of another process on this host, running or not."""

import math
import sqlite3
from pathlib import Path


class ReadOnlySpool:
    """Sees each commit as soon as it is durable, without locks; the file may be missing, and may be replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._inode = 0

    def read_last_id(self) -> float:
        """Return the ID of the newest waiting chunk; 0 if there is none, infinity if that cannot be read now."""
        return self._read_number("SELECT coalesce(max(id), 0) FROM chunk")

    def has_waiting(self, last_id: float) -> bool:
        """Return whether a chunk up to this ID still waits."""
        first_id = self._read_number("SELECT coalesce(min(id), 0) FROM chunk")
        return math.isinf(first_id) or 0 < first_id <= last_id

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _read_number(self, sql: str) -> float:
        try:
            connection = self._open_current()
            return float(connection.execute(sql).fetchone()[0]) if connection else 0
        except (OSError, sqlite3.Error):  # for example while the log is recovered after a crash
            return math.inf

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
