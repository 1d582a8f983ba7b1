"""Claims the digests that are due, and sends the mails of each due time.

See rules/digests#once-for-each-due-time, rules/digests#attempts and rules/digests#newest-events.
"""

import asyncio
import logging

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS
from tallyroom.digests import repository
from tallyroom.digests.due_times import bring_digest_forward, claim_due_time
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.digests.tokens import build_message_id, build_unsubscribe_token
from tallyroom.mail.email import Mailer
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Digest, DigestLetter, DigestSending
from tallyroom.storage.queue.item import (
    ClaimedItem,
    Deferred,
    Done,
    Dropped,
    HandlingLimits,
    ItemType,
    NewItem,
    Outcome,
    Postponed,
    Refused,
)
from tallyroom.storage.queue.repository import enqueue
from tallyroom.storage.queue.worker import QueueWorker

MAX_SENDS_PER_MINUTE = 20
"""The most times in a minute that one workspace can send a digest now."""

_MAX_CONCURRENT_DIGESTS = 4  # each of another workspace
_MAX_CONCURRENT_MAILS = 2  # as many as the mailer submits at once
_MAX_DELAY_MS = 10 * MINUTE_MS  # how long mails wait for the newest events
_CATCH_UP_SECONDS = 20.0  # other hosts gather events of earlier months for five seconds before they deliver them
_DELAY_PAUSE_MS = 15_000
_DELAY_REASON = "The newest events have not reached the event store yet."
_TOO_LATE_ERROR = "it was not delivered within 24 hours"

_log = logging.getLogger(__name__)


