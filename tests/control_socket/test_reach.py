"""control_socket.reach: through the running server, or without one."""

from pathlib import Path
from typing import Any

import pytest

from tallyroom.control_socket.reach import RemoteStoreAccess, reach
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import DataDirectoryInUse, DataDirectoryUnusable, hold


def reached(data: Path) -> Any:
    with reach(data, SystemClock(), settle_range=False) as access:
        return access


def test_reach_finds_the_server(remote: RemoteStoreAccess, tmp_path: Path) -> None:
    (tmp_path / "metadata.sqlite").touch()
    with hold(tmp_path):
        assert isinstance(reached(tmp_path), RemoteStoreAccess)


def test_reach_without_data_is_refused_and_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(DataDirectoryUnusable, match="There is no Tallyroom data"):
        reached(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_reach_of_a_server_that_has_no_socket_yet(tmp_path: Path) -> None:
    (tmp_path / "metadata.sqlite").touch()
    with hold(tmp_path), pytest.raises(DataDirectoryInUse, match=r"does not answer at control\.sock"):
        reached(tmp_path)


def test_reach_of_half_a_data_directory(tmp_path: Path) -> None:
    (tmp_path / "metadata.sqlite").touch()
    with pytest.raises(DataDirectoryUnusable, match=r"has no spool\.sqlite"):
        reached(tmp_path)
    with hold(tmp_path):  # nothing holds it any more
        pass
