"""The list of messages to each channel, in the metadata database."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, select, update

from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import AlertChannel, Delivery

STATUS_WAITING, STATUS_SENT, STATUS_FAILED = "waiting", "sent", "failed"

MAX_DELIVERIES: Final = 100
"""The most messages that are listed for a channel."""


_WITHOUT_OBJECTS = {"synchronize_session": False}

_SELECT_TARGET = (
    "SELECT type, destination, secret, enabled, status FROM alert_channels"
    " LEFT JOIN deliveries ON deliveries.id = ? WHERE alert_channels.id = ?"
)


class DeliveryTarget(NamedTuple):
    """A channel, with encrypted `destination` and `secret`; `status` is None if the delivery is not listed any more."""

    type: str
    destination: str
    secret: str | None
    enabled: bool
    status: str | None


async def list_enabled_channels(db: Session, channel_ids: Sequence[str]) -> Sequence[AlertChannel]:
    """Return the channels that are switched on."""
    query = select(AlertChannel).where(AlertChannel.id.in_(channel_ids), AlertChannel.enabled)
    return (await db.scalars(query)).all()


async def look_up_target(database: Database, channel_id: str, delivery_id: str) -> DeliveryTarget | None:
    """Find a channel of any workspace, with the status of a delivery; None if there is no such channel."""
    row = await database.look_up(_SELECT_TARGET, delivery_id, channel_id)
    return None if row is None else DeliveryTarget(*row)


async def add_deliveries(db: Session, deliveries: Iterable[Delivery]) -> None:
    """Store new deliveries."""
    db.add_all(deliveries)
    await db.flush()


async def record_attempt(db: Session, delivery_id: str, status: str, error: str | None, attempt_ms: int | None) -> None:
    """Record how an attempt ended; `error` is None if it succeeded, `attempt_ms` if the message was not sent at all."""
    values: dict[str, Any] = {"status": status, "error": error}
    if attempt_ms is not None:
        values |= {"attempts": Delivery.attempts + 1, "last_attempt_ms": attempt_ms}
    statement = update(Delivery).where(Delivery.id == delivery_id).values(values)
    if status == STATUS_WAITING:  # unless it was given up during the attempt, because its channel was switched off
        statement = statement.where(Delivery.status == STATUS_WAITING)
    await db.execute(statement, execution_options=_WITHOUT_OBJECTS)


async def prune_deliveries(db: Session, channel_id: str) -> None:
    """Delete the deliveries of a channel that are over, except the newest ones."""
    newest_ids = (
        select(Delivery.id)
        .where(Delivery.channel_id == channel_id)
        .order_by(Delivery.created_at_ms.desc(), Delivery.id.desc())
        .limit(MAX_DELIVERIES)
    )
    is_over = (Delivery.status != STATUS_WAITING) & Delivery.next_attempt_ms.is_(None)
    statement = delete(Delivery).where(Delivery.channel_id == channel_id, is_over, Delivery.id.not_in(newest_ids))
    await db.execute(statement, execution_options=_WITHOUT_OBJECTS)


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
