"""A server's and a command's end of one socket, with a store access that says what the test wants."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from harness.builders.backups import FakeStoreAccess
from tallyroom.operations.control_socket import listener
from tallyroom.operations.control_socket.listener import ControlSocket
from tallyroom.operations.control_socket.reach import RemoteStoreAccess
from tallyroom.storage.event_store.part_check import CheckedPart


@pytest.fixture
def access() -> FakeStoreAccess:
    return FakeStoreAccess(parts=[CheckedPart("events", f"202611_{number}_{number}_0", number) for number in range(50)])


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def server(
    tmp_path: Path, access: FakeStoreAccess, opened: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> ControlSocket:
    monkeypatch.setattr(listener, "_POLL_SECONDS", 0.01)
    server = ControlSocket(tmp_path, access, str)
    server.open()
    opened.callback(server.close)
    return server


@pytest.fixture
def remote(server: ControlSocket, tmp_path: Path, opened: ExitStack) -> RemoteStoreAccess:
    return opened.enter_context(closing(RemoteStoreAccess(tmp_path)))
