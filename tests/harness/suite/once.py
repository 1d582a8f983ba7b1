"""What takes long to make and what tests only read or copy: made by the first worker that wants it, for all of them."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder `name`, filled by `make` unless another worker has done so."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, half = base / name, base / f"{name}.half"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed
        if not folder.exists():
            shutil.rmtree(half, ignore_errors=True)  # what a worker has left that failed
            half.mkdir()
            make(half)
            half.rename(folder)
    return folder
