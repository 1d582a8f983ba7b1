"""Deliveries in the metadata database, and their channels."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Subquery, Update, and_, case, delete, func, or_, select, update
from sqlalchemy.orm import aliased

from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.core.times import DAY_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import AlertChannel, Delivery

STATUS_WAITING, STATUS_SENT, STATUS_FAILED = "waiting", "sent", "failed"

MAX_AGE_MS = DAY_MS
"""The age of a message at which attempts stop. A delivery that is due later than this has a wrong time."""

_SELECT_ANY_DUE_DELIVERY = (
    "SELECT 1 FROM deliveries WHERE (next_attempt_ms <= ? OR next_attempt_ms > ?)"
    " AND (leased_until_ms IS NULL OR leased_until_ms <= ? OR leased_until_ms > ?) LIMIT 1"
)


class DueDelivery(NamedTuple):
    """A delivery that is due, with its channel; `destination` and `secret` are encrypted."""

    id: str
    message: str
    attempt_count: int
    created_at_ms: int
    channel_id: str
    workspace_id: str
    type: str
    destination: str
    secret: str | None
    leased_until_ms: int


async def list_enabled_channel_ids(db: Session, channel_ids: Sequence[str]) -> set[str]:
    """Return the channels that are switched on."""
    query = select(AlertChannel.id).where(AlertChannel.id.in_(channel_ids), AlertChannel.enabled)
    return set(await db.scalars(query))


async def count_waiting_by_channel(db: Session, channel_ids: Collection[str]) -> dict[str, int]:
    """Count the deliveries that wait for each of the channels."""
    query = select(Delivery.channel_id, func.count().label("number")).where(Delivery.channel_id.in_(channel_ids))
    rows = await db.execute(query.where(Delivery.next_attempt_ms.is_not(None)).group_by(Delivery.channel_id))
    return {row.channel_id: row.number for row in rows}


async def add_deliveries(db: Session, deliveries: Sequence[Delivery]) -> None:
    """Store new deliveries."""
    db.add_all(deliveries)
    await db.flush()


async def is_any_delivery_due(database: Database, now_ms: int, lease_ms: int) -> bool:
    """Return True if a delivery is due and not leased."""
    return (
        await database.look_up(
            _SELECT_ANY_DUE_DELIVERY, now_ms, now_ms + MAX_AGE_MS, now_ms, now_ms + lease_ms + MAX_CLOCK_SKEW_MS
        )
        is not None
    )


async def claim_deliveries(
    db: Session,
    now_ms: int,
    lease_ms: int,
    limit: int,
    *,
    is_mail: bool,
    running_count_by_workspace_id: Mapping[str, int],
) -> list[DueDelivery]:
    """Lease the due deliveries, the oldest of each channel, unless the channel already has one in progress.

    Workspaces take turns: the one with the fewest in progress comes first, so none waits for the backlog of another;
    `running_count_by_workspace_id` counts them. The lease lasts `lease_ms`. A lease that ends later than that was given
    before the clock was set back. With `is_mail`, only mailboxes are included, and otherwise everything else.
    """
    due_subquery = _select_due_deliveries(now_ms, lease_ms, is_mail=is_mail)
    rows = await db.execute(
        select(
            Delivery.id,
            Delivery.message,
            Delivery.attempts,
            Delivery.created_at_ms,
            AlertChannel.id,
            AlertChannel.workspace_id,
            AlertChannel.type,
            AlertChannel.destination,
            AlertChannel.secret,
        )
        .join(AlertChannel, AlertChannel.id == Delivery.channel_id)
        .join(due_subquery, and_(due_subquery.c.id == Delivery.id, due_subquery.c.place == 1))
        .order_by(_turn_position(running_count_by_workspace_id), Delivery.next_attempt_ms, Delivery.id)
        .limit(limit)
    )
    leased_until_ms = now_ms + lease_ms
    deliveries = [DueDelivery(*row, leased_until_ms) for row in rows]
    delivery_ids = [delivery.id for delivery in deliveries]
    await db.execute(update(Delivery).where(Delivery.id.in_(delivery_ids)).values(leased_until_ms=leased_until_ms))
    return deliveries


def _turn_position(running_count_by_workspace_id: Mapping[str, int]) -> ColumnElement[Any]:
    """Return the turn of a delivery: its place in its workspace, after the deliveries in progress."""
    position = func.row_number().over(
        partition_by=AlertChannel.workspace_id, order_by=(Delivery.next_attempt_ms, Delivery.id)
    )
    return (
        position + case(dict(running_count_by_workspace_id), value=AlertChannel.workspace_id, else_=0)
        if running_count_by_workspace_id
        else position
    )


def _select_due_deliveries(now_ms: int, lease_ms: int, *, is_mail: bool) -> Subquery:
    """Select the due deliveries, each with its place in its channel."""
    other_delivery = aliased(Delivery)
    latest_lease_end_ms = now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    busy_channel_ids = select(other_delivery.channel_id).where(
        other_delivery.leased_until_ms > now_ms, other_delivery.leased_until_ms <= latest_lease_end_ms
    )
    position = func.row_number().over(
        partition_by=Delivery.channel_id, order_by=(Delivery.next_attempt_ms, Delivery.created_at_ms, Delivery.id)
    )
    is_due = or_(Delivery.next_attempt_ms <= now_ms, Delivery.next_attempt_ms > now_ms + MAX_AGE_MS)
    is_matching_type = AlertChannel.type == "email" if is_mail else AlertChannel.type != "email"
    return (
        select(Delivery.id, position.label("place"))
        .join(AlertChannel, AlertChannel.id == Delivery.channel_id)
        .where(is_due, AlertChannel.enabled, is_matching_type, Delivery.channel_id.not_in(busy_channel_ids))
        .subquery()
    )


async def record_attempt(
    db: Session, delivery: DueDelivery, status: str, error: str | None, now_ms: int, next_attempt_ms: int | None
) -> None:
    """Record an attempt and give up its lease; do nothing if another worker has, or had, the lease meanwhile.

    `status` is the new status; `error` is None if the attempt succeeded; `next_attempt_ms` is None if there is no next
    one.
    """
    attempt = {
        "status": status,
        "attempts": Delivery.attempts + 1,
        "error": error,
        "last_attempt_ms": now_ms,
        "leased_until_ms": None,
        "next_attempt_ms": next_attempt_ms,
    }
    await db.execute(_update_if_still_leased(delivery).values(attempt))


async def release_leases(db: Session, deliveries: Sequence[DueDelivery]) -> None:
    """Give up leases, so that other workers can make the deliveries immediately."""
    for delivery in deliveries:
        await db.execute(_update_if_still_leased(delivery).values(leased_until_ms=None))


def _update_if_still_leased(delivery: DueDelivery) -> Update:
    is_still_leased = (Delivery.id == delivery.id) & (Delivery.leased_until_ms == delivery.leased_until_ms)
    return update(Delivery).where(is_still_leased)


async def prune_deliveries(db: Session, channel_id: str, keep_count: int) -> None:
    """Delete the finished deliveries of a channel, except the newest ones."""
    newest_ids = (
        select(Delivery.id)
        .where(Delivery.channel_id == channel_id)
        .order_by(Delivery.created_at_ms.desc(), Delivery.id.desc())
        .limit(keep_count)
    )
    is_over = Delivery.next_attempt_ms.is_(None)
    await db.execute(delete(Delivery).where(Delivery.channel_id == channel_id, is_over, Delivery.id.not_in(newest_ids)))


async def list_newest_deliveries(db: Session, channel_id: str, limit: int) -> Sequence[Delivery]:
    """List the newest deliveries of a channel, newest first."""
    deliveries = await db.scalars(
        select(Delivery)
        .where(Delivery.channel_id == channel_id)
        .order_by(Delivery.created_at_ms.desc(), Delivery.id.desc())
        .limit(limit)
    )
    return deliveries.all()


async def find_delivery(db: Session, channel_id: str, delivery_id: str) -> Delivery | None:
    """Find a delivery of a channel."""
    return await db.scalar(select(Delivery).where(Delivery.channel_id == channel_id, Delivery.id == delivery_id))


async def make_delivery_due(db: Session, delivery: Delivery, now_ms: int) -> None:
    """Make a delivery due now, even a finished one."""
    delivery.status, delivery.next_attempt_ms = STATUS_WAITING, now_ms
    await db.flush()


async def fail_waiting_deliveries(db: Session, channel_id: str, error: str) -> None:
    """Give up the deliveries of a channel that are waiting."""
    waiting = update(Delivery).where(Delivery.channel_id == channel_id, Delivery.next_attempt_ms.is_not(None))
    await db.execute(waiting.values(status=STATUS_FAILED, error=error, next_attempt_ms=None))
