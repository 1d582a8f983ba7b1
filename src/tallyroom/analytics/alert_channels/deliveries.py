"""The newest messages to a channel, and what became of each (rules/alerts#deliveries)."""

from typing import cast

import msgspec

from tallyroom.analytics.alert_channels.schemas import DeliveryOut, DeliveryStatus
from tallyroom.analytics.alert_channels.service import find_channel
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound
from tallyroom.core.times import iso_ms
from tallyroom.db.connection import Session
from tallyroom.db.models import Delivery
from tallyroom.notify.message import AlertMessage
from tallyroom.notify.outbox import KEPT
from tallyroom.notify.repository import list_newest, make_due


async def list_deliveries(db: Session, workspace_id: str, channel_id: str) -> list[DeliveryOut]:
    """List the newest messages to a channel, newest first.

    Raises:
        NotFound: the workspace has no such channel.
    """
    channel = await find_channel(db, workspace_id, channel_id)
    return [_out(each) for each in await list_newest(db, channel.id, KEPT)]


async def retry_delivery(
    db: Session, workspace_id: str, channel_id: str, delivery_id: str, clock: Clock
) -> DeliveryOut:
    """Make a delivery due at once, also one that has failed or has been sent.

    Raises:
        NotFound: the workspace has no such channel, or the channel no such delivery.
        Conflict: the channel is switched off.
    """
    channel = await find_channel(db, workspace_id, channel_id)
    if not channel.enabled:
        raise Conflict("This channel is switched off. Switch it on first.")
    delivery = await make_due(db, channel.id, delivery_id, clock.now_ms())
    if delivery is None:
        raise NotFound("This channel has no such delivery.")
    return _out(delivery)


def _out(delivery: Delivery) -> DeliveryOut:
    message = msgspec.json.decode(delivery.message, type=AlertMessage)
    return DeliveryOut(
        id=delivery.id,
        at=iso_ms(delivery.created_at_ms),
        type=message.type,
        alert_name=message.name,
        status=cast("DeliveryStatus", delivery.status),
        attempts=delivery.attempts,
        error=delivery.error,
    )
