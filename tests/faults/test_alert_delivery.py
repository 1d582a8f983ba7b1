"""A server dies between sending a message and recording that: it comes again, with its id (rules/alerts#delivery)."""

import asyncio
import ssl
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import trustme
from standardwebhooks import Webhook

from harness.builders.alert_messages import a_message, make_channel
from harness.clients.workspace import Workspace, sign_up
from harness.servers.receiver import Answer, Receiver
from harness.servers.server import Server
from harness.suite.patience import PATIENCE
from tallyroom.alerts.delivery.message_queue import MessageQueue
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import DATABASE_FILE
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.sqlite import SqliteDatabase


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


def arrived(receiver: Receiver, number: int) -> Any:
    deadline = time.monotonic() + PATIENCE
    while len(receiver.requests) < number:
        assert time.monotonic() < deadline, f"{len(receiver.requests)} requests arrived"
        time.sleep(0.02)
    return receiver.requests[number - 1]


def delivered(workspace: Workspace, channel_id: str) -> Any:
    """The one delivery, as soon as it was sent."""
    deadline = time.monotonic() + PATIENCE
    while True:
        [found] = workspace.get(f"/v1/alert-channels/{channel_id}/deliveries").json()["deliveries"]
        if found["status"] == "sent":
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.02)


@pytest.mark.long
def test_a_message_comes_again_with_its_id(tmp_path: Path, certificate: ssl.SSLContext) -> None:
    data, allowed = tmp_path / "data", "127.0.0.0/8"

    async def fire(channel_id: str) -> None:
        database = SqliteDatabase(data / DATABASE_FILE)
        async with database.session(write=True) as db:
            await MessageQueue(SystemClock(), IdGenerator()).enqueue(db, [channel_id], a_message())
        await database.close()

    with Receiver(certificate).running() as receiver:
        server = Server(data, outbound_allow=allowed).start()
        owner = sign_up(server.url)
        made = make_channel(owner, type="webhook", destination=f"{receiver.url}/hook")
        receiver.answers = [Answer(may=threading.Event())]
        asyncio.run(fire(made["id"]))
        first = arrived(receiver, 1)
        server.kill()
        server = Server(data, port=server.port, outbound_allow=allowed).start()
        second = arrived(receiver, 2)
        found = delivered(owner, made["id"])
        assert server.stop() == 0
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == found["id"]
    assert first.body == second.body
    assert Webhook(made["secret"]).verify(second.body, second.headers)["type"] == "alert.fired"
    assert found["attempts"] == 1
