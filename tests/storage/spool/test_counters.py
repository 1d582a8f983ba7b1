"""What is counted with each commit is what the file says."""

import sqlite3
from pathlib import Path

import pytest

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, put
from tallyroom.core import failpoints
from tallyroom.storage.spool.counters import Counters
from tallyroom.storage.spool.queue import Spool, SpoolUnavailable
from tallyroom.storage.spool.waiting_chunks import WaitingGroup

SCOPE = fresh_scope()


def read(path: Path) -> Counters:
    connection = sqlite3.connect(path)
    counters = Counters()
    counters.read(connection)
    connection.close()
    return counters


def list_groups(counters: Counters | Spool) -> list[WaitingGroup]:
    return sorted(counters.waiting_chunks.list_groups())


async def test_a_count_with_each_commit_agrees_with_the_file(spool: Spool, path: Path) -> None:
    for months in ([0], [0, 40], [40, 40, 80]):
        await put(spool, batch(spool, *(event(SCOPE, timestamp_ms=days * 86_400_000) for days in months)))
        counters = read(path)
        assert not counters.are_stale
        assert (spool.acked_count, spool.last_id, spool.last_seq) == (
            counters.acked_count,
            counters.last_id,
            counters.last_seq,
        )
        assert list_groups(spool) == list_groups(counters)


async def test_a_failed_commit_counts_nothing(spool: Spool, path: Path) -> None:
    await put(spool, batch(spool, event(SCOPE)))
    failpoints.configure("spool.commit.before=error")
    with pytest.raises(SpoolUnavailable):
        await put(spool, batch(spool, event(SCOPE)))
    failpoints.configure("")
    assert (spool.acked_count, spool.last_id, spool.last_seq) == (1, 1, 1)
    assert list_groups(spool) == list_groups(read(path))
