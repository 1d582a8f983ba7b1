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
from tallyroom.storage.queue.repository import count_by_lane, delete_unleased_items, enqueue, enqueue_all

MAX_WAITING: Final = 300
"""The most messages that wait for a channel; otherwise flapping alerts would fill the queue of a dead receiver."""

TOO_MANY_ERROR: Final = "too many other messages are queued for the channel"
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
        channels, now_ms = await repository.list_enabled_channels(db, channel_ids), self._clock.now_ms()
        waiting_count_by_channel_id = await count_by_lane(
            db, ["delivery", "mail_delivery"], [channel.id for channel in channels]
        )
        full_channel_ids = {
            channel_id for channel_id, count in waiting_count_by_channel_id.items() if count >= MAX_WAITING
        }
        message_json = msgspec.json.encode(message).decode()
        deliveries = {
            channel.id: Delivery(
                id=self._id_generator.new(),
                channel_id=channel.id,
                message=message_json,
                status=STATUS_FAILED if channel.id in full_channel_ids else STATUS_WAITING,
                attempts=0,
                error=TOO_MANY_ERROR if channel.id in full_channel_ids else None,
                created_at_ms=now_ms,
                next_attempt_ms=None,
                leased_until_ms=None,
                last_attempt_ms=None,
                alert_id=message.alert_id,
            )
            for channel in channels
        }
        await repository.add_deliveries(db, deliveries.values())
        open_channels = [channel for channel in channels if channel.id not in full_channel_ids]
        await enqueue_all(db, [_build_item(channel, deliveries[channel.id]) for channel in open_channels], now_ms)
        for channel_id in full_channel_ids:
            await repository.prune_deliveries(db, channel_id)


async def enqueue_delivery(db: Session, channel: AlertChannel, delivery: Delivery, now_ms: int) -> None:
    """Make a delivery due now, even one that is over."""
    await enqueue(db, _build_item(channel, delivery), now_ms)


async def give_up_waiting(db: Session, channel: AlertChannel, now_ms: int) -> None:
    """Give up the messages that wait for a channel that is switched off."""
    await delete_unleased_items(db, _find_item_type(channel), channel.id, now_ms)
    await repository.fail_waiting_deliveries(db, channel.id, SWITCHED_OFF_ERROR)


def _build_item(channel: AlertChannel, delivery: Delivery) -> NewItem:
    return NewItem(
        delivery.id,
        _find_item_type(channel),
        lane=channel.id,
        created_at_ms=delivery.created_at_ms,
        workspace_id=channel.workspace_id,
        payload=delivery.message,
    )


def _find_item_type(channel: AlertChannel) -> ItemType:
    """Return the type of a channel's items; mailboxes have another, so that a dead mail server delays no webhook."""
    return "mail_delivery" if channel.type == "email" else "delivery"
