"""The record of starts on a PostgreSQL server, where the spools of all workers are registered."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import asyncpg

from tallyroom.cluster.postgresql.server import connect, translate_start_errors
from tallyroom.cluster.postgresql.worker_registry import LEASE_SECONDS, SpoolTaken
from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import retention_start_ms
from tallyroom.storage.metadata.record import MoveDestination, NextEpoch, RegisteredSpool, SharedMetadata
from tallyroom.storage.metadata.stamp import (
    SECRET_COUNT_SQL_BY_TABLE,
    USER_COUNT_SQL,
    MetadataStamp,
    UserAndSecretCounts,
)
from tallyroom.storage.omission import Omission

T = TypeVar("T")

START_LOCK = 0x7A11_0003  # the advisory lock that a starting process holds

_LOCK_TIMEOUT_MS = 60_000
_POLL_SECONDS = 0.1
_TIMEOUT_SECONDS = LEASE_SECONDS + 2

_LIST_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
_READ_STAMP = "SELECT id, epoch, begun FROM installation"
_READ_DESTINATION = "SELECT host, path, spool FROM moved_away"
_LIST_SPOOLS = """
SELECT identity, host, path, epoch, begun, state, coalesce((to_jsonb(spools)->>'acknowledged')::bigint, 0)
FROM spools"""  # which older versions did not know
_BEGIN_EPOCH = """
INSERT INTO installation VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET begun = excluded.begun
WHERE installation.epoch = excluded.epoch RETURNING id"""
_SETTLE_EPOCH = "UPDATE installation SET epoch = $1, begun = NULL"
_INSERT_LOSS = "INSERT INTO losses (at_ms, what) VALUES ($1, $2)"
_ABANDON_OTHER_SPOOLS = (
    "UPDATE spools SET state = 'lost' WHERE host = $1 AND path = $2 AND identity <> $3 AND state = 'live'"
)
_BEGIN_SPOOL = """
INSERT INTO spools (identity, host, path, epoch, begun, state) VALUES ($1, $2, $3, 0, $4, 'live')
ON CONFLICT (identity) DO UPDATE SET host = excluded.host, path = excluded.path, begun = excluded.begun"""
_KEEP_SPOOLS = """
INSERT INTO spools (identity, host, path, epoch, state, kept_by)
SELECT stored, '', '', 0, 'adopted', $2 FROM unnest($1::bigint[]) AS stored
ON CONFLICT (identity) DO UPDATE SET kept_by = excluded.kept_by WHERE spools.state <> 'live'
    AND NOT EXISTS (SELECT FROM spools AS keeper WHERE keeper.identity = spools.kept_by AND keeper.state = 'live')"""
_SETTLE_SPOOL = "UPDATE spools SET epoch = $1, begun = NULL WHERE identity = $2"
_LIST_ERASURES = """
SELECT id, workspace_id, environment, actor, NULL FROM shared_erasures
JOIN erasure_parts ON erasure_id = id WHERE spool = $1"""
_LIST_RETENTIONS = """
SELECT workspace_id, name, retention_days, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
FROM environments WHERE retention_days IS NOT NULL"""
_FIND_HOST = "SELECT host FROM workers WHERE spool = $1 AND lease_until > clock_timestamp()"


class PostgresqlStartRecord:
    """Implements `StartRecord`; `host` is this machine, and `path` the data directory on it."""

    def __init__(self, dsn: str, host: str, path: str) -> None:
        self._dsn = dsn
        self._location = host, path

    @contextmanager
    def hold_start_lock(self) -> Iterator[None]:
        """Like `StartRecord.hold_start_lock`. The lock belongs to the connection, so it ends with this process."""
        lock_future: Future[None] = Future()
        release_event = threading.Event()
        with ThreadPoolExecutor(1) as executor:
            hold_future = executor.submit(asyncio.run, self._hold_start_lock(lock_future, release_event))
            hold_future.add_done_callback(partial(_forward_error, lock_future))
            try:
                lock_future.result()
                yield
            finally:
                release_event.set()

    def read_metadata(self) -> SharedMetadata:
        """Like `StartRecord.read_metadata`."""
        return self._run_with_connection(self._read_metadata)

    @contextmanager
    def begin_epoch(self, next_epoch: NextEpoch) -> Iterator[None]:
        """Like `StartRecord.begin_epoch`. After a `kill -9`, wait until the lease of the spool's last worker ends."""
        self._run_with_connection(partial(self._begin_epoch, next_epoch=next_epoch))
        yield
        self._run_with_connection(partial(self._settle_epoch, next_epoch=next_epoch))

    def settle_epoch(self, epoch: int, spool_id: int, store_spools: Collection[int]) -> None:
        """Like `StartRecord.settle_epoch`."""
        self._run_with_connection(
            lambda connection: self._settle_store_spools(connection, epoch, spool_id, store_spools)
        )

    def list_due_erasures(self, spool_id: int) -> Sequence[Omission]:
        """Like `StartRecord.list_due_erasures`."""
        return self._run_with_connection(partial(self._list_due_erasures, spool_id=spool_id))

    async def _hold_start_lock(self, lock_future: Future[None], release_event: threading.Event) -> None:
        with translate_start_errors():
            connection = await connect(self._dsn, None, lock_timeout=str(_LOCK_TIMEOUT_MS), statement_timeout="0")
            try:
                await _acquire_start_lock(connection)
                lock_future.set_result(None)
                await asyncio.to_thread(release_event.wait)
            finally:
                connection.terminate()

    async def _read_metadata(self, connection: asyncpg.Connection) -> SharedMetadata:
        tables = {table for (table,) in await connection.fetch(_LIST_TABLES)}
        stamp = await connection.fetchrow(_READ_STAMP) if "installation" in tables else None
        user_count = await connection.fetchval(USER_COUNT_SQL) if "users" in tables else 0
        secret_counts = [
            await connection.fetchval(query) for table, query in SECRET_COUNT_SQL_BY_TABLE.items() if table in tables
        ]
        spool_rows = await connection.fetch(_LIST_SPOOLS) if "spools" in tables else []
        spools = [RegisteredSpool(*row) for row in spool_rows]
        destination = await connection.fetchrow(_READ_DESTINATION) if "moved_away" in tables else None
        return SharedMetadata(
            MetadataStamp(*stamp) if stamp else None,
            UserAndSecretCounts(user_count, sum(secret_counts)),
            {spool.identity: spool for spool in spools},
            self._location,
            MoveDestination(*destination) if destination else None,
        )

    async def _begin_epoch(self, connection: asyncpg.Connection, *, next_epoch: NextEpoch) -> None:
        await _wait_until_spool_free(connection, next_epoch.spool)
        installation, epoch = next_epoch.stamp.installation, next_epoch.stamp.epoch
        async with connection.transaction():
            if not await connection.fetch(_BEGIN_EPOCH, installation, next_epoch.last_stamp.epoch, epoch):
                raise TallyroomError("Another process has started in the meantime. Start again.")
            await connection.executemany(_INSERT_LOSS, next_epoch.losses)
            await connection.execute(_ABANDON_OTHER_SPOOLS, *self._location, next_epoch.spool)
            await connection.execute(_BEGIN_SPOOL, next_epoch.spool, *self._location, epoch)
            await connection.execute(_KEEP_SPOOLS, list(next_epoch.store_spools), next_epoch.spool)

    async def _settle_epoch(self, connection: asyncpg.Connection, *, next_epoch: NextEpoch) -> None:
        async with connection.transaction():
            if not next_epoch.is_store_away:
                await connection.execute(_SETTLE_EPOCH, next_epoch.stamp.epoch)
            await connection.execute(_SETTLE_SPOOL, next_epoch.stamp.epoch, next_epoch.spool)

    async def _settle_store_spools(
        self, connection: asyncpg.Connection, epoch: int, spool_id: int, store_spools: Collection[int]
    ) -> None:
        async with connection.transaction():
            await connection.execute(_SETTLE_EPOCH, epoch)
            await connection.execute(_KEEP_SPOOLS, list(store_spools), spool_id)

    async def _list_due_erasures(self, connection: asyncpg.Connection, *, spool_id: int) -> Sequence[Omission]:
        erasures = [Omission(*row) for row in await connection.fetch(_LIST_ERASURES, spool_id)]
        expirations = [
            Omission(f"age {workspace_id} {name}", workspace_id, name, None, retention_start_ms(days, now_ms))
            for workspace_id, name, days, now_ms in await connection.fetch(_LIST_RETENTIONS)
        ]
        return [*erasures, *expirations]

    def _run_with_connection(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        with ThreadPoolExecutor(1) as executor:  # the caller may already run an event loop
            return executor.submit(asyncio.run, self._run_connected(work)).result()

    async def _run_connected(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        with translate_start_errors():
            connection = await connect(self._dsn)
            try:
                return await work(connection)
            finally:
                connection.terminate()


async def _acquire_start_lock(connection: asyncpg.Connection) -> None:
    try:
        await connection.execute(f"SELECT pg_advisory_lock({START_LOCK})")
    except asyncpg.LockNotAvailableError as error:
        raise TallyroomError("Another server has been starting on this database for a minute. Try again.") from error


async def _wait_until_spool_free(connection: asyncpg.Connection, spool_id: int) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _TIMEOUT_SECONDS
    while host := await connection.fetchval(_FIND_HOST, spool_id):
        if loop.time() > deadline:
            raise SpoolTaken(
                f"A server on {host} is using the spool {spool_id} of this data directory, or a copy of it. Stop that "
                "server, or start this one with --data on another directory."
            )
        await asyncio.sleep(_POLL_SECONDS)


def _forward_error(lock_future: Future[None], hold_future: Future[None]) -> None:
    """Pass the reason for a failed lock on to the code that waits for it."""
    error = hold_future.exception()
    if error is not None and not lock_future.done():
        lock_future.set_exception(error)
