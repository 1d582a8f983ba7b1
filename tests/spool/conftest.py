"""A spool in a fresh file, and failpoints that do not outlive their test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tallyroom.core import failpoints
from tallyroom.spool.queue import Spool


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
