"""Delays of alerts in the metadata database: since when the event store has been behind (rules/alerts#delays)."""

from typing import NamedTuple

from sqlalchemy import func, or_, select, update

from tallyroom.alerts.evaluation.repository import build_due_conditions
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert

_IS_DELAYED = Alert.delayed_since_ms.is_not(None) & or_(
    Alert.evaluated_at_ms.is_(None), Alert.delayed_since_ms > Alert.evaluated_at_ms
)


class AlertDelay(NamedTuple):
    """How many alerts could not be evaluated at a beat, and for how long the first of them has been waiting."""

    beat_at_ms: int
    alert_count: int
    duration_ms: int


async def record_delays(db: Session, beat_at_ms: int) -> AlertDelay:
    """Record the start of a delay for each due alert that is not delayed yet, and return how far all of them are."""
    due_conditions = build_due_conditions(beat_at_ms)
    is_later = Alert.delayed_since_ms > beat_at_ms  # the clock was set back
    is_new = or_(~_IS_DELAYED, is_later)
    await db.execute(update(Alert).where(*due_conditions, is_new).values(delayed_since_ms=beat_at_ms))
    query = select(func.count(), func.min(Alert.delayed_since_ms)).where(*due_conditions)
    alert_count, delayed_since_ms = (await db.execute(query)).one()
    return AlertDelay(beat_at_ms, alert_count, beat_at_ms - (delayed_since_ms or beat_at_ms))


def find_delay_start_ms(alert: Alert) -> int | None:
    """Return the first beat since which an alert could not be evaluated because the event store was behind, if any.

    A worker of the previous version evaluates an alert without clearing an earlier delay.
    """
    delayed_since_ms, evaluated_at_ms = alert.delayed_since_ms, alert.evaluated_at_ms
    is_over = evaluated_at_ms is not None and delayed_since_ms is not None and delayed_since_ms <= evaluated_at_ms
    return None if is_over or not alert.enabled else delayed_since_ms
