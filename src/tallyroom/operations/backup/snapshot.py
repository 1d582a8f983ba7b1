"""Copies one consistent state of a live SQLite file while others keep writing to it.

A live file is never opened as plain bytes: closing it would release the locks that SQLite holds in the same process.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.database_file import find_problem
from tallyroom.storage.spool.event_counts import SpoolCounts, read_spool_counts

_PAGES_PER_STEP = 1024


class SnapshotDamaged(TallyroomError):
    """A SQLite file cannot be read completely."""


class DatabaseSnapshot:
    """A read transaction on a write-ahead database, from now on; never blocks writers. Raises `SnapshotDamaged`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
            self._connection.execute("PRAGMA query_only = ON")
            self._connection.execute("BEGIN")
            is_empty = not self.read_number("SELECT count(*) FROM sqlite_master")  # the first read fixes the state
        except sqlite3.Error as error:
            raise SnapshotDamaged(f"{path} cannot be read: {error}.") from error
        if is_empty:
            self.close()
            raise SnapshotDamaged(f"{path} is empty.")

    @property
    def byte_count(self) -> int:
        """The size in bytes, including free pages."""
        return self.read_number("PRAGMA page_count") * self.read_number("PRAGMA page_size")

    def read_number(self, sql: str) -> int:
        """Return the one number that `sql` selects."""
        return int(self._connection.execute(sql).fetchone()[0])

    def read_spool_counts(self) -> SpoolCounts:
        """Return the counts, if this is a spool."""
        return read_spool_counts(self._connection)

    def copy_to(self, target: Path, advance: Callable[[int], None]) -> None:
        """Write this state to a new file for its owner, without free pages, which may contain erased data."""
        full_copy = target.with_name(f"{target.name}.whole")
        for path in (full_copy, target):
            path.touch(mode=0o600, exist_ok=False)
        page_size, copied_pages = self.read_number("PRAGMA page_size"), 0

        def report_pages(_status: int, remaining_pages: int, total_pages: int) -> None:
            nonlocal copied_pages
            advance((total_pages - remaining_pages - copied_pages) * page_size)
            copied_pages = total_pages - remaining_pages

        try:
            with closing(sqlite3.connect(full_copy, isolation_level=None)) as copy_connection:
                self._connection.backup(copy_connection, pages=_PAGES_PER_STEP, progress=report_pages)
                self.close()  # now the original's write-ahead log can be emptied again
                copy_connection.execute("PRAGMA journal_mode = DELETE")
                copy_connection.execute("VACUUM INTO ?", (str(target),))
            problem = find_problem(target)
        except sqlite3.DatabaseError as error:
            problem = str(error)
        if problem:
            raise SnapshotDamaged(f"{self._path} cannot be copied to {target.parent}: {problem}.")
        full_copy.unlink()

    def close(self) -> None:
        """End the transaction."""
        self._connection.close()
