"""The beginnings and ends of incidents, and the line in the history for each of them (rules/alerts#activity)."""

from tallyroom.alerts.evaluation import repository
from tallyroom.alerts.evaluation.incidents import IncidentChange
from tallyroom.core.ids import IdGenerator
from tallyroom.queries.values import Value
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert, AlertActivity, Incident


async def record_activity(
    db: Session, alert: Alert, change: IncidentChange, value: Value, at_ms: int, id_generator: IdGenerator
) -> None:
    """Write a line in the history, with a copy of the current alert."""
    activity = AlertActivity(
        id=id_generator.new(),
        workspace_id=alert.workspace_id,
        alert_id=alert.id,
        alert_name=alert.name,
        type=change,
        value=value,
        threshold=alert.threshold,
        condition=alert.condition,
        severity=alert.severity,
        at_ms=at_ms,
        environment=alert.environment,
    )
    await repository.add_activity(db, activity)


async def close_incident(db: Session, alert: Alert, at_ms: int, id_generator: IdGenerator) -> Incident | None:
    """End the open incident of an alert and return it, None if there is none; this sends no message."""
    incident = await repository.find_open_incident(db, alert.id)
    if incident is not None:
        incident.resolved_at_ms = at_ms
        await db.flush()
        await record_activity(db, alert, "resolved", alert.value, at_ms, id_generator)
    return incident
