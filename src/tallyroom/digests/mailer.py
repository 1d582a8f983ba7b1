"""Sends the digests that are due, by their calendar or by request.

See rules/digests#once-for-each-due-time.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any
from weakref import WeakValueDictionary

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.digests import repository
from tallyroom.digests.delivery import RETRY_PAUSES_MS, DigestDelivery
from tallyroom.digests.due_times import bring_digest_forward, claim_due_time
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.mail.email import Mailer
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import DigestLetter, DigestSending

MAX_SENDS_PER_MINUTE = 20
"""The most times in a minute that one workspace can send a digest now."""

_SOON_MS = 10_000  # worth waiting for, because the job runs only once a minute
_MAX_CONCURRENT_DIGESTS = 4  # digests, each of another workspace
_MAX_CONCURRENT_MAILS = 2  # as many as the mailer submits, so that no claim expires while a mail waits for its turn

_log = logging.getLogger(__name__)


class DigestMailer:
    """Sends what is due; `public_url` is the base of the links to unsubscribe."""

    def __init__(
        self,
        database: Database,
        renderer: DigestRenderer,
        mailer: Mailer,
        clock: Clock,
        id_generator: IdGenerator,
        public_url: str,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._renderer = renderer
        self._mailer = mailer
        self._clock = clock
        self._id_generator = id_generator
        self._public_url = public_url
        self._sleep = sleep
        self._tasks: set[asyncio.Task[None]] = set()
        self._running_sending_ids: set[str] = set()
        self._digest_slots = asyncio.Semaphore(_MAX_CONCURRENT_DIGESTS)
        self._lock_by_workspace_id: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._mail_slots = asyncio.Semaphore(_MAX_CONCURRENT_MAILS)
        self._is_closing = False
        self.sent_count = 0
        self.given_up_count = 0

    async def claim_and_send(self, _due_ms: int) -> None:
        """Claim every due digest, and begin to send the waiting mails; the scheduler calls this once a minute."""
        await self.claim_due_digests()
        self.send_soon()

    async def claim_due_digests(self) -> None:
        """Claim every digest that is due."""
        await self._bring_misdated_forward()
        async with self._database.session(write=False) as db:
            due_digest_ids = await repository.list_due_digest_ids(db, self._clock.now_ms())
        for digest_id in due_digest_ids:
            try:
                async with self._database.session(write=True) as db:
                    await claim_due_time(db, digest_id, self._clock, self._id_generator)
            except Unavailable:
                raise
            except Exception:  # noqa: BLE001 # one digest must not hold up the others
                _log.exception("a digest could not be claimed", extra={"digest": digest_id})
            failpoints.hit("digest.claimed")

    async def _bring_misdated_forward(self) -> None:
        """Make digests and mails due that wait for a time that only a wrong clock explains."""
        now_ms = self._clock.now_ms()
        async with self._database.session(write=False) as db:
            misdated_digest_ids = await repository.list_misdated_digest_ids(db, now_ms)
            has_misdated_mail = await repository.has_misdated_mail(db, now_ms, RETRY_PAUSES_MS[-1])
        if misdated_digest_ids or has_misdated_mail:
            async with self._database.session(write=True) as db:
                await repository.bring_mails_forward(db, now_ms, RETRY_PAUSES_MS[-1])
                for digest_id in misdated_digest_ids:
                    await bring_digest_forward(db, digest_id, self._clock)

    def send_soon(self) -> None:
        """Send the waiting mails, without waiting for the scheduler."""
        self._start_task(self._try_send_waiting())

    async def send_waiting(self) -> None:
        """Begin to send the mails that are due: in each workspace one digest after the other."""
        async with self._database.session(write=False) as db:
            waiting_sendings = await repository.list_waiting_sendings(db, self._clock.now_ms())
        for sending_id, workspace_id in waiting_sendings:
            if sending_id not in self._running_sending_ids:
                self._running_sending_ids.add(sending_id)
                self._start_task(self._send_in_turn(sending_id, workspace_id))

    async def wait_until_idle(self) -> None:
        """Wait until everything is sent or postponed."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self, timeout_s: float = 5.0) -> None:
        """Wait for the mails that are being submitted, but at most `timeout_s`; the others stay due."""
        self._is_closing = True
        if self._tasks:
            _, unfinished_tasks = await asyncio.wait(self._tasks, timeout=timeout_s)
            for task in unfinished_tasks:
                task.cancel()
            await asyncio.gather(*unfinished_tasks, return_exceptions=True)

    async def _try_send_waiting(self) -> None:
        with contextlib.suppress(Unavailable):  # the scheduler tries again
            await self.send_waiting()

    def _start_task(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _send_in_turn(self, sending_id: str, workspace_id: str) -> None:
        """Send the mails of a sending when it is the workspace's turn: a backlog of one delays no other."""
        workspace_lock = self._lock_by_workspace_id.setdefault(workspace_id, asyncio.Semaphore(1))
        try:
            async with workspace_lock, self._digest_slots:
                await self._try_send_mails(sending_id)
        finally:
            self._running_sending_ids.discard(sending_id)

    async def _try_send_mails(self, sending_id: str) -> None:
        """Send the mails of a sending, and retry those whose next attempt is soon."""
        try:
            await self._send_mails(sending_id)
        except Unavailable as error:
            _log.warning("a digest waits for another attempt", extra={"reason": error.message})
        except Exception:  # noqa: BLE001 # one digest must not hold up the others
            _log.exception("a digest could not be sent")

    async def _send_mails(self, sending_id: str) -> None:
        async with self._database.session(write=False) as db:
            sending = await repository.get_sending(db, sending_id)
            digest_row = await repository.find_digest_with_dashboard(db, sending.digest_id) if sending else None
        if sending is None or digest_row is None:
            return
        delivery = DigestDelivery(
            self._database, self._mailer, self._clock, self._public_url, digest_row.digest, sending
        )
        rendered_digest: RenderedDigest | None = None  # rendered once, for all recipients
        while not self._is_closing and (mails := await self._list_due_mails(sending)):
            try:
                rendered_digest = rendered_digest or await self._renderer.render(sending.digest_id, sending.due_ms)
            except (Unavailable, RateLimited) as error:
                await asyncio.gather(*(delivery.record_failed_rendering(mail, error.message) for mail in mails))
            else:
                if rendered_digest is None:
                    return
                await asyncio.gather(*(self._attempt_mail(delivery, mail, rendered_digest) for mail in mails))
        self.sent_count += delivery.sent_count
        self.given_up_count += delivery.given_up_count

    async def _attempt_mail(
        self, delivery: DigestDelivery, mail: DigestLetter, rendered_digest: RenderedDigest
    ) -> None:
        async with self._mail_slots:
            if not self._is_closing:
                await delivery.attempt(mail, rendered_digest)

    async def _list_due_mails(self, sending: DigestSending) -> list[DigestLetter]:
        """Return the mails that are due; if the next one is due soon, wait for it."""
        async with self._database.session(write=False) as db:
            next_attempt_ms = await repository.find_next_attempt_ms(db, sending.id)
        if next_attempt_ms is None or next_attempt_ms > self._clock.now_ms() + _SOON_MS:
            return []
        await self._sleep(max(next_attempt_ms - self._clock.now_ms(), 0) / 1000)
        async with self._database.session(write=False) as db:
            mails = await repository.list_mails(db, [sending.id])
        now_ms = self._clock.now_ms()
        return [mail for mail in mails if mail.next_attempt_ms is not None and mail.next_attempt_ms <= now_ms]
