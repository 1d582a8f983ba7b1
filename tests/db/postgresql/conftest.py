"""A database of PostgreSQL for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from harness.metadata import Places


@pytest.fixture
def dsn(postgresql_places: Places, tmp_path: Path) -> str:
    return postgresql_places.dsn(tmp_path / "metadata.sqlite")


@pytest.fixture
async def operator(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """Somebody who is no server of ours."""
    connection = await asyncpg.connect(dsn)
    yield connection
    await connection.close()