class DigestMailer:
    """Sends what is due; `public_url` is the base of the links to unsubscribe."""

    def __init__(  # noqa: PLR0913 # what it reads, renders and sends with
        self,
        queue: QueueWorker,
        database: Database,
        reader: EventReader,
        renderer: DigestRenderer,
        mailer: Mailer,
        clock: Clock,
        id_generator: IdGenerator,
        *,
        public_url: str,
    ) -> None:
        self.type: ItemType = "digest"
        self.limits = HandlingLimits(_MAX_CONCURRENT_DIGESTS, HOUR_MS, DAY_MS)
        self.item_ids = None
        self._queue = queue
        self._database = database
        self._reader = reader
        self._renderer = renderer
        self._mailer = mailer
        self._clock = clock
        self._id_generator = id_generator
        self._public_url = public_url
        self._mail_slots = asyncio.Semaphore(_MAX_CONCURRENT_MAILS)
        self.sent_count = 0
        self.given_up_count = 0

    async def claim_due_digests(self, _due_ms: int) -> None:
        """Claim every digest that is due, and queue its mails; a scheduled job calls this once a minute."""
        now_ms = self._clock.now_ms()
        async with self._database.session(write=False) as db:
            misdated_digest_ids = await repository.list_misdated_digest_ids(db, now_ms)
        if misdated_digest_ids:
            async with self._database.session(write=True) as db:
                for digest_id in misdated_digest_ids:
                    await bring_digest_forward(db, digest_id, self._clock)
        async with self._database.session(write=False) as db:
            due_digest_ids = await repository.list_due_digest_ids(db, now_ms)
        for digest_id in due_digest_ids:
            try:
                async with self._database.session(write=True) as db:
                    await claim_due_time(db, digest_id, self._clock, self._id_generator)
            except Unavailable:
                raise
            except Exception:  # noqa: BLE001 # one digest must not hold up the others
                _log.exception("a digest could not be claimed", extra={"digest": digest_id})
            failpoints.hit("digest.claimed")
        self.send_soon()

    def send_soon(self) -> None:
        """Send the waiting mails, without waiting for the next poll."""
        self._queue.wake()

    async def run(self, item: ClaimedItem) -> Outcome:
        """Send the waiting mails of a sending; `Deferred` if some must be sent again.

        `Postponed` while the event store is behind, for at most ten minutes.
        """
        async with self._database.session(write=False) as db:
            sending = await repository.get_sending(db, item.id)
            digest_row = await repository.find_digest_with_dashboard(db, sending.digest_id) if sending else None
            mails = await repository.list_waiting_mails(db, item.id)
        if sending is None or digest_row is None:
            return Dropped()
        if self._clock.now_ms() > item.created_at_ms + DAY_MS:
            return Refused(_TOO_LATE_ERROR)
        scope = Scope(digest_row.dashboard.workspace_id, digest_row.dashboard.environment)
        is_fresh = await self._reader.catch_up_with_all_hosts(_CATCH_UP_SECONDS, scope=scope)
        if not is_fresh and self._clock.now_ms() < item.created_at_ms + _MAX_DELAY_MS:
            return Postponed(_DELAY_REASON, _DELAY_PAUSE_MS)
        try:
            rendered_digest = await self._renderer.render(sending.digest_id, sending.due_ms, is_fresh=is_fresh)
        except (Unavailable, RateLimited) as error:
            for mail in mails:
                await self._record_failure(mail, error.message)
            return Deferred(error.message)
        if rendered_digest is None:
            return Dropped()
        attempts = (self._send_mail(digest_row.digest, sending, mail, rendered_digest) for mail in mails)
        for failure in await asyncio.gather(*attempts, return_exceptions=True):  # none may go on after the attempt
            if failure is not None:
                raise failure
        async with self._database.session(write=False) as db:
            waiting_mails = await repository.list_waiting_mails(db, item.id)
        return Deferred(waiting_mails[0].error or "") if waiting_mails else Done()

    async def record(self, db: Session, item: ClaimedItem, outcome: Outcome) -> None:
        """Give up the mails that still wait, or record why they wait; the others are recorded already.

        Mails that an earlier version wrote may have joined a sending that was done: it is queued again.
        """
        waiting_mails = () if isinstance(outcome, Deferred) else await repository.list_waiting_mails(db, item.id)
        if isinstance(outcome, Postponed):
            for mail in waiting_mails:
                await repository.mark_mail(db, mail, error=outcome.reason)
        elif isinstance(outcome, Refused):
            for mail in waiting_mails:
                await self._give_up(db, mail, mail.error or outcome.reason)
        elif waiting_mails:
            new_item = NewItem(item.id, item.type, item.lane, item.created_at_ms, item.workspace_id)
            await enqueue(db, new_item, self._clock.now_ms())

    async def _send_mail(
        self, digest: Digest, sending: DigestSending, mail: DigestLetter, rendered_digest: RenderedDigest
    ) -> None:
        """Submit one mail, and record the attempt, unless the server stops or the recipient has unsubscribed."""
        async with self._mail_slots:
            if self._queue.is_stopping:
                return
            async with self._database.session(write=False) as db:
                is_waiting = await repository.is_waiting(db, mail)
                is_subscribed = await repository.is_subscribed(db, digest.id, mail.recipient)
            if not is_waiting:  # another worker has sent it meanwhile
                return
            if not is_subscribed:
                await self._mark_mail(mail, status="dropped", error=None)
                return
            token = build_unsubscribe_token(digest.id, digest.token_secret, mail.recipient)
            message_id = build_message_id(digest.id, sending.due_ms, mail.recipient)
            message = rendered_digest.build_message(mail.address, message_id, f"{self._public_url}/unsubscribe/{token}")
            try:
                await self._mailer.send(message)
            except DeliveryDeferred as error:
                await self._record_failure(mail, str(error))
            except DeliveryRejected as error:
                async with self._database.session(write=True) as db:
                    await self._give_up(db, mail, str(error), attempts=mail.attempts + 1)
            except Exception as error:  # noqa: BLE001 # one mail must not hold up the others
                _log.exception("a digest email could not be sent")
                await self._record_failure(mail, repr(error))
            else:
                failpoints.hit("digest.handed_in")
                await self._record_sent(digest, mail)

    async def _record_sent(self, digest: Digest, mail: DigestLetter) -> None:
        now_ms = self._clock.now_ms()
        async with self._database.session(write=True) as db:
            values = {"status": "sent", "error": None, "sent_at_ms": now_ms, "attempts": mail.attempts + 1}
            await repository.mark_mail(db, mail, **values)
            await repository.mark_digest_sent(db, digest.id, now_ms)
        self.sent_count += 1

    async def _record_failure(self, mail: DigestLetter, reason: str) -> None:
        await self._mark_mail(mail, error=reason, attempts=mail.attempts + 1)

    async def _give_up(self, db: Session, mail: DigestLetter, reason: str, **values: int) -> None:
        self.given_up_count += 1
        _log.error("a digest email was not delivered", extra={"to": mail.address, "reason": reason})
        await repository.mark_mail(db, mail, status="failed", error=reason, **values)

    async def _mark_mail(self, mail: DigestLetter, **values: str | int | None) -> None:
        async with self._database.session(write=True) as db:
            await repository.mark_mail(db, mail, **values)
