"""A database of PostgreSQL for each test."""

from collections.abc import Iterator

import pytest
from sqlalchemy import URL

from harness.servers.postgres import fresh_database
from harness.stores.metadata import dsn_of
from harness.stores.metadata_operator import operator

__all__ = ["operator"]


@pytest.fixture
def dsn_of_nothing(postgres_server: URL) -> Iterator[str]:
    """A database without tables."""
    with fresh_database(postgres_server, lambda _: None) as database:
        yield dsn_of(database)
