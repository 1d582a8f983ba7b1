"""The metadata database on a PostgreSQL server, which any number of processes may use."""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from tallyroom.cluster.postgresql.advisory_lock import hold_work_lock
from tallyroom.cluster.postgresql.change_listener import ChangeListener
from tallyroom.cluster.postgresql.change_numbers import (
    AWAITED_KINDS,
    INCREMENT_REMOVALS,
    READ_CHANGE_NUMBERS,
    ChangeNumbers,
)
from tallyroom.cluster.postgresql.change_wait import ChangeWait
from tallyroom.cluster.postgresql.look_ups import LookUpPool
from tallyroom.cluster.postgresql.server import AWAY_MESSAGE, BUSY_MS, connect, is_invalid_text, is_transient
from tallyroom.cluster.postgresql.worker_registry import WorkerRegistry
from tallyroom.core.errors import NotFound, Unavailable
from tallyroom.core.peers import NoPeers, Peers, Worker
from tallyroom.storage.metadata.connection import ChangeKind, Database, QueryValue, SoleWork
from tallyroom.storage.metadata.transaction import Transaction
from tallyroom.storage.metadata.write_turns import create_write_slots
from tallyroom.storage.slots import Slots

WRITE_LOCK = 0x7A11_0001  # the advisory lock that each write transaction holds

# Connections of this process, in addition to one that writes and one that listens.
_READ_CONNECTION_COUNT, _LOOK_UP_CONNECTION_COUNT, _SCAN_CONNECTION_COUNT = 8, 4, 1


