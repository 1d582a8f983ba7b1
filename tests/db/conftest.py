"""A fresh metadata database."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tallyroom.db.connection import Database


@pytest.fixture
def path(new_metadata: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy2(new_metadata, tmp_path))


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    database = Database(path)
    yield database
    await database.close()
