"""The metadata database as one SQLite file next to the data."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, PoolResetState

from tallyroom.core.offload import SideThread
from tallyroom.storage.file_identity import FileIdentities, paths_with_log
from tallyroom.storage.metadata.connection import ChangeKind, Database, QueryValue, SoleWork
from tallyroom.storage.metadata.transaction import Transaction
from tallyroom.storage.metadata.write_turns import BUSY_MS, create_write_slots
from tallyroom.storage.slots import Slots

_MAX_WAITING_SCANS = 64  # the most that may wait for their turn

_TRANSIENT_CODES = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_PRIMARY_CODE = 0xFF  # the lowest byte of SQLite's extended codes


class SqliteDatabase(Database):
    """Metadata in one file from `migrate`, which several processes may open; `sqlite3.OperationalError` if missing."""

    def __init__(self, path: Path) -> None:
        self._lookup_connection = _open_lookup_connection(path)
        self._scan_connection = _open_lookup_connection(path)
        self._scan_thread = SideThread("metadata-scan", _MAX_WAITING_SCANS)
        self._version_cursor = self._lookup_connection.cursor()
        self._read_data_version()  # the first read creates the log, which exists as long as this connection
        self._file_identities = FileIdentities(*paths_with_log(path))
        url = URL.create("sqlite+aiosqlite", database=path.absolute().as_uri(), query={"mode": "rw", "uri": "true"})
        self._read_engine = _create_engine(url, begin_read)
        event.listen(self._read_engine.sync_engine, "connect", refuse_writes)
        # SQLite waits by polling with growing sleeps, so under load a writer may starve and fail with "database is
        # locked". With a single writing connection, the writers of this process take turns.
        self._write_engine = _create_engine(url, begin_write, pool_size=1, max_overflow=0, pool_timeout=BUSY_MS / 1000)
        self._write_slots = create_write_slots()

    def session(self, *, write: bool) -> Transaction:
        """Return one transaction; SQLite itself allows one writer at a time."""
        engine, slots = (self._write_engine, self._write_slots) if write else (self._read_engine, None)
        return _SqliteTransaction(engine, slots, self._file_identities)

    async def look_up(self, query: str, *values: QueryValue) -> tuple[Any, ...] | None:
        """Return the row, read on the event loop, for the hot path: this takes 7 µs; a transaction takes 900."""
        rows = self._look_up_rows(query, values)
        return rows[0] if rows else None

    async def look_up_all(self, query: str, *values: QueryValue) -> list[tuple[Any, ...]]:
        """Return all rows of a look-up, read directly on the event loop."""
        return self._look_up_rows(query, values)

    async def scan(self, query: str, *values: QueryValue) -> list[tuple[Any, ...]]:
        """Return all rows of a long look-up, which runs in a separate thread, one at a time."""
        self._file_identities.refuse_astray()
        return await self._scan_thread.run(lambda: self._scan_connection.execute(query, values).fetchall())

    def change_version(self, change_kind: ChangeKind) -> int:
        """Return a number that changes with every commit of any process, in 2.5 µs; no other one removes events."""
        return 0 if change_kind == "removals" else self._read_data_version()

    def hold_work_lock(self, work: SoleWork) -> AbstractAsyncContextManager[bool]:  # noqa: ARG002 # there is no other worker
        """Return at once: the process that holds the data directory is alone."""
        return nullcontext(enter_result=True)

    async def announce_removal(self) -> None:
        """Do nothing: there is no other worker."""

    async def join_workers(self) -> None:
        """Do nothing: the process that holds the data directory is alone."""

    async def close(self) -> None:
        """Close all connections; the last one to close checkpoints the write-ahead log."""
        self._lookup_connection.close()
        await self._scan_thread.close()
        self._scan_connection.close()
        await self._read_engine.dispose()
        await self._write_engine.dispose()

    def _look_up_rows(self, query: str, values: tuple[QueryValue, ...]) -> list[tuple[Any, ...]]:
        self._file_identities.refuse_astray()
        return self._lookup_connection.execute(query, values).fetchall()

    def _read_data_version(self) -> int:
        row: tuple[int] = self._version_cursor.execute("PRAGMA data_version").fetchone()
        return row[0]


class _SqliteTransaction(Transaction):
    def __init__(self, engine: AsyncEngine, write_slots: Slots | None, file_identities: FileIdentities) -> None:
        super().__init__(engine, write_slots)
        self._file_identities = file_identities

    def _refuse_lost(self) -> None:
        self._file_identities.refuse_astray()

    def _is_transient(self, error: Exception) -> bool:
        """Return whether a retry may work: another process holds the lock, or the disk is full or fails."""
        if not isinstance(error, OperationalError):
            return False
        code: int = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return code & _PRIMARY_CODE in _TRANSIENT_CODES


def _create_engine(url: URL, on_begin: Callable[[Connection], None], **engine_options: Any) -> AsyncEngine:
    # Errors are logged; password hashes must not be.
    engine = create_async_engine(url, hide_parameters=True, **engine_options)
    event.listen(engine.sync_engine, "connect", prepare_connection)
    event.listen(engine.sync_engine, "begin", on_begin)
    event.listen(engine.sync_engine, "reset", end_failed_commit)
    return engine


def _open_lookup_connection(path: Path) -> sqlite3.Connection:
    # `PRAGMA data_version` shows only the commits of *other* connections, so this one never writes. Another thread may
    # close it, but two threads never use it at once.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA query_only = ON")
    return connection


def prepare_connection(
    connection: DBAPIConnection | sqlite3.Connection, _record: ConnectionPoolEntry | None = None
) -> None:
    """Make a new SQLite connection durable and strict about foreign keys, and leave BEGIN to `begin`."""
    # Python's driver would begin by itself, late (at the first write) and deferred: a transaction that reads first and
    # writes later would then fail under contention without waiting.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {BUSY_MS}", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def end_failed_commit(connection: Any, _record: ConnectionPoolEntry, reset_state: PoolResetState) -> None:
    """Roll back what a failed COMMIT left open: SQLite does not do it, and SQLAlchemy assumes that it did."""
    # The pool discards a connection that is not usable.
    is_usable = reset_state.asyncio_safe and not reset_state.terminate_only
    if is_usable and connection.driver_connection.in_transaction:
        connection.rollback()


def refuse_writes(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    """Make a connection read-only, because a transaction that begins without the lock could not wait for it later."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def begin_read(connection: Connection) -> None:
    """Begin the transaction that SQLAlchemy assumes to be open, without a lock."""
    connection.exec_driver_sql("BEGIN")


def begin_write(connection: Connection) -> None:
    """Begin the transaction that SQLAlchemy assumes to be open, with the write lock."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")
