"""The newest messages to a channel, and the status of each (rules/alerts#deliveries)."""

from typing import Final, cast

import msgspec

from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channels.schemas import DeliveryOut, DeliveryStatus
from tallyroom.alerts.channels.service import find_channel
from tallyroom.alerts.delivery.message_queue import enqueue_delivery
from tallyroom.alerts.delivery.repository import STATUS_SENT, STATUS_WAITING, find_delivery, list_newest_deliveries
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound
from tallyroom.core.times import iso_ms
from tallyroom.storage.limits.limits import RateLimit
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import AlertChannel, Delivery

RETRIES_PER_MINUTE: Final = 5  # of a workspace


async def list_deliveries(db: Session, workspace_id: str, channel_id: str) -> list[DeliveryOut]:
    """List the newest messages to a channel, newest first, or raise `NotFound`."""
    channel = await find_channel(db, workspace_id, channel_id)
    return [_delivery_out(delivery) for delivery in await list_newest_deliveries(db, channel.id)]


class DeliveryRetrier:
    """Sends deliveries again; `retry_limit` counts the retries of a workspace, up to `RETRIES_PER_MINUTE`."""

    def __init__(self, database: Database, clock: Clock, retry_limit: RateLimit) -> None:
        self._database = database
        self._clock = clock
        self._retry_limit = retry_limit

    async def retry(
        self, principal: MemberPrincipal, channel_id: str, delivery_id: str, *, may_resend: bool
    ) -> DeliveryOut:
        """Make a delivery due immediately; a delivery that was sent already needs `may_resend`.

        Raises `NotFound` if the channel or delivery does not exist, `RateLimited` after `RETRIES_PER_MINUTE`, and
        `Conflict` if the channel is switched off or the message was sent, which does not count as a retry.
        """
        async with self._database.session(write=False) as db:
            await _find_retriable_delivery(db, principal.workspace_id, channel_id, delivery_id, may_resend=may_resend)
        await self._retry_limit.admit(principal.workspace_id)
        async with self._database.session(write=True) as db:
            await recheck_role(db, principal, self._clock, Role.DEVELOPER)
            channel, delivery = await _find_retriable_delivery(
                db, principal.workspace_id, channel_id, delivery_id, may_resend=may_resend
            )
            delivery.status = STATUS_WAITING
            await enqueue_delivery(db, channel, delivery, self._clock.now_ms())
        return _delivery_out(delivery)


async def _find_retriable_delivery(
    db: Session, workspace_id: str, channel_id: str, delivery_id: str, *, may_resend: bool
) -> tuple[AlertChannel, Delivery]:
    channel = await find_channel(db, workspace_id, channel_id)
    delivery = await find_delivery(db, channel.id, delivery_id)
    if delivery is None:
        raise NotFound("This channel has no such delivery.")
    if not channel.enabled:
        raise Conflict("This channel is switched off. Switch it on first.")
    if delivery.status == STATUS_SENT and not may_resend:
        raise Conflict('This message was already sent. To send it again, pass {"again": true}.')
    return channel, delivery


def _delivery_out(delivery: Delivery) -> DeliveryOut:
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
