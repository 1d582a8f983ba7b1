"""Failpoints and backoffs of a test end with it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallyroom.core import failpoints
from tallyroom.spool.queue import Spool


@pytest.fixture
def spool_path(tmp_path: Path) -> Path:
    return tmp_path / "spool.sqlite"


@pytest.fixture
def spool(spool_path: Path) -> Iterator[Spool]:
    spool = Spool(spool_path, os.urandom)  # the tests share one store, which knows the tokens of every spool
    yield spool
    failpoints.configure("")
    spool.close()
