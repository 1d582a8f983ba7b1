"""Work that only one process does at a time, guarded by an advisory lock."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tallyroom.cluster.postgresql.server import connect, translate_errors
from tallyroom.storage.metadata.connection import SoleWork

_LOCK_NUMBERS: dict[SoleWork, int] = {"outbox": 0x7A11_0010}


@asynccontextmanager
async def hold_work_lock(dsn: str, work: SoleWork) -> AsyncIterator[bool]:
    """Hold the lock while the block runs; yield False if another process has it. Raises `Unavailable`.

    The lock belongs to a transaction on a separate connection, so it ends with the process, or when that hangs.
    """
    with translate_errors():
        connection = await connect(dsn)
    try:
        with translate_errors():
            await connection.execute("BEGIN")
            has_lock = bool(await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", _LOCK_NUMBERS[work]))
        yield has_lock
    finally:
        connection.terminate()
