"""Alerts in the metadata database, as people manage them. The workspace is always the caller's."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, case, delete, func, literal, select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert, AlertActivity, AlertChannel, AlertRecipient, Delivery, Incident


class LastDelivery(NamedTuple):
    """The newest message to a channel about an incident, and its status."""

    channel_id: str
    status: str
    error: str | None
    created_at_ms: int


class DayCounts(NamedTuple):
    """How many incidents of an alert began, and how many ended, on a day."""

    fired_count: int
    resolved_count: int


async def list_alerts(db: Session, workspace_id: str, environment: str | None) -> Sequence[Alert]:
    """List the alerts of an environment, or of all environments, oldest first."""
    environment_condition = () if environment is None else (Alert.environment == environment,)
    query = (
        select(Alert)
        .where(Alert.workspace_id == workspace_id, *environment_condition)
        .order_by(Alert.created_at_ms, Alert.id)
    )
    return (await db.scalars(query)).all()


async def find_alert(db: Session, workspace_id: str, alert_id: str) -> Alert | None:
    """Find the alert with this id, if it belongs to the workspace."""
    return await db.scalar(select(Alert).where(Alert.workspace_id == workspace_id, Alert.id == alert_id))


async def count_alerts(db: Session, workspace_id: str) -> int:
    """Count the workspace's alerts."""
    return await db.scalar(select(func.count()).select_from(Alert).where(Alert.workspace_id == workspace_id)) or 0


async def add_alert(db: Session, alert: Alert) -> None:
    """Store a new alert."""
    db.add(alert)
    await db.flush()


async def delete_alert(db: Session, alert: Alert) -> None:
    """Delete an alert with its incidents; its history stays."""
    await db.delete(alert)
    await db.flush()


async def replace_channels(db: Session, alert_id: str, channel_ids: Sequence[str]) -> None:
    """Make these the channels of an alert."""
    await db.execute(delete(AlertRecipient).where(AlertRecipient.alert_id == alert_id))
    db.add_all(
        AlertRecipient(alert_id=alert_id, channel_id=channel_id, position=position)
        for position, channel_id in enumerate(channel_ids)
    )
    await db.flush()


async def find_own_channel_ids(db: Session, workspace_id: str, channel_ids: Sequence[str]) -> set[str]:
    """Find which of these channels belong to the workspace."""
    query = select(AlertChannel.id).where(AlertChannel.workspace_id == workspace_id, AlertChannel.id.in_(channel_ids))
    return set(await db.scalars(query))


async def list_last_deliveries_by_alert(db: Session, alert_ids: Sequence[str]) -> dict[str, list[LastDelivery]]:
    """List the newest message about the open incident of each of these alerts, for each of its channels."""
    position = func.row_number().over(
        partition_by=(Delivery.alert_id, Delivery.channel_id),
        order_by=(Delivery.created_at_ms.desc(), Delivery.id.desc()),
    )
    messages = (
        select(Delivery, AlertRecipient.position, position.label("place"))
        .join(Incident, (Incident.alert_id == Delivery.alert_id) & Incident.resolved_at_ms.is_(None))
        .join(
            AlertRecipient,
            (AlertRecipient.alert_id == Delivery.alert_id) & (AlertRecipient.channel_id == Delivery.channel_id),
        )
        .where(Delivery.alert_id.in_(alert_ids), Delivery.created_at_ms >= Incident.fired_at_ms)
        .subquery()
    )
    columns = (messages.c.channel_id, messages.c.status, messages.c.error, messages.c.created_at_ms)
    newest_messages = (
        select(messages.c.alert_id, *columns)
        .where(messages.c.place == 1)
        .order_by(messages.c.alert_id, messages.c.position)
    )
    deliveries_by_alert: dict[str, list[LastDelivery]] = {alert_id: [] for alert_id in alert_ids}
    for alert_id, *delivery in await db.execute(newest_messages):
        deliveries_by_alert[alert_id].append(LastDelivery(*delivery))
    return deliveries_by_alert


async def list_activity(
    db: Session, workspace_id: str, environment: str | None, alert_id: str | None, limit: int
) -> Sequence[AlertActivity]:
    """List what alerts did in an environment, or in all of them, newest first."""
    environment_condition = () if environment is None else (AlertActivity.environment == environment,)
    alert_condition = () if alert_id is None else (AlertActivity.alert_id == alert_id,)
    query = select(AlertActivity).where(
        AlertActivity.workspace_id == workspace_id, *environment_condition, *alert_condition
    )
    return (await db.scalars(query.order_by(AlertActivity.at_ms.desc(), AlertActivity.id.desc()).limit(limit))).all()


async def count_activity_by_day(
    db: Session, workspace_id: str, day_starts_ms: Sequence[int]
) -> dict[str, dict[int, DayCounts]]:
    """Count what each alert did on each of some days, by the index of the day; `day_starts_ms` ascend."""
    day = _find_day(range(len(day_starts_ms)), day_starts_ms).label("day")
    fired_count, resolved_count = (
        func.sum(case((AlertActivity.type == activity_type, 1), else_=0)) for activity_type in ("fired", "resolved")
    )
    query = (
        select(AlertActivity.alert_id, day, fired_count, resolved_count)
        .where(AlertActivity.workspace_id == workspace_id, AlertActivity.at_ms >= day_starts_ms[0])
        .group_by(AlertActivity.alert_id, day)
    )
    counts_by_alert: dict[str, dict[int, DayCounts]] = {}
    for alert_id, day_index, *counts in await db.execute(query):
        counts_by_alert.setdefault(alert_id, {})[day_index] = DayCounts(*counts)
    return counts_by_alert


def _find_day(days: range, day_starts_ms: Sequence[int]) -> ColumnElement[int]:
    """Return SQL for the day of an activity by halves: an alert that keeps firing has tens of thousands a month."""
    if len(days) == 1:
        return literal(days[0])
    earlier_days, later_days = days[: len(days) // 2], days[len(days) // 2 :]
    is_later = AlertActivity.at_ms >= day_starts_ms[later_days[0]]
    return case((is_later, _find_day(later_days, day_starts_ms)), else_=_find_day(earlier_days, day_starts_ms))
