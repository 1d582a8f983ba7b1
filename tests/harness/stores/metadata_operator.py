"""Somebody who is no server of ours and reads and changes the rows of a database in PostgreSQL."""

from collections.abc import AsyncIterator

import asyncpg
import pytest


@pytest.fixture
async def operator(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection of theirs to the database of the test."""
    connection = await asyncpg.connect(dsn)
    yield connection
    await connection.close()
