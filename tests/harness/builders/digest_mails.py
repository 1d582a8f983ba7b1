"""Mails of digests without an event store behind them."""

from typing import Any

from tallyroom.dashboards.mail.contents import MailNote, WidgetPart
from tallyroom.digests.mail.head import MailHead
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.mailer import DigestMailer
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.queue.worker import QueueWorker

HEAD = MailHead("Shop", "", "13 – 20 Nov 2026", "every day at 09:00 (UTC)", "https://stats.example.com/d/1")


class PlainRenderer(DigestRenderer):
    """Makes mails that say when they were due, and asks nobody."""

    def __init__(self) -> None:
        self.made: list[tuple[str, int]] = []
        self.failures: list[Exception] = []

    async def render(self, digest_id: str, until_ms: int, *, is_fresh: bool = True) -> RenderedDigest | None:
        """Fail as told, or make the mail."""
        if self.failures:
            raise self.failures.pop(0)
        self.made.append((digest_id, until_ms))
        head = HEAD._replace(is_fresh=is_fresh)
        return RenderedDigest(f"Shop: {until_ms}", head, [WidgetPart("Title", [MailNote("Hello")])], {})


class ReaderBehind(EventReader):
    """A reader whose store has all events, or lacks the newest as long as a test says so."""

    def __init__(self) -> None:
        self.is_fresh = True

    async def catch_up(self, *_: Any, **__: Any) -> bool:
        """Answer at once."""
        return self.is_fresh

    async def catch_up_with_all_hosts(self, *_: Any, **__: Any) -> bool:
        """Answer at once."""
        return self.is_fresh


class QueuedMailer(DigestMailer):
    """A mailer with the worker of the queue that it serves."""

    def __init__(self, queue: QueueWorker, *parts: Any, public_url: str) -> None:
        super().__init__(queue, *parts, public_url=public_url)
        self.queue = queue
        queue.set_handlers([self])

    async def send(self) -> None:
        """Send what waits, until nothing is due."""
        while await self.queue.start_due():
            await self.queue.wait_until_idle()


async def run(mailer: QueuedMailer) -> None:
    """Claim what is due, and wait until it is sent or put off."""
    await mailer.claim_due_digests(0)
    await mailer.send()
