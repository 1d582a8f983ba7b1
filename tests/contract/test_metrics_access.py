"""`GET /metrics` of a real server tells strangers nothing (rules/safety#metrics)."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from harness.servers.server import Server
from harness.suite.few import few

TOKEN = "a-token-of-a-scraper"


@pytest.fixture(scope="module")
def behind_a_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """As a reverse proxy on the same machine reaches it; the token is in a file, as of containers."""
    folder = tmp_path_factory.mktemp("metrics")
    secret = folder / "token"
    secret.write_text(f"{TOKEN}\n")
    running = Server(
        folder / "data",
        base_url="https://tally.example.com",
        trusted_proxies="127.0.0.0/8",
        metrics_token_file=str(secret),
    ).start()
    yield running
    running.stop()


@few(2, "method", ["GET", "HEAD"])
@pytest.mark.parametrize("headers", [{}, {"x-forwarded-for": "192.0.2.7"}, {"x-forwarded-for": "127.0.0.1"}])
def test_nobody_gets_numbers_through_the_proxy(behind_a_proxy: Server, headers: dict[str, str], method: str) -> None:
    refused = httpx.request(method, f"{behind_a_proxy.url}/metrics", headers=headers)
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, 'Bearer realm="tallyroom"')
    assert "tallyroom_" not in refused.text.replace("tallyroom_session", "")
    if method == "GET":
        assert refused.json()["error"] == "unauthorized"


def test_the_token_does(behind_a_proxy: Server) -> None:
    headers = {"authorization": f"Bearer {TOKEN}", "x-forwarded-for": "192.0.2.7"}
    told = httpx.get(f"{behind_a_proxy.url}/metrics", headers=headers)
    assert told.status_code == 200
    assert "tallyroom_events_acked_total" in told.text
    head = httpx.head(f"{behind_a_proxy.url}/metrics", headers=headers)
    assert (head.status_code, head.text) == (200, "")


def test_the_log_says_once_what_to_set(behind_a_proxy: Server) -> None:
    for _ in range(3):
        httpx.get(f"{behind_a_proxy.url}/metrics")
    assert behind_a_proxy.text().count("TALLYROOM_METRICS_TOKEN") == 1
    assert TOKEN not in behind_a_proxy.text()


@pytest.mark.long
def test_without_a_token_or_an_address_only_this_machine_is_told(tmp_path: Path) -> None:
    server = Server(tmp_path / "data").start()
    try:
        assert httpx.get(f"{server.url}/metrics").status_code == 200
        refused = httpx.get(f"{server.url}/metrics", headers={"x-real-ip": "192.0.2.7"})
        assert (refused.status_code, refused.json()["error"]) == (403, "forbidden")
        assert "TALLYROOM_METRICS_TOKEN" in server.text()
    finally:
        server.stop()
