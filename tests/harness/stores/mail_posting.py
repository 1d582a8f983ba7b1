"""Posts letters as the server does, and sends them when the test says so."""

from sqlalchemy import select

from conftest import FakeClock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import Vault
from tallyroom.mail.email import Mailer
from tallyroom.mail.outbox import MailOutbox
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import WorkItem
from tallyroom.storage.queue.worker import QueueWorker


class Posting:
    """One worker's outbox of mails."""

    def __init__(self, database: Database, mailer: Mailer, vault: Vault, clock: FakeClock) -> None:
        self._database = database
        self._clock = clock
        self.mailer = mailer
        middling = IdGenerator(clock, lambda count: (0x7FFF).to_bytes(count, "big"))  # no jitter
        self.queue = QueueWorker(database, clock, middling, IdGenerator(clock).new())
        self.outbox = MailOutbox(self.queue, mailer, vault, clock, IdGenerator(clock))
        self.queue.set_handlers([self.outbox])

    async def post(self, to: str, subject: str, text: str) -> None:
        async with self._database.session(write=True) as db:
            await self.outbox.enqueue(db, to, subject, text)

    async def waiting(self) -> list[WorkItem]:
        async with self._database.session(write=False) as db:
            return list(await db.scalars(select(WorkItem).order_by(WorkItem.id)))

    async def go(self, seconds: float = 0) -> None:
        """Move the clock, and make the attempts that are due."""
        self._clock.advance(seconds)
        await self.queue.start_due()
        await self.queue.wait_until_idle()

    async def close(self) -> None:
        """Make attempts until nothing waits."""
        while waiting := await self.waiting():
            later = min(each.due_ms for each in waiting) - self._clock.now_ms()
            await self.go(max(0, later / 1000))
