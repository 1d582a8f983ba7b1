"""Delivers the messages to channels that wait in the queue (rules/alerts#refusals-and-retries)."""

import logging
from typing import Final

import msgspec

from tallyroom.alerts.channel_types.destination import Destinations
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.delivery import repository
from tallyroom.alerts.delivery.message_queue import SWITCHED_OFF_ERROR
from tallyroom.alerts.delivery.messenger import Messenger
from tallyroom.alerts.delivery.repository import STATUS_FAILED, STATUS_SENT, STATUS_WAITING
from tallyroom.core.clock import Clock
from tallyroom.core.vault import SecretUnreadable
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.queue.item import (
    MESSAGE_LIMITS,
    ClaimedItem,
    Deferred,
    Done,
    Dropped,
    ItemType,
    Outcome,
    Refused,
)

_MAX_CONCURRENT: Final[dict[ItemType, int]] = {"delivery": 6, "mail_delivery": 2}

_log = logging.getLogger(__name__)


class DeliveryHandler:
    """Makes the attempts for messages to mailboxes, or to all other channels."""

    def __init__(
        self, item_type: ItemType, database: Database, destinations: Destinations, messenger: Messenger, clock: Clock
    ) -> None:
        self.type = item_type
        self.limits = MESSAGE_LIMITS._replace(max_concurrent=_MAX_CONCURRENT[item_type])
        self.item_ids = None
        self._database = database
        self._destinations = destinations
        self._messenger = messenger
        self._clock = clock
        self.sent_count = 0
        self.given_up_count = 0

    async def run(self, item: ClaimedItem) -> Outcome:
        """Send a message once. Skip it if its channel is gone or off, or if it was delivered before."""
        target = await repository.look_up_target(self._database, item.lane, item.id)
        if target is None or target.status not in {None, STATUS_WAITING}:
            return Dropped()
        if not target.enabled:
            return Refused(SWITCHED_OFF_ERROR)
        try:
            destination = self._destinations.decrypt(target.type, target.destination, target.secret)
            message = msgspec.json.decode(item.payload, type=AlertMessage)
            await self._messenger.deliver(destination, message, item.id)
        except DeliveryRejected as error:
            return Refused(str(error))
        except DeliveryDeferred as error:
            return Deferred(str(error), (error.retry_after_s or 0) * 1000)
        except SecretUnreadable:
            return Deferred("the destination cannot be decrypted with this server's key")
        return Done()

    async def record(self, db: Session, item: ClaimedItem, outcome: Outcome) -> None:
        """Record the attempt in the channel's list of deliveries."""
        error = outcome.reason if isinstance(outcome, Deferred | Refused) else None
        status = STATUS_WAITING if isinstance(outcome, Deferred) else STATUS_FAILED if error else STATUS_SENT
        attempt_ms = None if error == SWITCHED_OFF_ERROR else self._clock.now_ms()
        await repository.record_attempt(db, item.id, status, error, attempt_ms)
        if status != STATUS_WAITING:
            await repository.prune_deliveries(db, item.lane)
        if status == STATUS_SENT:
            self.sent_count += 1
        if status == STATUS_FAILED:
            self.given_up_count += 1
            log_fields = {"delivery": item.id, "channel": item.lane, "type": item.type, "reason": error}
            _log.warning("an alert message was not delivered", extra=log_fields)
