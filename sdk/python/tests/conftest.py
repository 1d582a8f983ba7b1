"""Fixtures of the client's tests."""

import os
from collections.abc import Iterator

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have a key and a server of their own."""
    for name in [name for name in os.environ if name.startswith("TALLYROOM_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One real server; each test has its own workspace."""
    server = Server(tmp_path_factory.mktemp("server") / "data", open_signup="true", trusted_proxies="127.0.0.0/8")
    yield server.start()
    server.stop()


@pytest.fixture
def workspace(server: Server) -> Workspace:
    """A fresh workspace with a production key."""
    return sign_up(server.url)
