"""Batches for a spool, and a look at its file."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.omission import Omission
from tallyroom.storage.spool import claim
from tallyroom.storage.spool.chunk_set import ChunkSet
from tallyroom.storage.spool.claim import Claim
from tallyroom.storage.spool.commit_group import IdempotentRequest, IngestBatch
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import SpoolRow, build_chunks

MONTH = 202611


def batch(spool: Spool, *rows: SpoolRow, idempotent_request: IdempotentRequest | None = None) -> IngestBatch:
    """One request's rows with sequence numbers reserved, as ingest/acceptance/accept.py makes them."""
    first = spool.reserve_seqs(len(rows))
    return IngestBatch(
        rows[0].workspace_id, MONTH, len(rows), first + len(rows) - 1, build_chunks(list(rows)), idempotent_request
    )


async def put(spool: Spool, batch: IngestBatch) -> None:
    """Add the batch and wait until it is settled; raises what it was refused with."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def settled(error: Exception | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)

    spool.add_batch(batch, settled)
    await future


def claim_range(first_id: int, last_id: int) -> Claim:
    """A claim of consecutive chunks."""
    return Claim(ChunkSet.of_range(first_id, last_id))


def claim_all(connection: sqlite3.Connection) -> Claim | None:
    """Record a claim of all that waits, of several months, as earlier versions did; None if nothing waits."""
    ids = [chunk_id for (chunk_id,) in connection.execute("SELECT id FROM chunk ORDER BY id")]
    return claim.take_claim(connection, ChunkSet.of_range(ids[0], ids[-1])) if ids else None


def omission(scope: Scope, actor: str | None = None, before_ms: int | None = None, erasure: str = "1") -> Omission:
    """What an erasure takes of a scope."""
    return Omission(erasure, scope.workspace_id, scope.environment, actor, before_ms)


def look(path: Path, sql: str) -> list[Any]:
    """Rows of a query on the spool's file, through a connection of its own: what is durable."""
    with closing(open_spool_file(path)) as connection:
        return connection.execute(sql).fetchall()
