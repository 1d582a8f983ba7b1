"""Only workers on PostgreSQL count and remember together."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tallyroom.cluster.open_ingest import open_cap, open_idempotency_keys
from tallyroom.cluster.shared_cap import SharedCap
from tallyroom.cluster.shared_idempotency_keys import SharedIdempotencyKeys
from tallyroom.cluster.worker_parts import WorkerContext
from tallyroom.core.peers import NoPeers
from tallyroom.ingest.acceptance.cap import LocalCap
from tallyroom.ingest.acceptance.idempotency_keys import LocalIdempotencyKeys
from tallyroom.storage.spool.file import prepare_spool_file


@pytest.fixture
def parts(fake_clock: Any) -> Iterator[WorkerContext]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        prepare_spool_file(connection, bytes)
        yield WorkerContext(None, connection, 1, fake_clock, NoPeers())  # type: ignore[arg-type] # nobody asks it


def test_one_process_is_alone(parts: WorkerContext) -> None:
    assert isinstance(open_cap("", 1, parts), LocalCap)
    assert isinstance(open_idempotency_keys("", parts), LocalIdempotencyKeys)


def test_workers_on_postgresql_are_not(parts: WorkerContext) -> None:
    assert isinstance(open_cap("postgresql://host/name", 1, parts), SharedCap)
    assert isinstance(open_idempotency_keys("postgresql://host/name", parts), SharedIdempotencyKeys)
