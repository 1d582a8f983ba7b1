"""Fixtures: a spool, a store and a drain for each test; failpoints and backoffs end with it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.stores.event_store import EventStore
from harness.stores.faulty_store import FaultyStore
from tallyroom.core import failpoints
from tallyroom.core.clock import SystemClock
from tallyroom.ingest.drain import drain as thread_module
from tallyroom.ingest.drain import insert as insert_module
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.spool.queue import Spool


@pytest.fixture
def spool_path(tmp_path: Path) -> Path:
    return tmp_path / "spool.sqlite"


@pytest.fixture
def spool(spool_path: Path) -> Iterator[Spool]:
    spool = Spool(spool_path, os.urandom)  # the tests share one store, which knows the tokens of every spool
    yield spool
    failpoints.configure("")
    spool.close()


@pytest.fixture
def store(event_store: EventStore) -> FaultyStore:
    return FaultyStore(event_store.writer)


@pytest.fixture
def drain(spool: Spool, store: FaultyStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[Drain]:
    monkeypatch.setattr(thread_module, "_BACKOFF_SECONDS", 0.01)
    monkeypatch.setattr(insert_module, "_MIN_BACKOFF_SECONDS", 0.001)
    monkeypatch.setattr(insert_module, "_MAX_BACKOFF_SECONDS", 0.01)
    drain = Drain(spool, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
    yield drain
    if not drain._stop.is_set():
        drain.stop(0)
