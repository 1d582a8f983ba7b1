"""Sends the digests that are due, whether by their calendar or because somebody asked.

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
from tallyroom.core.ids import Ids
from tallyroom.digests import repository
from tallyroom.digests.delivery import PAUSES_MS, DigestDelivery
from tallyroom.digests.due_times import bring_forward, claim_due
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.mail.email import Mailer
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import DigestLetter, DigestSending

MAX_REQUESTS = 20
"""To send a digest now, of one workspace in a minute."""

_SOON_MS = 10_000  # such a pause is waited for at once, because the job comes once a minute
_AT_ONCE = 4  # digests, each of another workspace
_HANDED_IN_AT_ONCE = 2  # as many as the mailer hands in, so that a claim does not run out while a mail waits for that

_log = logging.getLogger(__name__)


class DigestMailer:
    """Sends what is due.

    Args:
        database: has the digests and their mails.
        renderer: makes the mails.
        mailer: hands them in.
        clock: says what is due.
        ids: makes ids of sendings.
        public_url: where the links to unsubscribe lead.
        wait: sleeps for some seconds.
    """

    def __init__(
        self,
        database: Database,
        renderer: DigestRenderer,
        mailer: Mailer,
        clock: Clock,
        ids: Ids,
        public_url: str,
        wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._renderer = renderer
        self._mailer = mailer
        self._clock = clock
        self._ids = ids
        self._public_url = public_url
        self._wait = wait
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way: set[str] = set()
        self._digests = asyncio.Semaphore(_AT_ONCE)
        self._workspaces: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._turns = asyncio.Semaphore(_HANDED_IN_AT_ONCE)
        self._is_closing = False
        self.sent = 0
        self.failed = 0

    async def begin(self, _due_ms: int) -> None:
        """Claim every digest that is due, and begin to send what waits; the scheduler calls this once a minute."""
        await self.claim()
        self.soon()

    async def claim(self) -> None:
        """Claim every digest that is due."""
        await self._bring_forward()
        async with self._database.session(write=False) as db:
            due = await repository.list_due(db, self._clock.now_ms())
        for digest_id in due:
            try:
                async with self._database.session(write=True) as db:
                    await claim_due(db, digest_id, self._clock, self._ids)
            except Unavailable:
                raise
            except Exception:  # noqa: BLE001 # one digest must not hold up the others
                _log.exception("a digest could not be claimed", extra={"digest": digest_id})
            failpoints.hit("digest.claimed")

    async def _bring_forward(self) -> None:
        """Find what waits for a time that only a wrong clock could mean."""
        now = self._clock.now_ms()
        async with self._database.session(write=False) as db:
            far = await repository.list_far(db, now)
            waits = await repository.is_letter_far(db, now, PAUSES_MS[-1])
        if far or waits:
            async with self._database.session(write=True) as db:
                await repository.bring_letters_forward(db, now, PAUSES_MS[-1])
                for digest_id in far:
                    await bring_forward(db, digest_id, self._clock)

    def soon(self) -> None:
        """Send what waits, without waiting for the scheduler."""
        self._start(self._send_soon())

    async def send_waiting(self) -> None:
        """Begin to send the mails whose time has come: of each workspace one digest after the other."""
        async with self._database.session(write=False) as db:
            waiting = await repository.list_waiting(db, self._clock.now_ms())
        for sending_id, workspace_id in waiting:
            if sending_id not in self._under_way:
                self._under_way.add(sending_id)
                self._start(self._send_in_turn(sending_id, workspace_id))

    async def settled(self) -> None:
        """Wait until everything is sent or put off."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self, seconds: float = 5.0) -> None:
        """Wait for the mails that are being handed in, but at most `seconds`; the others stay due."""
        self._is_closing = True
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _send_soon(self) -> None:
        with contextlib.suppress(Unavailable):  # the scheduler tries again
            await self.send_waiting()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _send_in_turn(self, sending_id: str, workspace_id: str) -> None:
        """Send the mails of a sending when it is the workspace's turn: a backlog of one delays no other."""
        own = self._workspaces.setdefault(workspace_id, asyncio.Semaphore(1))
        try:
            async with own, self._digests:
                await self._send(sending_id)
        finally:
            self._under_way.discard(sending_id)

    async def _send(self, sending_id: str) -> None:
        """Send the mails of a sending, and again those whose next attempt is soon."""
        try:
            await self._send_all(sending_id)
        except Unavailable as error:
            _log.warning("a digest waits for another attempt", extra={"reason": error.message})
        except Exception:  # noqa: BLE001 # one digest must not hold up the others
            _log.exception("a digest could not be sent")

    async def _send_all(self, sending_id: str) -> None:
        async with self._database.session(write=False) as db:
            sending = await repository.get_sending(db, sending_id)
            placed_digest = await repository.find_digest(db, sending.digest_id) if sending else None
        if sending is None or placed_digest is None:
            return
        delivery = DigestDelivery(
            self._database, self._mailer, self._clock, self._public_url, placed_digest.digest, sending
        )
        mail: RenderedDigest | None = None  # made once, for all recipients
        while not self._is_closing and (letters := await self._due_letters(sending)):
            try:
                mail = mail or await self._renderer.render(sending.digest_id, sending.due_ms)
            except (Unavailable, RateLimited) as error:
                await asyncio.gather(*(delivery.put_off(letter, error.message) for letter in letters))
            else:
                if mail is None:
                    return
                await asyncio.gather(*(self._attempt(delivery, letter, mail) for letter in letters))
        self.sent += delivery.sent
        self.failed += delivery.failed

    async def _attempt(self, delivery: DigestDelivery, letter: DigestLetter, mail: RenderedDigest) -> None:
        async with self._turns:
            if not self._is_closing:
                await delivery.attempt(letter, mail)

    async def _due_letters(self, sending: DigestSending) -> list[DigestLetter]:
        """Return the mails whose time has come; if that is soon, wait for it."""
        async with self._database.session(write=False) as db:
            due = await repository.next_attempt(db, sending.id)
        if due is None or due > self._clock.now_ms() + _SOON_MS:
            return []
        await self._wait(max(due - self._clock.now_ms(), 0) / 1000)
        async with self._database.session(write=False) as db:
            letters = await repository.list_letters(db, [sending.id])
        now = self._clock.now_ms()
        return [letter for letter in letters if letter.next_attempt_ms is not None and letter.next_attempt_ms <= now]
