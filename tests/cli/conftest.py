"""A server on which a free workspace may send next to nothing."""

from collections.abc import Iterator

import pytest

from harness.servers.server import Server


@pytest.fixture(scope="session")
def free_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Workspaces are paid at first; a free one may send five events a month."""
    data = tmp_path_factory.mktemp("free") / "data"
    running = Server(data, open_signup="true", free_events_per_month="5").start()
    yield running
    running.stop()
