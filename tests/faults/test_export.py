"""An export under load, with slow clients, or broken off: whole, or visibly not (rules/events#export)."""

import json
import socket
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.ledger import Ledger
from harness.clients.load import Load
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.servers.command import call, refusal
from harness.servers.server import Server
from harness.servers.site import MakeSite, Site
from harness.servers.vitals import memory

_MIB = 1024 * 1024


def send(site: Site, *events: dict[str, Any]) -> None:
    """Send events with actors of their own in one request, and note them."""
    actors = [event["_actor"] for event in events]
    site.ledger.send(actors)
    assert site.workspace.send({"events": events}).status_code == 202
    site.ledger.ack(actors, actors[0])


def fill(site: Site, batches: int, padding: int) -> None:
    """Send batches of 30 events, each batch on a day of its own."""
    text = "x" * padding
    for day in range(batches):
        when = ago(days=day)
        send(
            site,
            *({"name": "x", "_actor": f"{day}-{n}", "_timestamp": when, "properties": {"p": text}} for n in range(30)),
        )


def exported(workspace: Workspace) -> list[str]:
    """The actor of each event."""
    answer = workspace.get("/v1/export")
    assert answer.status_code == 200, answer.text
    return [json.loads(line)["_actor"] for line in answer.content.split(b"\n")[:-1]]


@pytest.mark.long
@pytest.mark.parametrize("rounds", [1, 5])
def test_under_load_each_acknowledged_event_is_there_once(
    server: Server, workspace: Workspace, seed: int, rounds: int
) -> None:
    ledger = Ledger()
    load = Load(server.port, workspace.key, ledger, seed=seed, pause=0.1, largest=20).start()
    sizes = []
    for _ in range(rounds):
        load.wait_for(202, 10)
        before = set(ledger.acknowledged())
        found = Counter(exported(workspace))
        assert before <= found.keys()
        assert set(found.values()) == {1}
        sizes.append(len(found))
    load.finish()
    assert sizes == sorted(set(sizes))
    assert set(exported(workspace)) == set(ledger.acknowledged())


@pytest.mark.long
@pytest.mark.parametrize("fault", ["error", "kill"])
@pytest.mark.parametrize("accept", ["gzip", "identity"])
def test_an_export_that_breaks_off_is_no_export(make_site: MakeSite, fault: str, accept: str) -> None:
    site = begin_faulty(make_site, fault)
    with site.workspace.client() as client, pytest.raises(httpx.RemoteProtocolError):
        client.get("/v1/export", headers={"accept-encoding": accept})
    check_what_it_says(site, fault)


@pytest.mark.parametrize("fault", ["error", pytest.param("kill", marks=pytest.mark.long)])
def test_the_command_keeps_nothing_of_an_export_that_breaks_off(
    make_site: MakeSite, tmp_path: Path, fault: str
) -> None:
    site = begin_faulty(make_site, fault)
    file = tmp_path / "events.csv"
    file.write_text("the one of last week")
    done = call("export", "-o", file, url=site.server.url, token=site.workspace.session_token)
    assert "The export is not complete" in refusal(done)
    assert [path.name for path in tmp_path.iterdir() if path.suffix in {".part", ".csv"}] == ["events.csv"]
    assert file.read_text() == "the one of last week"
    check_what_it_says(site, fault)


def begin_faulty(make_site: MakeSite, fault: str) -> Site:
    """A server with some events that breaks off an export before its third slice; from 21:00 on there are but three."""
    site = make_site().begin(f"export.slice={fault}@3")
    fill(site, 40, 10)
    return site


def check_what_it_says(site: Site, fault: str) -> None:
    """After an error the server goes on, and its log has a sentence; after a kill there is no server."""
    if fault == "error":
        assert site.workspace.get("/v1/actors").status_code == 200
        site.server.stop()  # everything that it has written is read
        assert "an export was interrupted" in site.server.text()
        assert "Traceback" not in site.server.text()
    else:
        assert site.server.wait() == -9


@pytest.mark.long
def test_a_store_that_does_not_take_events_refuses_an_export(make_site: MakeSite) -> None:
    site = make_site(stop_seconds="1").begin("store.insert=block")
    assert site.workspace.send({"name": "x"}).status_code == 202
    body = site.workspace.get("/v1/export")
    assert body.status_code == 503
    assert body.headers["retry-after"]
    assert body.json()["error"] == "unavailable"


def begin_slowly(site: Site, stack: ExitStack, format_: str) -> socket.socket:
    """An export whose client reads the first bytes and then no more."""
    client = stack.enter_context(socket.create_connection(("127.0.0.1", site.server.port), 30))
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    head = f"GET /v1/export?format={format_} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
    client.sendall(f"{head}Authorization: Bearer {site.workspace.session_token}\r\n\r\n".encode())
    assert client.recv(15) == b"HTTP/1.1 200 OK"
    return client


@pytest.mark.long
def test_clients_that_do_not_read_hold_neither_memory_nor_others(make_site: MakeSite) -> None:
    site = make_site().begin()
    fill(site, 40, 60_000)  # 72 MB
    events = len(site.ledger.acknowledged())
    exported(site.workspace)  # what the server keeps of a first export is no slow client's
    assert site.workspace.get("/v1/actors", timeRange="90d", limit=200).status_code == 200
    before = memory(site.server, "VmRSS")
    with ExitStack() as stack:
        slow = [begin_slowly(site, stack, "ndjson") for _ in range(3)]
        for number in range(3):
            assert len(site.workspace.get("/v1/actors", timeRange="90d", limit=200).json()["actors"]) == 200
            send(site, {"name": "meanwhile", "_actor": f"meanwhile {number}"})
        body = check_refusal(site.workspace.get("/v1/export"), 429)
        assert "3 exports" in body["message"]
        assert memory(site.server, "VmRSS") - before < 160 * _MIB, "three whole exports would be 216 MB"
        slow.pop().close()
        content = read_all(slow[0])
    assert content.endswith(b"\r\n0\r\n\r\n")
    assert content.count(b'"}}\n') == events
    assert b"meanwhile" not in content
    site.account()


@pytest.mark.long
def test_a_stop_breaks_off_what_a_client_does_not_read(make_site: MakeSite) -> None:
    """After the ten seconds that it gives to every request."""
    site = make_site().begin()
    fill(site, 20, 60_000)
    with ExitStack() as stack:
        slow = begin_slowly(site, stack, "ndjson")
        assert site.server.stop() == 0
        broken = read_all(slow)
    assert not broken.endswith(b"\r\n0\r\n\r\n")
    assert "the server is stopping" in site.server.text()
    assert "Traceback" not in site.server.text()


def read_all(client: socket.socket) -> bytes:
    """What comes until the server hangs up."""
    content = bytearray()
    while piece := client.recv(_MIB):
        content += piece
    return bytes(content)
