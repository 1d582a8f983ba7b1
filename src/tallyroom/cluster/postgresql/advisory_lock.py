"""Work that one process at a time does, by an advisory lock."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tallyroom.cluster.postgresql.server import answering, connect
from tallyroom.storage.metadata.connection import SoleWork

_LOCKS: dict[SoleWork, int] = {"outbox": 0x7A11_0010}


@asynccontextmanager
async def alone(dsn: str, work: SoleWork) -> AsyncIterator[bool]:
    """Hold the lock while the block runs; False if another process has it.

    It belongs to a transaction of a connection of its own, so it ends with the process, and if that hangs or is cut
    off, when the transaction has been idle for too long.

    Raises:
        Unavailable: the database does not answer.
    """
    with answering():
        connection = await connect(dsn)
    try:
        with answering():
            await connection.execute("BEGIN")
            is_ours = bool(await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", _LOCKS[work]))
        yield is_ours
    finally:
        connection.terminate()
