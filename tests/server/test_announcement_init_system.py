"""What systemd hears, and that nothing depends on whether it listens."""

import logging
from contextlib import closing
from pathlib import Path
from socket import AF_UNIX, SOCK_DGRAM, socket

import pytest

from tallyroom.server.announcement import READY, STOPPING, InitSystem


@pytest.mark.parametrize("without_file", [False, True])
def test_a_manager_hears_each_state(tmp_path: Path, *, without_file: bool) -> None:
    name = f"{tmp_path}/notify"
    with closing(socket(AF_UNIX, SOCK_DGRAM)) as manager:
        manager.bind(f"\0{name}" if without_file else name)
        manager.settimeout(10)
        told = InitSystem(f"@{name}" if without_file else name)
        told.notify(READY)
        told.notify(STOPPING)
        assert [manager.recv(100), manager.recv(100)] == [b"READY=1", b"STOPPING=1"]


def test_nobody_is_told_where_nobody_listens(caplog: pytest.LogCaptureFixture) -> None:
    InitSystem("").notify(READY)
    assert caplog.records == []


@pytest.mark.parametrize("address", ["/does/not/exist", "@", "x" * 200])
def test_a_manager_that_is_gone_stops_nothing(address: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        InitSystem(address).notify(READY)
    assert [record.getMessage() for record in caplog.records] == ["the init system could not be notified"]
