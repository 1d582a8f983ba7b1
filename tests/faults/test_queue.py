"""A server dies at a step of the queue: every sort of work is done, once where the receiver allows it (rules/safety#queue)."""

import asyncio
import ssl
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
from sqlalchemy import select

from harness.builders.alert_messages import a_message, make_channel
from harness.clients.dashboards import make_dashboard, make_digest
from harness.clients.workspace import sign_up
from harness.servers.mailbox import Mailbox
from harness.servers.receiver import Receiver
from harness.servers.server import Server
from harness.stores.metadata import opened
from harness.stores.metadata_edits import writing
from harness.suite.patience import PATIENCE
from tallyroom.alerts.delivery.message_queue import MessageQueue
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import DATABASE_FILE
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import open_vault
from tallyroom.digests.due_times import create_sending_now
from tallyroom.mail.email import Mailer
from tallyroom.mail.outbox import MailOutbox
from tallyroom.storage.metadata.models import Digest
from tallyroom.storage.queue.worker import QueueWorker

KILLED = -9
SORTS = 4  # of messages: to a webhook, to a mailbox, a mail, and a digest; scheduled jobs come on top
PLACES = [
    ("queue.claimed", 1),
    *((place, nth) for place in ("queue.attempted", "queue.recorded") for nth in range(1, 6)),
]
IN_EVERY_RUN = {("queue.claimed", 1), ("queue.attempted", 2), ("queue.recorded", 3)}


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with Receiver(context).running() as receiver:
        yield receiver


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with Mailbox().running() as mailbox:
        yield mailbox


def work_items(server: Server) -> Counter[str]:
    """How many items of each type wait, and how many jobs are due."""
    with writing(server.data) as run:
        rows = run("SELECT type, due_ms FROM work_items")
    now_ms = time.time() * 1000
    return Counter(kind if kind != "job" else "due job" for kind, due_ms in rows if kind != "job" or due_ms <= now_ms)


async def queue_one_of_each(data: Path, channel_ids: list[str]) -> None:
    """Queue a message to each channel, a mail and a digest, and make all jobs due, while no server runs."""
    clock = SystemClock()
    id_generator = IdGenerator(clock)
    database = opened(data / DATABASE_FILE)
    queue = QueueWorker(database, clock, id_generator, "test")
    mails = MailOutbox(queue, Mailer(None, clock, id_generator), open_vault([], data), clock, id_generator)
    async with database.session(write=True) as db:
        await MessageQueue(clock, id_generator).enqueue(db, channel_ids, a_message())
        await mails.enqueue(db, "plain@example.com", "A link", "Open it.")
        [digest] = (await db.scalars(select(Digest))).all()
        await create_sending_now(db, digest, clock, id_generator)
    await database.close()
    with writing(data) as run:
        run("UPDATE work_items SET due_ms = 0 WHERE type = 'job'")


@pytest.mark.parametrize(
    ("place", "nth"),
    [pytest.param(*case, marks=() if case in IN_EVERY_RUN else pytest.mark.long) for case in PLACES],
)
def test_work_of_every_sort_survives_a_death(
    tmp_path: Path, receiver: Receiver, mailbox: Mailbox, place: str, nth: int
) -> None:
    settings: dict[str, Any] = {
        "open_signup": "true",
        "outbound_allow": "127.0.0.0/8",
        "smtp_url": f"smtp://127.0.0.1:{mailbox.port}?starttls=never",
        "mail_from": "noreply@example.com",
    }
    server = Server(tmp_path / "data", **settings).start()
    try:
        owner = sign_up(server.url)
        hook = make_channel(owner, type="webhook", destination=f"{receiver.url}/hook")
        on_call = make_channel(owner, type="email", destination="oncall@example.com", name="On call")
        make_digest(owner, make_dashboard(owner)["id"], enabled=False, recipients=["digest@example.com"])
        assert server.stop() == 0
        asyncio.run(queue_one_of_each(server.data, [hook["id"], on_call["id"]]))
        assert work_items(server) == {"delivery": 1, "mail_delivery": 1, "mail": 1, "digest": 1, "due job": 5}
        server.settings["failpoints"] = f"{place}=kill@{nth}"
        server.launch()
        assert server.wait() == KILLED
        server.settings["failpoints"] = ""
        server.start()
        deadline = time.monotonic() + PATIENCE
        while work_items(server):
            assert time.monotonic() < deadline, work_items(server)
            time.sleep(0.05)
        assert server.stop() == 0
    finally:
        server.kill()
    hooks = Counter(request.headers["webhook-id"] for request in receiver.requests)
    mails = Counter((str(letter["to"]), str(letter["message-id"])) for letter in mailbox.letters)
    assert len(hooks) == 1
    assert sorted(address for address, _ in mails) == ["digest@example.com", "oncall@example.com", "plain@example.com"]
    most = 1 if place == "queue.claimed" else 2
    assert max(*hooks.values(), *mails.values()) <= most
    assert sum([*hooks.values(), *mails.values()]) >= SORTS
