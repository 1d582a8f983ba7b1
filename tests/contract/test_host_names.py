"""Own host names for the families (rules/safety#host-names), on a real server."""

from collections.abc import Iterator

import httpx
import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

BASE, STATS, WIDGETS = "tally.example", "stats.example", "widgets.example"
GOOD = b'{"name":"sent"}'


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(
        tmp_path_factory.mktemp("hosts") / "data",
        base_url=f"http://{BASE}",
        stats_url=f"http://{STATS}",
        widgets_url=f"http://{WIDGETS}",
        metrics_open="true",
    ).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def tenant(apart: Server) -> Workspace:
    return sign_up(apart.url)


@pytest.mark.long
@pytest.mark.parametrize("host", [STATS, WIDGETS])
@pytest.mark.parametrize("path", ["/", "/v1/actors", "/docs", "/openapi.json", "/metrics"])
def test_analytics_is_not_found_under_another_family(tenant: Workspace, host: str, path: str) -> None:
    with tenant.client() as client:
        refused = client.get(path, headers={"host": host})
        assert client.get(path, headers={"host": BASE}).status_code == 200
        assert client.get(path).status_code == 200
    assert (refused.status_code, refused.json()["error"]) == (404, "not_found")
    assert "x-request-id" in refused.headers


@pytest.mark.long
@pytest.mark.parametrize("host", [STATS, WIDGETS])
def test_events_are_taken_at_the_base_address_only(tenant: Workspace, host: str) -> None:
    for _ in range(2):  # the second time the key is remembered
        assert tenant.send(GOOD, headers={"host": BASE}).status_code == 202
    assert tenant.send(GOOD, headers={"host": host}).status_code == 404


@pytest.mark.parametrize("host", [BASE, STATS, WIDGETS, "10.0.0.1"])
def test_a_probe_works_under_every_name(apart: Server, host: str) -> None:
    assert httpx.get(f"{apart.url}/healthz", headers={"host": host}).status_code == 200
