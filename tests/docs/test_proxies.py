"""docs/howto/proxies.md: what it configures works, with nginx and with Caddy (rules/safety#client-address)."""

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from harness.clients.stream_client import listening
from harness.clients.workspace import PASSWORD, Workspace, sign_up
from harness.servers.proxy import CONFIGURATION, PAGE, Proxy
from harness.servers.server import Server
from harness.suite.patience import PATIENCE
from tallyroom.core.settings import Settings
from tallyroom.ingest.otlp import body

BOTH = ["nginx", "caddy"]


class Through(Workspace):
    """The workspace, by way of a proxy."""

    proxy: Proxy

    def client(self, token: str | None = None) -> httpx.Client:
        return self.proxy.client(authorization=f"Bearer {token or self.session_token}")


@dataclass
class Site:
    """A server with a proxy in front of it."""

    proxy: Proxy
    server: Server
    workspace: Workspace


@pytest.fixture(scope="module", params=BOTH)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("proxy")
    proxy = Proxy(request.param, folder)
    server = Server(
        folder / "data",
        base_url=proxy.url,
        trusted_proxies="127.0.0.1",
        ingest_rate_per_minute="20",
        open_signup="true",
    ).start()
    workspace = sign_up(server.url)
    with proxy.running(f"127.0.0.1:{server.port}"):
        yield Site(proxy, server, workspace)
    server.stop()


@pytest.mark.long
def test_a_browser_signs_in_and_writes(site: Site) -> None:
    with site.proxy.client(origin=site.proxy.url) as client:
        body = {"email": site.workspace.email, "password": PASSWORD}
        signed_in = client.post("/v1/auth/login", json=body)
        assert signed_in.status_code == 200, signed_in.text
        assert "Secure" in signed_in.headers["set-cookie"]
        assert client.get("/v1/auth/me").status_code == 200
        assert client.post("/v1/dashboards", json={"name": "Through a proxy"}).status_code == 201
        refused = client.post("/v1/dashboards", json={"name": "No"}, headers={"origin": "https://elsewhere.example"})
        assert refused.status_code == 403


@pytest.mark.long
def test_large_bodies_arrive_and_larger_ones_are_refused(site: Site) -> None:
    event = {"name": "large", "properties": {f"p{number}": "x" * 900 for number in range(4)}}
    body = json.dumps({"events": [event] * 490}).encode()
    assert 1_800_000 < len(body) <= 2_097_152
    headers = {"authorization": f"Bearer {site.workspace.key}", "content-type": "application/json"}
    with site.proxy.client(**headers) as client:
        assert client.post("/v1/events", content=body).json() == {"accepted": 490}
        with suppress(httpx.WriteError):  # it is refused before it is sent
            assert client.post("/v1/traces", content=bytes(67_108_865)).status_code == 413


@pytest.mark.long
def test_events_arrive_while_the_stream_goes_on(site: Site) -> None:
    through = Through(**vars(site.workspace))
    through.proxy = site.proxy
    with listening(through, environment="production") as ear:
        for name in ("first", "second"):
            assert site.workspace.send({"name": name, "_actor": "ann"}).status_code == 202
            assert ear.names(1) == [name]


def test_clients_are_told_apart_and_cannot_claim_to_be_others(site: Site) -> None:
    headers = {"authorization": f"Bearer {site.workspace.key}"}
    with site.proxy.client("127.0.0.2", **headers) as client:
        statuses = [
            client.post("/v1/events", json={"name": "n"}, headers={"x-forwarded-for": f"192.0.2.{number}"}).status_code
            for number in range(21)
        ]
    assert statuses == [202] * 20 + [429]
    with site.proxy.client("127.0.0.3", **headers) as client:
        assert client.post("/v1/events", json={"name": "n"}).status_code == 202


@pytest.mark.long
def test_an_address_of_10_kb_arrives(site: Site) -> None:
    points = json.dumps([{"id": "a", "x": 1_763_000_000 + 60 * minute, "y": minute} for minute in range(200)])
    with site.proxy.client() as client:
        direct = httpx.get(f"{site.server.url}/custom/graph.svg", params={"data_points": points}, timeout=PATIENCE)
        reply = client.get("/custom/graph.svg", params={"data_points": points})
    assert (direct.status_code, reply.content) == (200, direct.content)


@pytest.mark.parametrize("name", BOTH)
def test_connections_to_the_server_are_used_again(name: str, tmp_path: Path) -> None:
    proxy = Proxy(name, tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        connections: list[socket.socket] = []
        threading.Thread(target=answering, args=(listener, connections), daemon=True).start()
        with proxy.running(f"127.0.0.1:{listener.getsockname()[1]}"), proxy.client() as client:
            assert [client.post("/", content=b"").status_code for _ in range(5)] == [204] * 5
        listener.shutdown(socket.SHUT_RDWR)
    assert len(connections) == 1


def answering(listener: socket.socket, connections: list[socket.socket]) -> None:
    """Answer requests without a body until the listener ends; one connection at a time."""
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            connections.append(connection)
            with connection:
                head = b""
                while b"connection: close" not in head and (head := connection.recv(65_536).lower()):
                    connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")


def test_its_numbers_are_those_of_the_code() -> None:
    assert body.MAX_BODY_BYTES == 64 * 1024**2
    assert "client_max_body_size 64m;" in CONFIGURATION["nginx"]
    assert "max_size 64MiB" in CONFIGURATION["caddy"]
    rest = Settings().keep_alive_seconds
    page = " ".join(PAGE.read_text("utf-8").split())
    assert f"no request for {rest} seconds (`TALLYROOM_KEEP_ALIVE_SECONDS`)" in page
    shorter = re.findall(r"keepalive(?:_timeout)? (\d+)s", "".join(CONFIGURATION.values()))
    assert len(shorter) == len(BOTH)
    assert all(int(seconds) < rest for seconds in shorter)
