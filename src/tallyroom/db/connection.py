"""The metadata database: short explicit transactions, and a cheap answer to "did anything change?"."""

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, PoolResetState

from tallyroom.core.errors import Unavailable
from tallyroom.core.side_thread import SideThread
from tallyroom.core.whereabouts import Whereabouts, with_log

Session = AsyncSession  # the name for layers that must not import SQLAlchemy themselves

_log = logging.getLogger(__name__)

BUSY_MS = 5000  # how long a write waits for another process, and for its turn in this one

_MOST_SCANS = 64  # that wait for their turn

_MAY_PASS = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_PRIMARY_CODE = 0xFF  # SQLite's extended codes have it in their lowest byte


class Database:
    """The metadata of one server; several processes may open the same file.

    Args:
        path: an SQLite file that `migrate` has brought up to date.

    Raises:
        sqlite3.OperationalError: there is no such file.
    """

    def __init__(self, path: Path) -> None:
        self._watch = _open_watch(path)
        self._scans = _open_watch(path)
        self._side = SideThread("metadata-scan", _MOST_SCANS)
        self._version = self._watch.cursor()
        self.version()  # the first look makes the log, which stays as long as this connection
        self._whereabouts = Whereabouts(*with_log(path))
        url = URL.create("sqlite+aiosqlite", database=path.absolute().as_uri(), query={"mode": "rw", "uri": "true"})
        self._reads = _engine(url, begin_read)
        event.listen(self._reads.sync_engine, "connect", refuse_writes)
        # SQLite's own waiting is polling with growing sleeps, so under load some writer starves into "database is
        # locked". With one writing connection the writers of this process queue, first come, first served.
        self._writes = _engine(url, begin_write, pool_size=1, max_overflow=0, pool_timeout=BUSY_MS / 1000)

    def session(self, *, write: bool) -> "Transaction":
        """One transaction, for `async with`: committed when the block ends, rolled back when it raises.

        Args:
            write: take the write lock at once; without it the block sees one unchanging state and cannot write.

        Raises:
            Unavailable: others kept the write lock for 5 seconds, or the disk did not take the commit.
            Astray: the file was moved, deleted or replaced; nothing was kept.
        """
        return Transaction(self._writes if write else self._reads, self._whereabouts, write=write)

    def peek(self, query: str, *values: str | bytes | int) -> tuple[Any, ...] | None:
        """The one row of a look-up by a unique index, read at once on the event loop.

        For the hot path only: it takes 7 µs where a transaction takes 900, most of which is changing threads. A
        reader never waits for a writer, so it does not block.
        """
        rows = self.peek_all(query, *values)
        return rows[0] if rows else None

    def peek_all(self, query: str, *values: str | bytes | int) -> list[tuple[Any, ...]]:
        """As `peek`, all rows of a look-up by an index; a thousand take about a millisecond.

        Raises:
            Astray: the file was moved, deleted or replaced.
        """
        self._whereabouts.refuse_astray()
        rows: list[tuple[Any, ...]] = self._watch.execute(query, values).fetchall()
        return rows

    async def scan(self, query: str, *values: str | bytes | int) -> list[tuple[Any, ...]]:
        """As `peek_all`, for what may go through many thousands of rows: in another thread, one after the other.

        Raises:
            Unavailable: too many others wait for the same.
            Astray: the file was moved, deleted or replaced.
        """
        self._whereabouts.refuse_astray()
        return await self._side.run(lambda: self._scans.execute(query, values).fetchall())

    def version(self) -> int:
        """A number that changes whenever any connection, in this or another process, has committed.

        It costs a few microseconds (2.5 µs measured), so a cache can ask before each use instead of guessing with a
        time to live.
        """
        row: tuple[int] = self._version.execute("PRAGMA data_version").fetchone()
        return row[0]

    async def close(self) -> None:
        """Close all connections; the last one out checkpoints the write-ahead log."""
        self._watch.close()
        await self._side.close()
        self._scans.close()
        await self._reads.dispose()
        await self._writes.dispose()


class Transaction:
    """The block of one transaction. Not a generator, so that one that is dropped half-way is simply closed."""

    def __init__(self, engine: AsyncEngine, whereabouts: Whereabouts, *, write: bool) -> None:
        self._session = AsyncSession(engine, expire_on_commit=False)
        self._whereabouts = whereabouts
        self._write = write

    async def __aenter__(self) -> Session:
        self._whereabouts.refuse_astray()
        try:
            await self._session.connection()  # begins now, so that the lock is held before the first look
        except (OperationalError, PoolTimeoutError) as error:
            await self._session.close()
            if isinstance(error, OperationalError) and not _may_pass(error):
                raise
            raise Unavailable("The metadata database is busy.") from error
        return self._session

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                await self._session.commit()
                if self._write:
                    self._whereabouts.refuse_astray()
        except OperationalError as failure:
            if not _may_pass(failure):
                raise
            _log.error("nothing was kept", exc_info=failure)
            raise Unavailable("The metadata database does not take changes now.") from failure
        finally:
            await self._session.__aexit__(kind, error, trace)  # rolls back what is open, even when cancelled


def _may_pass(error: OperationalError) -> bool:
    """Whether the same may work in a while: another process holds the lock, or the disk is full or fails."""
    code: int = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & _PRIMARY_CODE in _MAY_PASS


def _engine(url: URL, begin: Callable[[Connection], None], **options: Any) -> AsyncEngine:
    engine = create_async_engine(url, hide_parameters=True, **options)  # errors go to the log, password hashes do not
    event.listen(engine.sync_engine, "connect", prepare_connection)
    event.listen(engine.sync_engine, "begin", begin)
    event.listen(engine.sync_engine, "reset", end_failed_commit)
    return engine


def _open_watch(path: Path) -> sqlite3.Connection:
    # `PRAGMA data_version` tells about commits of *other* connections only, so this one never writes. It may be closed
    # from another thread than the one that asks; it is never used by two at once.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA query_only = ON")
    return connection


def prepare_connection(
    connection: DBAPIConnection | sqlite3.Connection, _record: ConnectionPoolEntry | None = None
) -> None:
    """Make a new SQLite connection durable, strict about foreign keys, and leave BEGIN to `begin`."""
    # Python's driver would begin by itself, late (at the first write) and deferred: a transaction that read first and
    # writes later then fails under contention without waiting.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {BUSY_MS}", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def end_failed_commit(connection: Any, _record: ConnectionPoolEntry, state: PoolResetState) -> None:
    """Roll back what a COMMIT that failed has left open; SQLite does not, and SQLAlchemy believes it did."""
    usable = state.asyncio_safe and not state.terminate_only  # else the connection is being thrown away
    if usable and connection.driver_connection.in_transaction:
        connection.rollback()


def refuse_writes(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    """Make a connection read-only: a transaction that begins without the lock could not wait for it later."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def begin_read(connection: Connection) -> None:
    """Begin the transaction that SQLAlchemy believes in, without a lock."""
    connection.exec_driver_sql("BEGIN")


def begin_write(connection: Connection) -> None:
    """Begin the transaction that SQLAlchemy believes in, with the write lock."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")
