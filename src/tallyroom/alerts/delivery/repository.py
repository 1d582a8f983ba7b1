"""The list of messages to each channel, in the metadata database."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import delete, select, update

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import AlertChannel, Delivery

STATUS_WAITING, STATUS_SENT, STATUS_FAILED = "waiting", "sent", "failed"

MAX_DELIVERIES: Final = 100
"""The most messages that are listed for a channel."""


async def list_enabled_channels(db: Session, channel_ids: Sequence[str]) -> Sequence[AlertChannel]:
    """Return the channels that are switched on."""
    query = select(AlertChannel).where(AlertChannel.id.in_(channel_ids), AlertChannel.enabled)
    return (await db.scalars(query)).all()


async def find_channel(db: Session, channel_id: str) -> AlertChannel | None:
    """Find a channel of any workspace."""
    return await db.get(AlertChannel, channel_id)


async def find_status(db: Session, delivery_id: str) -> str | None:
    """Return the status of a delivery; None if it is not listed any more."""
    return await db.scalar(select(Delivery.status).where(Delivery.id == delivery_id))


async def add_delivery(db: Session, delivery: Delivery) -> None:
    """Store a new delivery."""
    db.add(delivery)
    await db.flush()


async def record_attempt(db: Session, delivery_id: str, status: str, error: str | None, attempt_ms: int | None) -> None:
    """Record how an attempt ended; `error` is None if it succeeded, `attempt_ms` if the message was not sent at all."""
    values: dict[str, Any] = {"status": status, "error": error}
    if attempt_ms is not None:
        values |= {"attempts": Delivery.attempts + 1, "last_attempt_ms": attempt_ms}
    await db.execute(update(Delivery).where(Delivery.id == delivery_id).values(values))


async def prune_deliveries(db: Session, channel_id: str) -> None:
    """Delete the deliveries of a channel that are over, except the newest ones."""
    newest_ids = (
        select(Delivery.id)
        .where(Delivery.channel_id == channel_id)
        .order_by(Delivery.created_at_ms.desc(), Delivery.id.desc())
        .limit(MAX_DELIVERIES)
    )
    is_over = (Delivery.status != STATUS_WAITING) & Delivery.next_attempt_ms.is_(None)
    await db.execute(delete(Delivery).where(Delivery.channel_id == channel_id, is_over, Delivery.id.not_in(newest_ids)))


async def list_newest_deliveries(db: Session, channel_id: str) -> Sequence[Delivery]:
    """List the newest deliveries of a channel, newest first."""
    query = select(Delivery).where(Delivery.channel_id == channel_id)
    newest_first = query.order_by(Delivery.created_at_ms.desc(), Delivery.id.desc())
    return (await db.scalars(newest_first.limit(MAX_DELIVERIES))).all()


async def find_delivery(db: Session, channel_id: str, delivery_id: str) -> Delivery | None:
    """Find a delivery of a channel."""
    return await db.scalar(select(Delivery).where(Delivery.channel_id == channel_id, Delivery.id == delivery_id))


async def fail_waiting_deliveries(db: Session, channel_id: str, error: str) -> None:
    """Give up the deliveries of a channel that are waiting."""
    is_waiting = (Delivery.channel_id == channel_id) & (Delivery.status == STATUS_WAITING)
    await db.execute(update(Delivery).where(is_waiting).values(status=STATUS_FAILED, error=error, next_attempt_ms=None))
