"""Through the running server, or without one."""

from pathlib import Path
from typing import Any

import pytest

from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import DataDirectoryInUse, DataDirectoryUnusable, WorkersDirectory, hold_directory
from tallyroom.operations.control_socket.reach import RemoteStoreAccess, open_store_access


def reached(data: Path) -> Any:
    with open_store_access(data, SystemClock(), settle_open_claim=False) as access:
        return access


def test_reach_finds_the_server(remote: RemoteStoreAccess, tmp_path: Path) -> None:
    (tmp_path / "metadata.sqlite").touch()
    with hold_directory(tmp_path):
        assert isinstance(reached(tmp_path), RemoteStoreAccess)


def test_reach_without_data_is_refused_and_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(DataDirectoryUnusable, match="There is no Tallyroom data"):
        reached(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_reach_of_a_server_that_has_no_socket_yet(tmp_path: Path) -> None:
    (tmp_path / "metadata.sqlite").touch()
    with hold_directory(tmp_path), pytest.raises(DataDirectoryInUse, match=r"does not respond at control\.sock"):
        reached(tmp_path)


@pytest.mark.parametrize(
    ("data", "words"),
    [("host", "has the spools of several workers"), ("host/workers/0", "has the spool of one of several workers")],
)
def test_reach_of_workers_whose_servers_are_not_named(tmp_path: Path, data: str, words: str) -> None:
    """A backup of what is in the directory would lack almost everything."""
    (tmp_path / "host" / "workers" / "0").mkdir(parents=True)
    (tmp_path / "host" / "workers" / "0" / "spool.sqlite").touch()
    (tmp_path / "host" / "spool.sqlite").touch()  # of a server that ran before there were several
    with pytest.raises(WorkersDirectory, match=rf"{words}.*Set TALLYROOM_DB_DSN .* Nothing was"):
        reached(tmp_path / data)


def test_reach_of_half_a_data_directory(tmp_path: Path) -> None:
    (tmp_path / "metadata.sqlite").touch()
    with pytest.raises(DataDirectoryUnusable, match=r"has no spool\.sqlite"):
        reached(tmp_path)
    with hold_directory(tmp_path):  # nothing holds it any more
        pass
