"""The metadata database: short explicit transactions, and a cheap answer to "did anything change?"."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Coroutine
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

Session = AsyncSession  # so that layers that must not import SQLAlchemy have a name for it

_log = logging.getLogger(__name__)

BUSY_MS = 5000  # how long a write waits for another process, and for its turn in this one

_MOST_SCANS = 64  # the most that may wait for their turn

_MAY_PASS = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_PRIMARY_CODE = 0xFF  # the lowest byte of SQLite's extended codes


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
        self.version()  # the first look creates the log, which stays as long as this connection
        self._whereabouts = Whereabouts(*with_log(path))
        url = URL.create("sqlite+aiosqlite", database=path.absolute().as_uri(), query={"mode": "rw", "uri": "true"})
        self._reads = _engine(url, begin_read)
        event.listen(self._reads.sync_engine, "connect", refuse_writes)
        # SQLite's own waiting is polling with growing sleeps, so under load some writer starves into "database is
        # locked". With one writing connection the writers of this process queue, first come, first served.
        self._writes = _engine(url, begin_write, pool_size=1, max_overflow=0, pool_timeout=BUSY_MS / 1000)

    def session(self, *, write: bool) -> "Transaction":
        """Return one transaction for `async with`: it commits when the block ends and rolls back when the block raises.

        Args:
            write: take the write lock at once; without it, the block sees one unchanging state and cannot write.

        Raises:
            Unavailable: others kept the write lock for 5 seconds, or the disk refused the commit.
            Astray: the file was moved, deleted or replaced; nothing was kept.
        """
        return Transaction(self._writes if write else self._reads, self._whereabouts, write=write)

    async def look(self, query: str, *values: str | bytes | int) -> tuple[Any, ...] | None:
        """Return the one row of a look-up by a unique index, read at once on the event loop.

        For the hot path only: it takes 7 µs, and a transaction takes 900, mostly to switch threads. A
        reader never waits for a writer, so it does not block.

        Raises:
            Astray: the file was moved, deleted or replaced.
        """
        rows = self._read(query, values)
        return rows[0] if rows else None

    async def look_all(self, query: str, *values: str | bytes | int) -> list[tuple[Any, ...]]:
        """Like `look`, but return all rows of a look-up by an index; a thousand take about a millisecond."""
        return self._read(query, values)

    async def scan(self, query: str, *values: str | bytes | int) -> list[tuple[Any, ...]]:
        """Like `look_all`, for look-ups of many thousands of rows: they run one after the other in another thread.

        Raises:
            Unavailable: too many others are waiting.
            Astray: the file was moved, deleted or replaced.
        """
        self._whereabouts.refuse_astray()
        return await self._side.run(lambda: self._scans.execute(query, values).fetchall())

    def version(self) -> int:
        """Return a number that changes whenever any connection, in this or another process, has committed.

        This costs a few microseconds (2.5 µs measured), so a cache can ask before each use instead of guessing with a
        time to live.
        """
        row: tuple[int] = self._version.execute("PRAGMA data_version").fetchone()
        return row[0]

    def _read(self, query: str, values: tuple[str | bytes | int, ...]) -> list[tuple[Any, ...]]:
        self._whereabouts.refuse_astray()
        return self._watch.execute(query, values).fetchall()

    async def close(self) -> None:
        """Close all connections; the last one to close checkpoints the write-ahead log."""
        self._watch.close()
        await self._side.close()
        self._scans.close()
        await self._reads.dispose()
        await self._writes.dispose()


class Transaction:
    """The block of one transaction. It is not a generator, so a block that is dropped half-way is simply closed."""

    def __init__(self, engine: AsyncEngine, whereabouts: Whereabouts, *, write: bool) -> None:
        self._session = AsyncSession(engine, expire_on_commit=False)
        self._whereabouts = whereabouts
        self._write = write

    async def __aenter__(self) -> Session:
        self._whereabouts.refuse_astray()
        try:
            await self._session.connection()  # begins now, so that it holds the lock before it reads anything
        except (OperationalError, PoolTimeoutError) as error:
            await self._session.close()
            self._whereabouts.refuse_astray()
            if isinstance(error, OperationalError) and not _may_pass(error):
                raise
            raise Unavailable("The metadata database is busy.") from error
        return self._session

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                await _to_its_end(self._session.commit())
                if self._write:
                    self._whereabouts.refuse_astray()
            elif isinstance(error, OperationalError):
                self._whereabouts.refuse_astray()
        except OperationalError as failure:
            self._whereabouts.refuse_astray()
            if not _may_pass(failure):
                raise
            _log.error("nothing was kept", exc_info=failure)
            raise Unavailable("The metadata database does not accept changes at the moment.") from failure
        finally:
            await _to_its_end(self._session.close())  # rolls back an open transaction


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for `work` to end even if the caller is cancelled meanwhile, as at a stop.

    A connection that is given back half-way is thrown away with a traceback in the log.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # the caller is cancelled and cannot be told
        raise


def _may_pass(error: OperationalError) -> bool:
    """Return whether trying again later may work: another process holds the lock, or the disk is full or fails."""
    code: int = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & _PRIMARY_CODE in _MAY_PASS


def _engine(url: URL, begin: Callable[[Connection], None], **options: Any) -> AsyncEngine:
    engine = create_async_engine(url, hide_parameters=True, **options)  # errors are logged, password hashes must not be
    event.listen(engine.sync_engine, "connect", prepare_connection)
    event.listen(engine.sync_engine, "begin", begin)
    event.listen(engine.sync_engine, "reset", end_failed_commit)
    return engine


def _open_watch(path: Path) -> sqlite3.Connection:
    # `PRAGMA data_version` shows only the commits of *other* connections, so this one never writes. It may be closed
    # by another thread than the one that reads it; two threads never use it at once.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA query_only = ON")
    return connection


def prepare_connection(
    connection: DBAPIConnection | sqlite3.Connection, _record: ConnectionPoolEntry | None = None
) -> None:
    """Make a new SQLite connection durable and strict about foreign keys, and leave BEGIN to `begin`."""
    # Python's driver would begin by itself, late (at the first write) and deferred: a transaction that first reads and
    # later writes would then fail under contention without waiting.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {BUSY_MS}", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def end_failed_commit(connection: Any, _record: ConnectionPoolEntry, state: PoolResetState) -> None:
    """Roll back what a failed COMMIT has left open: SQLite does not do it, and SQLAlchemy believes that it did."""
    usable = state.asyncio_safe and not state.terminate_only  # otherwise the connection is being thrown away
    if usable and connection.driver_connection.in_transaction:
        connection.rollback()


def refuse_writes(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    """Make a connection read-only, because a transaction that begins without the lock could not wait for it later."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def begin_read(connection: Connection) -> None:
    """Begin the transaction that SQLAlchemy believes to be open, without a lock."""
    connection.exec_driver_sql("BEGIN")


def begin_write(connection: Connection) -> None:
    """Begin the transaction that SQLAlchemy believes to be open, with the write lock."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")
