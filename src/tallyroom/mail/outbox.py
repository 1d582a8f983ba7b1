"""Queues mails and sends those that wait (rules/people#email)."""

import logging
from typing import Final

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.mail.email import Mailer
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected
from tallyroom.mail.message import MailMessage, has_control_characters
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.queue.item import (
    MESSAGE_LIMITS,
    ClaimedItem,
    Deferred,
    Done,
    Dropped,
    ItemType,
    NewItem,
    Outcome,
    Refused,
)
from tallyroom.storage.queue.repository import count_items, enqueue
from tallyroom.storage.queue.worker import QueueWorker

MAX_WAITING_MAILS: Final = 1000
"""Some kB each; a server in normal use sends a handful in an hour."""

_log = logging.getLogger(__name__)


class MailOutbox:
    """Queues mails, and handles them in the queue; `vault` encrypts them, because their links have tokens."""

    def __init__(
        self, queue: QueueWorker, mailer: Mailer, vault: Vault, clock: Clock, id_generator: IdGenerator
    ) -> None:
        self.type: ItemType = "mail"
        self.limits = MESSAGE_LIMITS
        self.item_ids = None
        self._queue = queue
        self._mailer = mailer
        self._vault = vault
        self._clock = clock
        self._id_generator = id_generator

    async def enqueue(self, db: Session, address: str, subject: str, text: str) -> str:
        """Queue a mail within the transaction of its cause, and return its id; then commit and call `send_soon`.

        Raises `ValidationFailed` if the address or the subject has a control character, which could begin another
        header.
        """
        if has_control_characters(address) or has_control_characters(subject):
            raise ValidationFailed("The address and subject of an email must not have control characters.")
        mail_id = self._id_generator.new()
        if await count_items(db, "mail") >= MAX_WAITING_MAILS:
            _log_lost_mail(MailMessage(address, subject, text), f"{MAX_WAITING_MAILS} others are waiting")
            return mail_id
        ciphertext = self._vault.encrypt(msgspec.json.encode([address, subject, text]).decode())
        now_ms = self._clock.now_ms()
        new_item = NewItem(mail_id, "mail", lane=mail_id, created_at_ms=now_ms, payload=ciphertext)
        await enqueue(db, new_item, now_ms)
        return mail_id

    def send_soon(self) -> None:
        """Send the waiting mails, without waiting for the next poll."""
        self._queue.wake()

    async def run(self, item: ClaimedItem) -> Outcome:
        """Submit a mail once; without a mail server, the log has it."""
        try:
            await self._mailer.send(self._decrypt_message(item))
        except SecretUnreadable:
            return Deferred("the email cannot be decrypted with this server's key")
        except DeliveryDeferred as error:
            return Deferred(str(error))
        except DeliveryRejected as error:
            return Refused(str(error)) if self._mailer.has_server else Dropped()
        return Done()

    async def record(self, _db: Session, item: ClaimedItem, outcome: Outcome) -> None:
        """Log an attempt that failed; the queue deletes the mail."""
        if isinstance(outcome, Deferred | Refused):
            try:
                message = self._decrypt_message(item)
            except (SecretUnreadable, msgspec.MsgspecError):
                message = MailMessage("", "", "")
            if isinstance(outcome, Refused):
                _log_lost_mail(message, outcome.reason)
            else:
                _log.warning("an email is waiting for another attempt", extra=_log_fields(message, outcome.reason))

    def _decrypt_message(self, item: ClaimedItem) -> MailMessage:
        address, subject, text = msgspec.json.decode(self._vault.decrypt(item.payload), type=tuple[str, str, str])
        return MailMessage(address, subject, text, message_id=item.id)


def _log_lost_mail(message: MailMessage, reason: str) -> None:
    _log.error("an email was lost", extra=_log_fields(message, reason))


def _log_fields(message: MailMessage, reason: str) -> dict[str, str]:
    """Return what the log may show about a mail, which excludes its text."""
    return {"to": message.to, "subject": message.subject, "reason": reason}
