"""Writes messages to channels into the queue, with the change that they report (rules/alerts#delivery)."""

from collections.abc import Sequence
from typing import Final

import msgspec

from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.delivery import repository
from tallyroom.alerts.delivery.repository import STATUS_FAILED, STATUS_WAITING
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import AlertChannel, Delivery
from tallyroom.storage.queue.item import ItemType, NewItem
from tallyroom.storage.queue.repository import count_items, delete_unleased_items, enqueue

MAX_WAITING: Final = 300
"""The most messages that wait for a channel; otherwise flapping alerts would fill the queue of a dead receiver."""

TOO_MANY_ERROR: Final = "too many other messages wait for the channel"
"""The error of messages above `MAX_WAITING`."""

SWITCHED_OFF_ERROR: Final = "the channel was switched off"
"""The error of messages that are given up because of it."""


class MessageQueue:
    """Queues messages, due now by `clock`."""

    def __init__(self, clock: Clock, id_generator: IdGenerator) -> None:
        self._clock = clock
        self._id_generator = id_generator

    async def enqueue(self, db: Session, channel_ids: Sequence[str], message: AlertMessage) -> None:
        """Queue a message to the enabled ones of some channels, in the same transaction as the change it reports."""
        for channel in await repository.list_enabled_channels(db, channel_ids):
            is_full = await count_items(db, _find_item_type(channel), channel.id) >= MAX_WAITING
            delivery = Delivery(
                id=self._id_generator.new(),
                channel_id=channel.id,
                message=msgspec.json.encode(message).decode(),
                status=STATUS_FAILED if is_full else STATUS_WAITING,
                attempts=0,
                error=TOO_MANY_ERROR if is_full else None,
                created_at_ms=self._clock.now_ms(),
                next_attempt_ms=None,
                leased_until_ms=None,
                last_attempt_ms=None,
                alert_id=message.alert_id,
            )
            await repository.add_delivery(db, delivery)
            if is_full:
                await repository.prune_deliveries(db, channel.id)
            else:
                await enqueue_delivery(db, channel, delivery, delivery.created_at_ms)


async def enqueue_delivery(db: Session, channel: AlertChannel, delivery: Delivery, now_ms: int) -> None:
    """Make a delivery due now, even one that is over."""
    new_item = NewItem(
        delivery.id,
        _find_item_type(channel),
        lane=channel.id,
        created_at_ms=delivery.created_at_ms,
        workspace_id=channel.workspace_id,
        payload=delivery.message,
    )
    await enqueue(db, new_item, now_ms)


async def give_up_waiting(db: Session, channel: AlertChannel, now_ms: int) -> None:
    """Give up the messages that wait for a channel that is switched off."""
    await delete_unleased_items(db, _find_item_type(channel), channel.id, now_ms)
    await repository.fail_waiting_deliveries(db, channel.id, SWITCHED_OFF_ERROR)


def _find_item_type(channel: AlertChannel) -> ItemType:
    """Return the type of a channel's items; mailboxes have another, so that a dead mail server delays no webhook."""
    return "mail_delivery" if channel.type == "email" else "delivery"
