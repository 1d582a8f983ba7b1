"""Look-ups in PostgreSQL outside transactions."""

import asyncio
from functools import lru_cache
from itertools import count
from typing import Any

import asyncpg

from tallyroom.cluster.postgresql.server import BUSY_MS, answering, connect, holds_no_text
from tallyroom.storage.metadata.connection import Value


class LookUps:
    """Connections that only read, each for one look-up at a time.

    Args:
        dsn: the database.
        connections: how many.
    """

    def __init__(self, dsn: str, connections: int) -> None:
        self._dsn = dsn
        self._connections = connections
        self._pool: asyncpg.Pool | None = None
        self._opening = asyncio.Lock()

    async def find(self, query: str, values: tuple[Value, ...]) -> list[tuple[Any, ...]]:
        """Return all rows of a query with question marks for its values.

        Raises:
            Unavailable: the server does not answer, or all connections are in use for five seconds.
        """
        try:
            with answering():
                pool = self._pool or await self._open()
                async with pool.acquire(timeout=BUSY_MS / 1000) as connection:
                    return [tuple(row) for row in await _fetch(connection, numbered(query), values)]
        except Exception as error:
            if holds_no_text(error):
                return []
            raise

    async def close(self) -> None:
        """Close all connections, whatever they do."""
        if self._pool is not None:
            self._pool.terminate()

    async def _open(self) -> asyncpg.Pool:
        async with self._opening:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    min_size=0, max_size=self._connections, connect=self._connect, reset=_nothing
                )
            return self._pool

    async def _connect(self, *_: object, **__: object) -> asyncpg.Connection:
        return await connect(self._dsn, default_transaction_read_only="on")


async def _fetch(connection: asyncpg.pool.PoolConnectionProxy, query: str, values: tuple[Value, ...]) -> list[Any]:
    try:
        rows: list[Any] = await connection.fetch(query, *values)
    except TimeoutError:
        connection.terminate()  # or it would wait until the server has stopped the statement
        raise
    return rows


@lru_cache(1024)
def numbered(query: str) -> str:
    """Return the query with ``$1``, ``$2`` and so on in place of its question marks; no text in it may have one."""
    first, *parts = query.split("?")
    return first + "".join(f"${number}{text}" for number, text in zip(count(1), parts))


async def _nothing(_connection: object) -> None:
    """Reset nothing between two look-ups: they change nothing of a session, and a reset is one more round trip."""
