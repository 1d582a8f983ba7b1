"""Mails that wait in the metadata for the mail server, and the task that sends them (rules/people#mail)."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.core.ids import Ids
from tallyroom.core.times import HOUR_MS
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.mail import repository
from tallyroom.mail.email import Mailer
from tallyroom.mail.errors import NotNow, NotTaken
from tallyroom.mail.message import Letter, has_control_characters
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import WaitingMail

PAUSES_MS: Final = (5_000, 60_000, 600_000, HOUR_MS, 3 * HOUR_MS)
"""How long a message waits after its first, second… failed attempt."""

LEASE_MS: Final = 60_000

MAX_WAITING: Final = 1000
"""Some kB each; a server that people use sends a handful in an hour."""

_AT_ONCE: Final = 2
_LOOK_SECONDS: Final = 1.0
_ATTEMPT_SECONDS: Final = 45.0  # less than a lease lasts
_STOP_SECONDS: Final = 5.0

_log = logging.getLogger(__name__)


class MailOutbox:
    """Sends mails beside any number of other workers; it belongs to one event loop.

    Args:
        database: has the mails and their leases.
        mailer: makes one attempt.
        vault: encrypts mails, whose links have tokens.
        clock: says when a mail is due.
        ids: names mails.
    """

    def __init__(self, database: Database, mailer: Mailer, vault: Vault, clock: Clock, ids: Ids) -> None:
        self._database = database
        self._mailer = mailer
        self._vault = vault
        self._clock = clock
        self._ids = ids
        self._running: dict[str, asyncio.Task[None]] = {}
        self._moved = asyncio.Event()

    async def put(self, db: Session, to: str, subject: str, text: str) -> str:
        """Write a mail within the transaction of what causes it, and return its id; after the commit, call `soon`.

        Raises:
            ValidationFailed: the address or the subject has a control character, which could begin another header.
        """
        if has_control_characters(to) or has_control_characters(subject):
            raise ValidationFailed("The address and the subject of a mail take no control characters.")
        mail_id, now = self._ids.new(), self._clock.now_ms()
        if await repository.count_waiting(db) >= MAX_WAITING:
            _note_loss(Letter(to, subject, text), f"{MAX_WAITING} others wait")
            return mail_id
        ciphertext = self._vault.encrypt(msgspec.json.encode([to, subject, text]).decode())
        times = {"created_at_ms": now, "next_attempt_ms": now, "leased_until_ms": None}
        await repository.add(db, WaitingMail(id=mail_id, letter=ciphertext, attempts=0, **times))
        return mail_id

    def soon(self) -> None:
        """Send what waits, without waiting for the next look."""
        self._moved.set()

    async def run(self) -> None:
        """Send until cancelled; what is not sent then stays, and the next worker sends it."""
        try:
            while True:
                self._moved.clear()
                try:
                    await self.step()
                except Unavailable as error:
                    _log.warning("the mails could not be read", extra={"reason": error.message})
                except Exception:  # noqa: BLE001 # one failure must not end all mails
                    _log.exception("the mails could not be sent")
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_SECONDS):
                        await self._moved.wait()
        finally:
            await self._stop()

    async def step(self) -> None:
        """Lease mails that are due and begin to send them."""
        now, room = self._clock.now_ms(), _AT_ONCE - len(self._running)
        if room <= 0 or not await repository.is_any_due(self._database, now, LEASE_MS):
            return
        async with self._database.session(write=True) as db:
            mails = await repository.claim(db, now, LEASE_MS, room)
        for mail in mails:
            task = asyncio.create_task(self._carry_out(mail))
            self._running[mail.id] = task
            task.add_done_callback(lambda _, mail_id=mail.id: self._end(mail_id))  # type: ignore[misc] # bound at once

    async def settled(self) -> None:
        """Wait until no attempt is under way."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _end(self, mail_id: str) -> None:
        self._running.pop(mail_id)
        self._moved.set()

    async def _carry_out(self, mail: WaitingMail) -> None:
        try:
            await self._attempt(mail)
        except asyncio.CancelledError:
            with suppress(Unavailable):  # the lease ends by itself
                async with self._database.session(write=True) as db:
                    await repository.release(db, mail)
            raise
        except Unavailable as error:  # when the lease has ended, the mail is sent again
            _log.warning("how the sending of a mail ended is not kept", extra={"reason": error.message})
        except Exception:  # noqa: BLE001 # as above; nobody waits for this task
            _log.exception("the sending of a mail broke off")

    async def _attempt(self, mail: WaitingMail) -> None:
        letter = Letter("", "", "")
        try:
            letter = self._open(mail)
            async with asyncio.timeout(_ATTEMPT_SECONDS):
                await self._mailer.send(letter)
        except NotTaken as error:
            if self._mailer.has_server:
                await self._give_up(mail, letter, str(error))
            else:
                await self._delete(mail)  # the log has it
        except NotNow as error:
            await self._postpone(mail, letter, str(error))
        except SecretUnreadable:
            await self._postpone(mail, letter, "the mail cannot be decrypted with the key of this server")
        except TimeoutError:
            await self._postpone(mail, letter, f"no answer within {_ATTEMPT_SECONDS:.0f} seconds")
        else:
            await self._delete(mail)

    def _open(self, mail: WaitingMail) -> Letter:
        to, subject, text = msgspec.json.decode(self._vault.decrypt(mail.letter), type=tuple[str, str, str])
        return Letter(to, subject, text, message_id=mail.id)

    async def _postpone(self, mail: WaitingMail, letter: Letter, reason: str) -> None:
        """Wait for the next attempt, or give up if that would be too late."""
        again = self._clock.now_ms() + PAUSES_MS[min(mail.attempts, len(PAUSES_MS) - 1)]
        if again > mail.created_at_ms + repository.LASTS_MS:
            await self._give_up(mail, letter, reason)
            return
        _log.warning("a mail waits for another attempt", extra=_facts(letter, reason))
        async with self._database.session(write=True) as db:
            await repository.postpone(db, mail, again)

    async def _give_up(self, mail: WaitingMail, letter: Letter, reason: str) -> None:
        _note_loss(letter, reason)
        await self._delete(mail)

    async def _delete(self, mail: WaitingMail) -> None:
        async with self._database.session(write=True) as db:
            await repository.withdraw(db, mail.id)

    async def _stop(self) -> None:
        """Wait for mails that are being sent, but not for long."""
        if self._running:
            _, late = await asyncio.wait(self._running.values(), timeout=_STOP_SECONDS)
            for task in late:
                task.cancel()
            await self.settled()


def _note_loss(letter: Letter, reason: str) -> None:
    _log.error("a mail was lost", extra=_facts(letter, reason))


def _facts(letter: Letter, reason: str) -> dict[str, str]:
    """Return what the log may say about a letter to a mailbox, which excludes its text."""
    return {"to": letter.to, "subject": letter.subject, "reason": reason}
