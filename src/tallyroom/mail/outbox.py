"""Mails in the metadata that wait for the mail server, and the task that sends them (rules/people#mail)."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import HOUR_MS
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.mail import repository
from tallyroom.mail.email import Mailer
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected
from tallyroom.mail.message import MailMessage, has_control_characters
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import WaitingMail

RETRY_PAUSES_MS: Final = (5_000, 60_000, 600_000, HOUR_MS, 3 * HOUR_MS)
"""The pauses after the first, second… failed attempt of a message."""

LEASE_MS: Final = 60_000

MAX_WAITING_MAILS: Final = 1000
"""Some kB each; a server in normal use sends a handful in an hour."""

_MAX_CONCURRENT_ATTEMPTS: Final = 2
_POLL_SECONDS: Final = 1.0
_ATTEMPT_SECONDS: Final = 45.0  # shorter than a lease
_STOP_SECONDS: Final = 5.0

_log = logging.getLogger(__name__)


class MailOutbox:
    """Sends mails next to any number of other workers; it belongs to one event loop.

    `vault` encrypts mails, whose links have tokens.
    """

    def __init__(
        self, database: Database, mailer: Mailer, vault: Vault, clock: Clock, id_generator: IdGenerator
    ) -> None:
        self._database = database
        self._mailer = mailer
        self._vault = vault
        self._clock = clock
        self._id_generator = id_generator
        self._task_by_mail_id: dict[str, asyncio.Task[None]] = {}
        self._wake_up = asyncio.Event()

    async def enqueue(self, db: Session, address: str, subject: str, text: str) -> str:
        """Write a mail within the transaction of its cause, and return its id; then commit and call `send_soon`.

        Raises `ValidationFailed` if the address or the subject has a control character, which could begin another
        header.
        """
        if has_control_characters(address) or has_control_characters(subject):
            raise ValidationFailed("The address and the subject of a mail take no control characters.")
        mail_id, now_ms = self._id_generator.new(), self._clock.now_ms()
        if await repository.count_waiting(db) >= MAX_WAITING_MAILS:
            _log_lost_mail(MailMessage(address, subject, text), f"{MAX_WAITING_MAILS} others wait")
            return mail_id
        ciphertext = self._vault.encrypt(msgspec.json.encode([address, subject, text]).decode())
        time_columns = {"created_at_ms": now_ms, "next_attempt_ms": now_ms, "leased_until_ms": None}
        await repository.add_mail(db, WaitingMail(id=mail_id, letter=ciphertext, attempts=0, **time_columns))
        return mail_id

    def send_soon(self) -> None:
        """Send the waiting mails, without waiting for the next poll."""
        self._wake_up.set()

    async def run(self) -> None:
        """Send until cancelled; the next worker sends the mails that are then left."""
        try:
            while True:
                self._wake_up.clear()
                try:
                    await self.start_due()
                except Unavailable as error:
                    _log.warning("the mails could not be read", extra={"reason": error.message})
                except Exception:  # noqa: BLE001 # one failure must not end all mails
                    _log.exception("the mails could not be sent")
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):
                        await self._wake_up.wait()
        finally:
            await self._stop()

    async def start_due(self) -> None:
        """Lease the due mails and begin to send them."""
        now_ms, free_slot_count = self._clock.now_ms(), _MAX_CONCURRENT_ATTEMPTS - len(self._task_by_mail_id)
        if free_slot_count <= 0 or not await repository.is_any_due(self._database, now_ms, LEASE_MS):
            return
        async with self._database.session(write=True) as db:
            mails = await repository.lease_mails(db, now_ms, LEASE_MS, free_slot_count)
        for mail in mails:
            task = asyncio.create_task(self._run_attempt(mail))
            self._task_by_mail_id[mail.id] = task
            task.add_done_callback(lambda _, mail_id=mail.id: self._end_attempt(mail_id))  # type: ignore[misc] # bound at once

    async def wait_until_idle(self) -> None:
        """Wait until no attempt is in progress."""
        await asyncio.gather(*self._task_by_mail_id.values(), return_exceptions=True)

    def _end_attempt(self, mail_id: str) -> None:
        self._task_by_mail_id.pop(mail_id)
        self._wake_up.set()

    async def _run_attempt(self, mail: WaitingMail) -> None:
        try:
            await self._attempt_mail(mail)
        except asyncio.CancelledError:
            with suppress(Unavailable):  # the lease ends by itself
                async with self._database.session(write=True) as db:
                    await repository.release_lease(db, mail)
            raise
        except Unavailable as error:  # the mail is sent again when the lease has ended
            _log.warning("how the sending of a mail ended is not kept", extra={"reason": error.message})
        except Exception:  # noqa: BLE001 # as above; nobody waits for this task
            _log.exception("the sending of a mail broke off")

    async def _attempt_mail(self, mail: WaitingMail) -> None:
        message = MailMessage("", "", "")
        try:
            message = self._decrypt_message(mail)
            async with asyncio.timeout(_ATTEMPT_SECONDS):
                await self._mailer.send(message)
        except DeliveryRejected as error:
            if self._mailer.has_server:
                await self._give_up(mail, message, str(error))
            else:
                await self._delete(mail)  # the log has it
        except DeliveryDeferred as error:
            await self._postpone(mail, message, str(error))
        except SecretUnreadable:
            await self._postpone(mail, message, "the mail cannot be decrypted with the key of this server")
        except TimeoutError:
            await self._postpone(mail, message, f"no answer within {_ATTEMPT_SECONDS:.0f} seconds")
        else:
            await self._delete(mail)

    def _decrypt_message(self, mail: WaitingMail) -> MailMessage:
        address, subject, text = msgspec.json.decode(self._vault.decrypt(mail.letter), type=tuple[str, str, str])
        return MailMessage(address, subject, text, message_id=mail.id)

    async def _postpone(self, mail: WaitingMail, message: MailMessage, reason: str) -> None:
        """Schedule the next attempt, or give up if that would be too late."""
        next_attempt_ms = self._clock.now_ms() + RETRY_PAUSES_MS[min(mail.attempts, len(RETRY_PAUSES_MS) - 1)]
        if next_attempt_ms > mail.created_at_ms + repository.MAX_AGE_MS:
            await self._give_up(mail, message, reason)
            return
        _log.warning("a mail waits for another attempt", extra=_log_fields(message, reason))
        async with self._database.session(write=True) as db:
            await repository.postpone_mail(db, mail, next_attempt_ms)

    async def _give_up(self, mail: WaitingMail, message: MailMessage, reason: str) -> None:
        _log_lost_mail(message, reason)
        await self._delete(mail)

    async def _delete(self, mail: WaitingMail) -> None:
        async with self._database.session(write=True) as db:
            await repository.delete_mail(db, mail.id)

    async def _stop(self) -> None:
        """Wait for mails that are being sent, but not for long."""
        if self._task_by_mail_id:
            _, unfinished_tasks = await asyncio.wait(self._task_by_mail_id.values(), timeout=_STOP_SECONDS)
            for task in unfinished_tasks:
                task.cancel()
            await self.wait_until_idle()


def _log_lost_mail(message: MailMessage, reason: str) -> None:
    _log.error("a mail was lost", extra=_log_fields(message, reason))


def _log_fields(message: MailMessage, reason: str) -> dict[str, str]:
    """Return what the log may show about a mail to a mailbox, which excludes its text."""
    return {"to": message.to, "subject": message.subject, "reason": reason}
