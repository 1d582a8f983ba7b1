"""Digests on a metadata database, a mailbox, and mailers that send there what is due."""

from collections.abc import Iterator
from typing import Any

import pytest

from conftest import FakeClock
from harness.builders.digest_mails import PlainRenderer, QueuedMailer, ReaderBehind
from harness.servers.mailbox import Mailbox
from harness.servers.small_app import founder
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.ids import IdGenerator
from tallyroom.core.mail_server import read_mail_server
from tallyroom.dashboards.dashboards.schemas import DashboardIn
from tallyroom.dashboards.dashboards.service import create_dashboard
from tallyroom.digests import service
from tallyroom.digests.schemas import DigestIn, DigestOut, SendingOut
from tallyroom.mail.email import Mailer
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.queue.worker import QueueWorker

__all__ = ["founder"]


class Post:
    """What tests of sending need; waiting moves the clock."""

    def __init__(self, database: Database, founder: MemberPrincipal, clock: FakeClock, box: Mailbox) -> None:
        self.database, self.founder, self.clock, self.box = database, founder, clock, box
        self.id_generator = IdGenerator(clock)
        self.renderer, self.reader = PlainRenderer(), ReaderBehind()
        server = read_mail_server(f"smtp://127.0.0.1:{box.port}?starttls=never", "Tallyroom <no@stats.example.com>")
        self.outgoing = Mailer(server, clock, self.id_generator)

    def mailer(self) -> QueuedMailer:
        """One of any number of mailers on the database."""
        middling = IdGenerator(self.clock, lambda count: (0x7FFF).to_bytes(count, "big"))  # no jitter
        queue = QueueWorker(self.database, self.clock, middling, self.id_generator.new())
        parts = self.reader, self.renderer, self.outgoing, self.clock, self.id_generator
        return QueuedMailer(queue, self.database, *parts, public_url="https://stats.example.com")

    async def make(self, *recipients: str, **fields: Any) -> DigestOut:
        """A digest of a new dashboard, daily at 9:00 UTC unless the fields say otherwise."""
        sent: dict[str, Any] = {"cadence": "daily", "timezone": "UTC"} | fields
        async with self.database.session(write=True) as db:
            board = await create_dashboard(db, self.founder, DashboardIn(name="Shop"), self.clock, self.id_generator)
            body = DigestIn(dashboard_id=board.id, recipients=list(recipients or ["ann@example.com"]), **sent)
            return await service.create_digest(db, self.founder, body, self.clock, self.id_generator)

    async def sendings(self, digest: DigestOut) -> list[SendingOut]:
        async with self.database.session(write=False) as db:
            return await service.list_sendings(db, self.founder, digest.id)

    async def request_sending(self, digest: DigestOut) -> SendingOut:
        async with self.database.session(write=True) as db:
            return await service.request_sending(db, self.founder, digest.id, self.clock, self.id_generator)

    async def states(self, digest: DigestOut) -> dict[str, tuple[str, int, str | None]]:
        """Status, attempts and error by recipient, of the newest sending."""
        newest = (await self.sendings(digest))[0]
        return {mail.recipient: (mail.status, mail.attempts, mail.error) for mail in newest.mails}


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with Mailbox().running() as box:
        yield box


@pytest.fixture
def post(database: Database, founder: MemberPrincipal, fake_clock: FakeClock, box: Mailbox) -> Post:
    return Post(database, founder, fake_clock, box)
