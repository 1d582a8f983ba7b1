"""A server with small limits beside the big one that all tests share."""

from collections.abc import Iterator

import httpx
import pytest

from harness.builders.four_bots import four_bots
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

CAP = 100
RATE = 200


@pytest.fixture(scope="session")
def tight_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Every workspace is free and may send 100 events a month, every client IP 200 requests a minute."""
    running = Server(
        tmp_path_factory.mktemp("tight") / "data",
        open_signup="true",
        trusted_proxies="127.0.0.0/8",
        default_plan="free",
        free_events_per_month=str(CAP),
        ingest_rate_per_minute=str(RATE),
    ).start()
    yield running
    running.stop()


@pytest.fixture
def free(tight_server: Server) -> Workspace:
    """A fresh workspace of plan `free`."""
    return sign_up(tight_server.url)


@pytest.fixture(scope="module")
def shared(server: Server) -> Workspace:
    """One workspace for the tests of a file that cannot disturb each other."""
    return sign_up(server.url)


@pytest.fixture
def feeder(workspace: Workspace) -> Iterator[httpx.Client]:
    """A client with a token that feeds all bots of a fresh workspace, and reads them."""
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        yield client


@pytest.fixture(scope="module")
def bots(server: Server) -> Workspace:
    """The listing of `harness.builders.four_bots`, for the tests of a file that only read it."""
    return four_bots(server)


@pytest.fixture(scope="module")
def reader(bots: Workspace) -> Iterator[httpx.Client]:
    """Asks with a token, as `member` does with a session."""
    with bots.client(bots.make_stats_token("read")[0]) as client:
        yield client


@pytest.fixture(scope="module")
def member(bots: Workspace) -> Iterator[httpx.Client]:
    with bots.client() as client:
        yield client


@pytest.fixture
def anybody(server: Server) -> Iterator[httpx.Client]:
    """A client without a session, a key or a token."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client
