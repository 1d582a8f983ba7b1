"""A spool in a fresh file, or the file alone, and failpoints that do not outlive their test."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tallyroom.core import failpoints
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file
from tallyroom.storage.spool.queue import Spool


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "spool.sqlite"


@pytest.fixture
def spool(path: Path) -> Iterator[Spool]:
    spool = Spool(path, lambda count: b"\x07" * count)
    yield spool
    failpoints.configure("")
    failpoints.release()
    spool.close()
    failpoints.configure("")


@pytest.fixture
def file(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_spool_file(path)) as connection:
        prepare_spool_file(connection, bytes)
        yield connection
