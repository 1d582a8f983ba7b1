"""Commits requests and changes to the spool's file, and mends the file's records after a fault.

Nothing counts as durable in a file that was moved, deleted or replaced: the next start would not find it.
"""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tallyroom.core import failpoints
from tallyroom.core.ids import RandomBytes
from tallyroom.storage.file_identity import Astray, FileIdentities, paths_with_log
from tallyroom.storage.spool.change import Change, Outcome, run_in_savepoint
from tallyroom.storage.spool.commit_group import CommitGroup
from tallyroom.storage.spool.counters import Counters
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file, reopen_spool_file
from tallyroom.storage.spool.repair import mend_records
from tallyroom.storage.upgrade_log import OnMigration

_log = logging.getLogger(__name__)


class Committer:
    """The one connection that writes the spool; only the spool's thread commits."""

    def __init__(self, path: Path, random_bytes: RandomBytes, on_migration: OnMigration) -> None:
        self._path = path
        self.counters = Counters()
        self._connection = open_spool_file(path)
        prepare_spool_file(self._connection, random_bytes, on_migration)
        self._mend_and_read_counters()
        self._file_identities = FileIdentities(*paths_with_log(path))
        self._was_astray = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def is_astray(self) -> bool:
        """Whether the file was moved, deleted or replaced, so that it can no longer keep anything."""
        return self._file_identities.find_astray() is not None

    def read_identity(self) -> int:
        """Return the 32 random bits that distinguish this spool's events from others."""
        number_by_name = dict(self._connection.execute("SELECT name, value FROM number"))
        return int(number_by_name["spool"])

    def open_reader(self) -> sqlite3.Connection:
        """Open a separate connection for reading; raises `Astray`."""
        self._file_identities.refuse_astray()
        return reopen_spool_file(self._path)

    def call_after_commit(self, callback: Callable[[], None]) -> None:
        """Call `callback` once the current change is durable; called by a change."""
        self._callbacks.append(callback)

    def mend(self, connection: sqlite3.Connection) -> None:
        """Correct records that changed on the disk; a change."""
        for mended_record in mend_records(connection):
            _log.error("a record of the spool changed on the disk and was repaired", extra={"record": mended_record})
        self.counters.are_stale = True

    def commit_group(self, group: CommitGroup, changes: Sequence[Change[Any]]) -> list[Outcome]:
        """Make a group and changes durable, and return the changes' outcomes; after an error, nothing is durable.

        An error is `Astray` or SQLite's. Changes fail if the file turns out to be astray afterwards; for requests, the
        event loop calls `refuse_astray`: a check makes this thread wait for Python's lock, but not the event loop.
        """
        self._callbacks = []
        if self._was_astray:
            self.refuse_astray()
        outcomes = self._write(group, changes)
        if changes:
            self.refuse_astray()
        return outcomes

    def note_committed(self, group: CommitGroup) -> None:
        """Count what has become durable."""
        for callback in self._callbacks:  # before the new chunks, which no change has seen
            callback()
        self.counters.add_group(group)
        if self.counters.are_stale:
            self.counters.read(self._connection)

    def refuse_astray(self) -> None:
        """Raise `Astray` if the file is not in its place; the next commit then checks before it writes."""
        self._was_astray = self.is_astray
        if self._was_astray:
            raise Astray

    def recover(self, error: Exception) -> None:
        """Read the counters from the file again: even a failed commit may have reached the disk."""
        try:
            is_full = isinstance(error, sqlite3.OperationalError) and "full" in str(error)
            if not is_full and not self.is_astray:  # an astray file can only be reached by its connection
                # After an I/O error, nothing that the old connection has cached can be trusted.
                self._connection.close()
                self._connection = reopen_spool_file(self._path)
                # The last close has deleted the log.
                self._file_identities = FileIdentities(*paths_with_log(self._path))
            self._mend_and_read_counters()
        except sqlite3.Error:
            _log.exception("the spool's file cannot be read")

    def close(self) -> None:
        """Close the file."""
        if not self.is_astray:
            self._file_identities = FileIdentities()  # closing the last connection deletes the log, as expected
        self._connection.close()

    def _write(self, group: CommitGroup, changes: Sequence[Change[Any]]) -> list[Outcome]:
        if group.is_one_row and not changes:
            failpoints.hit("spool.commit.before")
            group.write_rows(self._connection)  # a single statement is a transaction in itself
            outcomes: list[Outcome] = []
        else:
            outcomes = self._run_transaction(group, changes)
        if group.batches:
            failpoints.hit("spool.commit.after")
        return outcomes

    def _run_transaction(self, group: CommitGroup, changes: Sequence[Change[Any]]) -> list[Outcome]:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            group.write_rows(connection)
            outcomes = [self._run_change(change, connection) for change in changes]
            if group.batches:
                failpoints.hit("spool.commit.before")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return outcomes

    def _run_change(self, change: Change[Any], connection: sqlite3.Connection) -> Outcome:
        callback_count = len(self._callbacks)
        outcome = run_in_savepoint(change, connection)
        if outcome.error is not None:
            del self._callbacks[callback_count:]
        return outcome

    def _mend_and_read_counters(self) -> None:
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            self.mend(connection)
        self.counters.read(self._connection)
