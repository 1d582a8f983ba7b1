"""A fresh metadata database."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tallyroom.db.connection import Database
from tallyroom.db.migrate import migrate


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "metadata.sqlite"
    migrate(path)
    return path


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    database = Database(path)
    yield database
    await database.close()
