"""Look-ups in PostgreSQL outside transactions."""

import asyncio
from functools import lru_cache
from itertools import count
from typing import Any

import asyncpg

from tallyroom.cluster.postgresql.server import BUSY_MS, connect, is_invalid_text, translate_errors
from tallyroom.storage.metadata.connection import QueryValue


class LookUpPool:
    """Read-only connections, each for one look-up at a time."""

    def __init__(self, dsn: str, connection_count: int) -> None:
        self._dsn = dsn
        self._connection_count = connection_count
        self._pool: asyncpg.Pool | None = None
        self._open_lock = asyncio.Lock()

    async def fetch_rows(self, query: str, values: tuple[QueryValue, ...]) -> list[tuple[Any, ...]]:
        """Return all rows of a query with question marks for values; `Unavailable` if there is no answer in 5 s."""
        try:
            with translate_errors():
                pool = self._pool or await self._open_pool()
                async with pool.acquire(timeout=BUSY_MS / 1000) as connection:
                    return [tuple(row) for row in await _fetch(connection, number_placeholders(query), values)]
        except Exception as error:
            if is_invalid_text(error):
                return []
            raise

    async def close(self) -> None:
        """Close all connections, including those in use."""
        if self._pool is not None:
            self._pool.terminate()

    async def _open_pool(self) -> asyncpg.Pool:
        async with self._open_lock:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    min_size=0, max_size=self._connection_count, connect=self._connect, reset=_keep_session
                )
            return self._pool

    async def _connect(self, *_: object, **__: object) -> asyncpg.Connection:
        return await connect(self._dsn, default_transaction_read_only="on")


async def _fetch(connection: asyncpg.pool.PoolConnectionProxy, query: str, values: tuple[QueryValue, ...]) -> list[Any]:
    try:
        rows: list[Any] = await connection.fetch(query, *values)
    except TimeoutError:
        connection.terminate()  # otherwise it would wait until the server has stopped the statement
        raise
    return rows


@lru_cache(1024)
def number_placeholders(query: str) -> str:
    """Replace the question marks of a query with ``$1``, ``$2`` and so on. Its string literals must not contain any."""
    first, *parts = query.split("?")
    return first + "".join(f"${number}{text}" for number, text in zip(count(1), parts))


async def _keep_session(_connection: object) -> None:
    """Skip the reset between look-ups: they do not change the session, and a reset costs a round trip."""
