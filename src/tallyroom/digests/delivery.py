"""Hands in the mail to one recipient: claimed before, and marked after (rules/digests#attempts)."""

import logging
from typing import Final

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS
from tallyroom.digests import repository
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.digests.tokens import message_id, unsubscribe_token
from tallyroom.mail.email import Mailer
from tallyroom.mail.errors import NotNow, NotTaken
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Digest, DigestLetter, DigestSending

PAUSES_MS: Final = (5_000, 60_000, 600_000, HOUR_MS)
"""How long a mail waits after its first, second… attempt that failed; the last pause repeats."""

GIVE_UP_MS: Final = DAY_MS
"""After this time, no more attempts are made."""

CLAIM_MS: Final = 5 * MINUTE_MS
"""After this time, an attempt of which nothing is known is taken for broken off."""

_TOO_LATE = "it was not delivered within 24 hours"

_log = logging.getLogger(__name__)


class DigestDelivery:
    """Makes the attempts for one sending.

    Args:
        database: has the state of each mail.
        mailer: hands them in.
        clock: says when to try again.
        public_url: where the links to unsubscribe lead.
        digest: what is sent.
        sending: its due time.
    """

    def __init__(
        self, database: Database, mailer: Mailer, clock: Clock, public_url: str, digest: Digest, sending: DigestSending
    ) -> None:
        self._database = database
        self._mailer = mailer
        self._clock = clock
        self._public_url = public_url
        self._digest = digest
        self._sending = sending
        self.sent = 0
        self.failed = 0

    async def attempt(self, letter: DigestLetter, mail: RenderedDigest) -> None:
        """Hand in one mail, if nobody else does and the recipient has not unsubscribed meanwhile."""
        if not await self._is_recipient(letter):
            await self._mark(letter, status="dropped", error=None, next_attempt_ms=None)
            return
        attempts = await self._claim(letter)
        if attempts is None:
            return
        try:
            await self._mailer.send(mail.letter(letter.address, self._message_id(letter), self._link(letter)))
        except NotNow as error:
            await self._failed(letter, attempts, str(error))
        except NotTaken as error:
            await self._give_up(letter, str(error))
        except Exception as error:  # noqa: BLE001 # one mail must not hold up the others
            _log.exception("a mail of a digest could not be sent")
            await self._failed(letter, attempts, repr(error))
        else:
            failpoints.hit("digest.handed_in")
            await self._sent(letter)

    async def put_off(self, letter: DigestLetter, reason: str) -> None:
        """Count an attempt that failed before the mail was made."""
        attempts = await self._claim(letter)
        if attempts is not None:
            await self._failed(letter, attempts, reason)

    async def _is_recipient(self, letter: DigestLetter) -> bool:
        async with self._database.session(write=False) as db:
            recipients = await repository.list_recipients(db, [self._digest.id])
        return any(
            recipient.recipient == letter.recipient and recipient.unsubscribed_ms is None for recipient in recipients
        )

    async def _claim(self, letter: DigestLetter) -> int | None:
        """Return the number of this attempt; None if it is not ours to make."""
        now = self._clock.now_ms()
        async with self._database.session(write=True) as db:
            attempts = await repository.claim_letter(db, letter, now, now + CLAIM_MS)
        if attempts is not None and now > self._sending.created_at_ms + GIVE_UP_MS:
            await self._give_up(letter, letter.error or _TOO_LATE)
            return None
        return attempts

    def _message_id(self, letter: DigestLetter) -> str:
        return message_id(self._digest.id, self._sending.due_ms, letter.recipient)

    def _link(self, letter: DigestLetter) -> str:
        token = unsubscribe_token(self._digest.id, self._digest.token_secret, letter.recipient)
        return f"{self._public_url}/unsubscribe/{token}"

    async def _failed(self, letter: DigestLetter, attempts: int, reason: str) -> None:
        again = self._clock.now_ms() + PAUSES_MS[min(attempts, len(PAUSES_MS)) - 1]
        if again > self._sending.created_at_ms + GIVE_UP_MS:
            await self._give_up(letter, reason)
        else:
            await self._mark(letter, error=reason, next_attempt_ms=again)

    async def _give_up(self, letter: DigestLetter, reason: str) -> None:
        self.failed += 1
        _log.error("a mail of a digest was not delivered", extra={"to": letter.address, "reason": reason})
        await self._mark(letter, status="failed", error=reason, next_attempt_ms=None)

    async def _sent(self, letter: DigestLetter) -> None:
        now = self._clock.now_ms()
        async with self._database.session(write=True) as db:
            values = {"status": "sent", "error": None, "next_attempt_ms": None, "sent_at_ms": now}
            await repository.mark_letter(db, letter, **values)
            await repository.mark_sent(db, self._digest.id, now)
        self.sent += 1

    async def _mark(self, letter: DigestLetter, **values: str | int | None) -> None:
        async with self._database.session(write=True) as db:
            await repository.mark_letter(db, letter, **values)
