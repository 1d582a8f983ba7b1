"""Records that alerts keep their status because the event store is behind (rules/alerts#delays)."""

from collections.abc import Collection
from typing import NamedTuple

import msgspec
from sqlalchemy import func, or_, select, tuple_, update

from tallyroom.alerts.evaluation.repository import due_conditions
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert


class AlertDelay(NamedTuple):
    """How many alerts could not be evaluated at a beat, and for how long the first of them has been waiting."""

    beat_at_ms: int
    alert_count: int
    duration_ms: int


async def record_delays(db: Session, scopes: Collection[Scope], beat_at_ms: int) -> AlertDelay:
    """Record the start of a delay for the due alerts of some scopes, and return how long the longest is."""
    since_ms = Alert.delayed_since_ms
    is_of_scopes = tuple_(Alert.workspace_id, Alert.environment).in_(map(msgspec.structs.astuple, scopes))
    conditions = (*due_conditions(beat_at_ms), is_of_scopes)
    is_over = since_ms <= Alert.evaluated_at_ms  # a worker of the previous version does not clear it
    is_new = or_(since_ms.is_(None), is_over, since_ms > beat_at_ms)  # the latter if the clock was set back
    await db.execute(update(Alert).where(*conditions, is_new).values(delayed_since_ms=beat_at_ms))
    query = select(func.count(), func.min(since_ms)).where(*conditions)
    alert_count, first_ms = (await db.execute(query)).one()
    return AlertDelay(beat_at_ms, alert_count, beat_at_ms - (first_ms or beat_at_ms))
