"""One process at a time, whatever becomes of it."""

import asyncio

import asyncpg
import pytest

from harness.suite.patience import PATIENCE
from tallyroom.cluster.postgresql import server
from tallyroom.cluster.postgresql.advisory_lock import hold_work_lock
from tallyroom.core.errors import Unavailable

_GONE = """
SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


async def test_one_at_a_time(dsn: str) -> None:
    async with hold_work_lock(dsn, "outbox") as first, hold_work_lock(dsn, "outbox") as second:
        assert (first, second) == (True, False)
    assert await is_free(dsn)


async def test_it_is_free_when_the_block_fails(dsn: str) -> None:
    with pytest.raises(ZeroDivisionError):
        async with hold_work_lock(dsn, "outbox"):
            raise ZeroDivisionError
    assert await is_free(dsn)


async def test_whoever_hangs_loses_it(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(server._SETTINGS, "idle_in_transaction_session_timeout", "50")
    async with hold_work_lock(dsn, "outbox") as first:
        assert first
        assert await is_free(dsn)


async def test_whoever_lost_its_connection_loses_it(dsn: str, operator: asyncpg.Connection) -> None:
    async with hold_work_lock(dsn, "outbox") as first:
        assert first
        await operator.execute(_GONE)
        assert await is_free(dsn)


async def test_without_a_server_it_is_unavailable() -> None:
    with pytest.raises(Unavailable):
        async with hold_work_lock("postgresql://nobody@127.0.0.1:1/none", "outbox"):
            pass


async def is_free(dsn: str) -> bool:
    """Wait until somebody gets it: the server may need a moment to see that a connection has ended."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async with hold_work_lock(dsn, "outbox") as is_ours:
                if is_ours:
                    return True
            await asyncio.sleep(0.01)