class PostgresqlDatabase(Database):
    """The metadata in one database of a server; connects when needed, and again after the server has disconnected.

    `dsn` is a migrated database, as in ``postgresql://user:password@host/name``. `worker` and `registry` are None if
    this process does not serve the installation.
    """

    def __init__(self, dsn: str, worker: Worker | None = None, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._dsn = dsn
        self._change_numbers = ChangeNumbers(monotonic)
        self._look_up_pool = LookUpPool(dsn, _LOOK_UP_CONNECTION_COUNT)
        self._scan_pool = LookUpPool(dsn, _SCAN_CONNECTION_COUNT)
        self.registry = worker and WorkerRegistry(worker, self._change_numbers, self._look_up_pool, monotonic)
        self._change_wait = ChangeWait(worker.id if worker else "", self._look_up_pool, monotonic)
        self._listener = ChangeListener(dsn, self._change_numbers, self.registry)
        self._read_engine = _create_engine(dsn, _READ_CONNECTION_COUNT, take_snapshot, "REPEATABLE READ")
        # As with SQLite, the writers of this process take turns with one connection. In READ COMMITTED, each statement
        # after the lock sees all that earlier holders of the lock have committed.
        self._write_engine = _create_engine(dsn, 1, take_write_lock, "READ COMMITTED")
        self._write_slots = create_write_slots()

    def session(self, *, write: bool) -> Transaction:
        """Return one transaction. Only one write transaction runs at a time, across all processes."""
        self._listener.start()
        engine, slots = (self._write_engine, self._write_slots) if write else (self._read_engine, None)
        return _PostgresqlTransaction(engine, slots, self._change_numbers, self._change_wait)

    async def look_up(self, query: str, *values: QueryValue) -> tuple[Any, ...] | None:
        """Return the row found by a unique index."""
        rows = await self.look_up_all(query, *values)
        return rows[0] if rows else None

    async def look_up_all(self, query: str, *values: QueryValue) -> list[tuple[Any, ...]]:
        """Return all rows found by an index."""
        self._listener.start()
        return await self._look_up_pool.fetch_rows(query, values)

    async def scan(self, query: str, *values: QueryValue) -> list[tuple[Any, ...]]:
        """Return all rows of a long query, on a separate connection."""
        return await self._scan_pool.fetch_rows(query, values)

    @property
    def peers(self) -> Peers:
        """The other workers; none if this process is not a worker."""
        return self.registry or NoPeers()

    async def join_workers(self) -> None:
        """Wait until this process is one of the workers. After a `kill -9`, that takes until the old lease ends."""
        self._listener.start()
        if self.registry is not None:
            await self.registry.wait_joined()

    def change_version(self, change_kind: ChangeKind) -> int:
        """Return the change number, which the database announces to this process; see `ChangeNumbers`."""
        return self._change_numbers.change_version(change_kind)

    def cluster_change_version(self, change_kind: ChangeKind) -> int | None:
        """Return the number of the last change; None unless this process is informed of every one."""
        return self._change_numbers.last_number(change_kind) if self._change_numbers.is_informed else None

    def hold_work_lock(self, work: SoleWork) -> AbstractAsyncContextManager[bool]:
        """Hold an advisory lock while a block runs."""
        return hold_work_lock(self._dsn, work)

    async def announce_removal(self) -> None:
        """Increase the number, and return when all workers have seen it."""
        async with self.session(write=True) as db:
            await db.execute(text(INCREMENT_REMOVALS))

    async def close(self) -> None:
        """Close all connections."""
        await self._listener.stop()
        await self._look_up_pool.close()
        await self._scan_pool.close()
        await self._read_engine.dispose()
        await self._write_engine.dispose()


class _PostgresqlTransaction(Transaction):
    def __init__(
        self, engine: AsyncEngine, write_slots: Slots | None, change_numbers: ChangeNumbers, change_wait: ChangeWait
    ) -> None:
        super().__init__(engine, write_slots)
        self._change_numbers = change_numbers
        self._change_wait = change_wait
        self._awaited_number_by_kind: dict[ChangeKind, int] = {}

    async def __aexit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the transaction, free lock and connection, and wait until all workers see a change that must hold."""
        await super().__aexit__(error_type, error, traceback)
        if self._awaited_number_by_kind:
            await self._change_wait.wait_until_seen(self._awaited_number_by_kind)

    def _refuse_lost(self) -> None:
        """Do nothing: unlike a file, a server cannot be moved away."""

    def _is_transient(self, error: Exception) -> bool:
        return is_transient(error)

    async def _commit(self) -> None:
        """Commit, and note the changes in this process; their numbers are read while the lock is held."""
        if self._write_slots is None:
            return await super()._commit()
        try:
            await self._session.flush()
            number_by_kind = {row.kind: row.number for row in await self._session.execute(text(READ_CHANGE_NUMBERS))}
            last_number = self._change_numbers.last_number
            awaited = {kind: number_by_kind[kind] for kind in AWAITED_KINDS if number_by_kind[kind] > last_number(kind)}
            await super()._commit()
        except BaseException:
            self._change_numbers.distrust()  # the server may have committed all the same
            raise
        self._awaited_number_by_kind = awaited
        self._change_numbers.advance(number_by_kind)
        return None


def _create_engine(
    dsn: str, connection_count: int, on_begin: Callable[[Connection], None], isolation_level: str
) -> AsyncEngine:
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=partial(connect, dsn),
        hide_parameters=True,  # errors are logged; password hashes must not be
        isolation_level=isolation_level,
        execution_options={"postgresql_readonly": isolation_level == "REPEATABLE READ"},
        pool_size=connection_count,
        max_overflow=0,
        pool_timeout=BUSY_MS / 1000,
    )
    event.listen(engine.sync_engine, "checkout", reject_closed_connection)
    event.listen(engine.sync_engine, "begin", on_begin)
    event.listen(engine.sync_engine, "handle_error", translate_error)
    event.listen(engine.sync_engine, "before_cursor_execute", _replace_nul_texts, retval=True)
    return engine


def reject_closed_connection(
    connection: DBAPIConnection, _record: ConnectionPoolEntry, _proxy: PoolProxiedConnection
) -> None:
    """Make the pool reconnect if the server has closed this connection, which its socket already shows."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def translate_error(context: ExceptionContext) -> None:
    """Replace the driver's error with `Unavailable` if a retry may succeed, `NotFound` if no row can have a value.

    This happens at the statement, not at the end of its transaction: the framework would treat an error replaced there
    as a server fault.
    """
    error = context.original_exception
    if not isinstance(error, Exception):
        return  # a cancellation, which counts as a lost connection and must stay a cancellation
    if isinstance(error, TimeoutError):
        context.is_disconnect = True  # otherwise it would roll back on a connection that does not answer
    if context.is_disconnect or is_transient(error):
        raise Unavailable(AWAY_MESSAGE) from error
    if is_invalid_text(error):
        raise NotFound("Names can't contain a NUL character.") from error


def _replace_nul_texts(
    _connection: Connection, _cursor: object, statement: str, parameters: Any, _context: object, is_executemany: object
) -> tuple[str, Any]:
    """Replace each text with a NUL in a SELECT with NULL, which equals no value: PostgreSQL text cannot have a NUL."""
    if is_executemany or not statement.startswith("SELECT") or not any(map(_has_nul, parameters)):
        return statement, parameters
    return statement, tuple(None if _has_nul(value) else value for value in parameters)


def _has_nul(value: object) -> bool:
    return isinstance(value, str) and "\x00" in value


def take_snapshot(connection: Connection) -> None:
    """Begin the transaction now, instead of at the first statement as the driver would, and take its snapshot."""
    connection.exec_driver_sql("SELECT 1")


def take_write_lock(connection: Connection) -> None:
    """Begin the transaction with the write lock, like BEGIN IMMEDIATE. Its end releases the lock."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITE_LOCK})")
