"""Alerts in the metadata database, as the evaluation reads and changes them."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, func, or_, select, tuple_, update

from tallyroom.alerts.evaluation.conditions import Sample
from tallyroom.alerts.evaluation.incidents import AlertDelay, AlertState, AlertStatus, IncidentChange
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.ids import IdGenerator
from tallyroom.queries.filters import read_filters
from tallyroom.queries.formula_parts import read_formula
from tallyroom.queries.values import Value
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert, AlertActivity, AlertRecipient, Incident, Segment

_MAX_LATENESS_MS = 60_000
"""The most that an evaluation may be late. A change that seems even later was made before a clock was set back."""


class WatchedAlert(NamedTuple):
    """An alert to evaluate; `last_data_at_ms` is the last beat with events, `version_ms` changes with every change."""

    id: str
    scope: Scope
    cooldown_minutes: int
    rule: AlertRule
    state: AlertState
    last_data_at_ms: int | None
    version_ms: int


class AlertGroup(NamedTuple):
    """The common fields of alerts that share a query."""

    scope: Scope
    window_minutes: int


class StatusUpdate(NamedTuple):
    """The visible status of an alert after a beat, when its last message was due, and when it last had data."""

    alert_id: str
    status: AlertStatus
    value: Value
    notified_at_ms: int | None
    last_data_at_ms: int | None


async def list_due_groups(db: Session, beat_at_ms: int) -> list[AlertGroup]:
    """List the groups of the alerts that were not evaluated at this beat."""
    columns = (Alert.workspace_id, Alert.environment, Alert.window_minutes)
    rows = await db.execute(select(*columns).where(*_due_conditions(beat_at_ms)).distinct().order_by(*columns))
    return [
        AlertGroup(Scope(workspace_id, environment), window_minutes)
        for workspace_id, environment, window_minutes in rows
    ]


_IS_OPEN = Incident.resolved_at_ms.is_(None)
_SELECT_ALERTS = (
    select(Alert, Segment.filters, Incident)
    .outerjoin(Segment, Segment.id == Alert.segment_id)
    .outerjoin(Incident, (Incident.alert_id == Alert.id) & _IS_OPEN)
)


async def list_due_alerts(db: Session, group: AlertGroup, beat_at_ms: int) -> list[WatchedAlert]:
    """List the alerts of a group that were not evaluated at this beat, oldest first."""
    rows = await db.execute(
        _SELECT_ALERTS.where(
            Alert.workspace_id == group.scope.workspace_id,
            Alert.environment == group.scope.environment,
            Alert.window_minutes == group.window_minutes,
            *_due_conditions(beat_at_ms),
        ).order_by(Alert.created_at_ms, Alert.id)
    )
    return [_build_watched_alert(*row) for row in rows]


async def get_watched_alert(db: Session, alert_id: str) -> WatchedAlert:
    """Return an alert that exists."""
    return _build_watched_alert(*(await db.execute(_SELECT_ALERTS.where(Alert.id == alert_id))).one())


def read_rule(alert: Alert, segment_filters: str | None) -> AlertRule:
    """Return the rule of an alert; `segment_filters` is the stored filters of its segment, None without one."""
    return AlertRule(
        event=alert.event,
        measure=alert.measure,  # type: ignore[arg-type] # it was checked when it was stored
        property=alert.property,
        formula=read_formula(alert.formula),
        filters=(*read_filters(alert.filters), *read_filters(segment_filters or "[]")),
        condition=alert.condition,  # type: ignore[arg-type] # as above
        threshold=alert.threshold,
        window_minutes=alert.window_minutes,
    )


async def find_still_due_ids(db: Session, alerts: Sequence[WatchedAlert], beat_at_ms: int) -> set[str]:
    """Find the alerts that were not changed, resolved, paused, deleted or evaluated at this beat meanwhile."""
    version_ms_by_id = {alert.id: alert.version_ms for alert in alerts}
    rows = await db.execute(
        select(Alert.id, Alert.updated_at_ms).where(Alert.id.in_(version_ms_by_id), *_due_conditions(beat_at_ms))
    )
    return {id_ for id_, version_ms in rows if version_ms_by_id[id_] == version_ms}


async def record_delays(db: Session, scopes: Collection[Scope], beat_at_ms: int) -> AlertDelay:
    """Record the start of a delay for the due alerts of some scopes, and return how long the longest is."""
    since_ms = Alert.delayed_since_ms
    is_of_scopes = tuple_(Alert.workspace_id, Alert.environment).in_(map(msgspec.structs.astuple, scopes))
    conditions = (*_due_conditions(beat_at_ms), is_of_scopes)
    is_over = since_ms <= Alert.evaluated_at_ms  # a worker of the previous version does not clear it
    is_new = or_(since_ms.is_(None), is_over, since_ms > beat_at_ms)  # the latter if the clock was set back
    await db.execute(update(Alert).where(*conditions, is_new).values(delayed_since_ms=beat_at_ms))
    query = select(func.count(), func.min(since_ms)).where(*conditions)
    alert_count, first_ms = (await db.execute(query)).one()
    return AlertDelay(beat_at_ms, alert_count, beat_at_ms - (first_ms or beat_at_ms))


async def record_statuses(db: Session, status_updates: Iterable[StatusUpdate], beat_at_ms: int) -> None:
    """Store the visible status of these alerts after a beat."""
    rows = [
        {
            "id": status_update.alert_id,
            "status": status_update.status,
            "value": status_update.value,
            "told_at_ms": status_update.notified_at_ms,
            "last_data_at_ms": status_update.last_data_at_ms,
            "evaluated_at_ms": beat_at_ms,
            "delayed_since_ms": None,
        }
        for status_update in status_updates
    ]
    if rows:
        await db.execute(update(Alert), rows)


async def open_incident(
    db: Session, alert_id: str, fired_at_ms: int, sample: Sample, *, is_notified: bool, id_generator: IdGenerator
) -> Incident:
    """Store the beginning of an incident."""
    incident = Incident(
        id=id_generator.new(), alert_id=alert_id, fired_at_ms=fired_at_ms, value=sample.value, told=is_notified
    )
    db.add(incident)
    await db.flush()
    return incident


async def get_open_incident(db: Session, alert_id: str) -> Incident:
    """Return the open incident of an alert that is known to have one."""
    incident = await find_open_incident(db, alert_id)
    if incident is None:
        raise LookupError("a firing alert has an open incident")
    return incident


async def find_open_incident(db: Session, alert_id: str) -> Incident | None:
    """Find the open incident of an alert."""
    return await db.scalar(select(Incident).where(Incident.alert_id == alert_id, _IS_OPEN))


async def list_gap_starts_by_alert(db: Session, alert_ids: Sequence[str]) -> dict[str, int]:
    """Return when each firing alert that has no value lost it."""
    query = select(Incident.alert_id, Incident.no_data_since_ms).where(Incident.alert_id.in_(alert_ids), _IS_OPEN)
    rows = await db.execute(query.where(Incident.no_data_since_ms.is_not(None)))
    return {row.alert_id: row.no_data_since_ms for row in rows}


async def list_channel_ids_by_alert(db: Session, alert_ids: Sequence[str]) -> dict[str, list[str]]:
    """List the channels of each of these alerts, in their order."""
    rows = await db.execute(
        select(AlertRecipient.alert_id, AlertRecipient.channel_id)
        .where(AlertRecipient.alert_id.in_(alert_ids))
        .order_by(AlertRecipient.alert_id, AlertRecipient.position)
    )
    channel_ids_by_alert: dict[str, list[str]] = {alert_id: [] for alert_id in alert_ids}
    for alert_id, channel_id in rows:
        channel_ids_by_alert[alert_id].append(channel_id)
    return channel_ids_by_alert


async def record_activity(
    db: Session, alert: Alert, change: IncidentChange, value: Value, at_ms: int, id_generator: IdGenerator
) -> None:
    """Write a line in the history, with a copy of the current alert (rules/alerts#activity)."""
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
    db.add(activity)
    await db.flush()


async def close_incident(db: Session, alert: Alert, at_ms: int, id_generator: IdGenerator) -> Incident | None:
    """End the open incident of an alert and return it, None if there is none; this sends no message."""
    incident = await find_open_incident(db, alert.id)
    if incident is not None:
        incident.resolved_at_ms = at_ms
        await db.flush()
        await record_activity(db, alert, "resolved", alert.value, at_ms, id_generator)
    return incident


def _due_conditions(beat_at_ms: int) -> tuple[ColumnElement[bool], ...]:
    """Select the alerts that are on, were not evaluated at a beat, and have not changed since it."""
    is_changed_later = Alert.updated_at_ms.between(beat_at_ms + 1, beat_at_ms + _MAX_LATENESS_MS)
    return Alert.enabled.is_(True), Alert.evaluated_at_ms.is_distinct_from(beat_at_ms), ~is_changed_later


def _build_watched_alert(alert: Alert, segment_filters: str | None, incident: Incident | None) -> WatchedAlert:
    return WatchedAlert(
        id=alert.id,
        scope=Scope(alert.workspace_id, alert.environment),
        cooldown_minutes=alert.cooldown_minutes,
        rule=read_rule(alert, segment_filters),
        state=_build_state(alert, incident),
        last_data_at_ms=alert.last_data_at_ms,
        version_ms=alert.updated_at_ms,
    )


def _build_state(alert: Alert, incident: Incident | None) -> AlertState:
    if incident is None:
        return AlertState(notified_at_ms=alert.told_at_ms)
    return AlertState(
        is_firing=True,
        is_notified=incident.told,
        notified_at_ms=alert.told_at_ms,
        no_data_since_ms=incident.no_data_since_ms,
        is_no_data_notified=bool(incident.no_data_told),
    )
