"""The beginnings and ends of incidents, and the line in the history that each leaves (rules/alerts#activity)."""

from tallyroom.alerts.evaluation import repository
from tallyroom.alerts.evaluation.incidents import Change
from tallyroom.core.ids import Ids
from tallyroom.queries.values import Value
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert, AlertActivity, Incident


async def record(db: Session, alert: Alert, type_: Change, value: Value, at_ms: int, ids: Ids) -> None:
    """Write a line in the history, with the alert as it is now."""
    line = AlertActivity(
        id=ids.new(),
        workspace_id=alert.workspace_id,
        alert_id=alert.id,
        alert_name=alert.name,
        type=type_,
        value=value,
        threshold=alert.threshold,
        condition=alert.condition,
        severity=alert.severity,
        at_ms=at_ms,
        environment=alert.environment,
    )
    await repository.add_activity(db, line)


async def close_incident(db: Session, alert: Alert, at_ms: int, ids: Ids) -> Incident | None:
    """End the open incident of an alert and return it, None if there is none; this tells no channel."""
    incident = await repository.find_open_incident(db, alert.id)
    if incident is not None:
        incident.resolved_at_ms = at_ms
        await db.flush()
        await record(db, alert, "resolved", alert.value, at_ms, ids)
    return incident
