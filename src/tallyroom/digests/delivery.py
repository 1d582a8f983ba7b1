"""Submits the mail to one recipient: claimed before, and marked after (rules/digests#attempts)."""

import logging
from typing import Final

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS
from tallyroom.digests import repository
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.tokens import build_message_id, build_unsubscribe_token
from tallyroom.mail.email import Mailer
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Digest, DigestLetter, DigestSending

RETRY_PAUSES_MS: Final = (5_000, 60_000, 600_000, HOUR_MS)
"""The pauses after the first, second… failed attempt of a mail; the last one repeats."""

MAX_AGE_MS: Final = DAY_MS
"""The age of a mail at which attempts stop."""

CLAIM_DURATION_MS: Final = 5 * MINUTE_MS
"""The time after which an attempt without a known result counts as interrupted."""

_TOO_LATE_ERROR = "it was not delivered within 24 hours"

_log = logging.getLogger(__name__)


class DigestDelivery:
    """Makes the attempts for one sending; `public_url` is the base of the links to unsubscribe."""

    def __init__(
        self, database: Database, mailer: Mailer, clock: Clock, public_url: str, digest: Digest, sending: DigestSending
    ) -> None:
        self._database = database
        self._mailer = mailer
        self._clock = clock
        self._public_url = public_url
        self._digest = digest
        self._sending = sending
        self.sent_count = 0
        self.given_up_count = 0

    async def attempt(self, mail: DigestLetter, rendered_digest: RenderedDigest) -> None:
        """Submit one mail, unless another worker does or the recipient has unsubscribed meanwhile."""
        if not await self._is_still_recipient(mail):
            await self._mark_mail(mail, status="dropped", error=None, next_attempt_ms=None)
            return
        attempt_number = await self._claim_attempt(mail)
        if attempt_number is None:
            return
        try:
            await self._mailer.send(
                rendered_digest.build_message(
                    mail.address, self._build_message_id(mail), self._build_unsubscribe_url(mail)
                )
            )
        except DeliveryDeferred as error:
            await self._record_failure(mail, attempt_number, str(error))
        except DeliveryRejected as error:
            await self._give_up(mail, str(error))
        except Exception as error:  # noqa: BLE001 # one mail must not hold up the others
            _log.exception("a mail of a digest could not be sent")
            await self._record_failure(mail, attempt_number, repr(error))
        else:
            failpoints.hit("digest.handed_in")
            await self._record_sent(mail)

    async def record_failed_rendering(self, mail: DigestLetter, reason: str) -> None:
        """Count an attempt that failed before the mail was rendered."""
        attempt_number = await self._claim_attempt(mail)
        if attempt_number is not None:
            await self._record_failure(mail, attempt_number, reason)

    async def _is_still_recipient(self, mail: DigestLetter) -> bool:
        async with self._database.session(write=False) as db:
            recipients = await repository.list_recipients(db, [self._digest.id])
        return any(
            recipient.recipient == mail.recipient and recipient.unsubscribed_ms is None for recipient in recipients
        )

    async def _claim_attempt(self, mail: DigestLetter) -> int | None:
        """Return the number of this attempt; None if another worker makes it."""
        now_ms = self._clock.now_ms()
        async with self._database.session(write=True) as db:
            attempt_number = await repository.claim_mail(db, mail, now_ms, now_ms + CLAIM_DURATION_MS)
        if attempt_number is not None and now_ms > self._sending.created_at_ms + MAX_AGE_MS:
            await self._give_up(mail, mail.error or _TOO_LATE_ERROR)
            return None
        return attempt_number

    def _build_message_id(self, mail: DigestLetter) -> str:
        return build_message_id(self._digest.id, self._sending.due_ms, mail.recipient)

    def _build_unsubscribe_url(self, mail: DigestLetter) -> str:
        token = build_unsubscribe_token(self._digest.id, self._digest.token_secret, mail.recipient)
        return f"{self._public_url}/unsubscribe/{token}"

    async def _record_failure(self, mail: DigestLetter, attempt_number: int, reason: str) -> None:
        next_attempt_ms = self._clock.now_ms() + RETRY_PAUSES_MS[min(attempt_number, len(RETRY_PAUSES_MS)) - 1]
        if next_attempt_ms > self._sending.created_at_ms + MAX_AGE_MS:
            await self._give_up(mail, reason)
        else:
            await self._mark_mail(mail, error=reason, next_attempt_ms=next_attempt_ms)

    async def _give_up(self, mail: DigestLetter, reason: str) -> None:
        self.given_up_count += 1
        _log.error("a mail of a digest was not delivered", extra={"to": mail.address, "reason": reason})
        await self._mark_mail(mail, status="failed", error=reason, next_attempt_ms=None)

    async def _record_sent(self, mail: DigestLetter) -> None:
        now_ms = self._clock.now_ms()
        async with self._database.session(write=True) as db:
            values = {"status": "sent", "error": None, "next_attempt_ms": None, "sent_at_ms": now_ms}
            await repository.mark_mail(db, mail, **values)
            await repository.mark_digest_sent(db, self._digest.id, now_ms)
        self.sent_count += 1

    async def _mark_mail(self, mail: DigestLetter, **values: str | int | None) -> None:
        async with self._database.session(write=True) as db:
            await repository.mark_mail(db, mail, **values)
