"""Metadata for listings; each test takes a workspace of its own."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from harness.stores.event_store import EventStore
from harness.stores.listed_bots import ListedBots, listed_bots
from tallyroom.storage.metadata.migrate import migrate


@pytest.fixture(scope="session")
def listings_metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file that the migrations made."""
    path = tmp_path_factory.mktemp("listings") / "metadata.sqlite"
    migrate(path)
    return path


@pytest.fixture
async def bots(listings_metadata: Path, event_store: EventStore, fake_clock: Any) -> AsyncIterator[ListedBots]:
    """An empty listing on the fake clock."""
    async with listed_bots(listings_metadata, event_store, fake_clock) as opened:
        yield opened
