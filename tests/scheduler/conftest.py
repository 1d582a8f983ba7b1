"""A metadata database, and jobs that write down what they do."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tallyroom.db.connection import Database


@pytest.fixture
async def database(new_metadata: Path, tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(Path(shutil.copy2(new_metadata, tmp_path)))
    yield database
    await database.close()
