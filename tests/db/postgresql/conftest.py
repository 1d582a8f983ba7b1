"""A database of PostgreSQL for each test."""

from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest
from sqlalchemy import URL

from harness.metadata import dsn_of
from harness.postgres import fresh_database


@pytest.fixture
def dsn_of_nothing(postgres_server: URL) -> Iterator[str]:
    """A database without tables."""
    with fresh_database(postgres_server, lambda _: None) as database:
        yield dsn_of(database)


@pytest.fixture
async def operator(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """Somebody who is no server of ours."""
    connection = await asyncpg.connect(dsn)
    yield connection
    await connection.close()
