"""Alerts: people create, change, pause and delete them; the evaluation does the rest (rules/alerts#alert)."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from tallyroom.alerts.evaluation.incidents import status_without_incident
from tallyroom.alerts.evaluation.repository import close_incident, list_channel_ids_by_alert, list_gap_starts_by_alert
from tallyroom.alerts.rules import repository
from tallyroom.alerts.rules.schemas import ActivityEntry, AlertChange, AlertIn, AlertOut, LastDeliveryOut, WatchedIn
from tallyroom.alerts.rules.target_check import build_rule, check_rule_body, read_measure
from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.scope import environment_of, sees_environment
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.dashboards.widgets.configs import encode_to_store
from tallyroom.queries.filters import Filter, read_filters
from tallyroom.queries.formula_parts import Formula, read_formula
from tallyroom.queries.values import to_answer_value
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert

MAX_ALERTS = 1000  # in a workspace

_MEASURE_FIELDS = ("event", "measure", "property", "filters")  # the fields that a formula replaces
_SUBJECT_FIELDS = {"environment", "segment_id", "formula", *_MEASURE_FIELDS}
"""The fields that define the events of an alert; other events may never have had data."""

_RULE_FIELDS = ("environment", "event", "property", "segment_id", "condition", "threshold", "window_minutes")
_OTHER_FIELDS = ("name", "severity", "cooldown_minutes", "enabled")


async def list_alerts(db: Session, principal: MemberPrincipal, environment: str | None) -> list[AlertOut]:
    """List the alerts of an environment, or of all that the principal sees, oldest first."""
    if environment is not None or principal.environment is not None:
        environment = await environment_of(principal, environment, db)
    alerts = await repository.list_alerts(db, principal.workspace_id, environment)
    return await _build_alerts_out(db, alerts)


async def get_alert(db: Session, principal: MemberPrincipal, alert_id: str) -> AlertOut:
    """Return one alert, or raise `NotFound`."""
    return await build_alert_out(db, await find_alert(db, principal, alert_id))


async def create_alert(
    db: Session, principal: MemberPrincipal, body: AlertIn, clock: Clock, id_generator: IdGenerator
) -> AlertOut:
    """Create an alert; it is first evaluated at the next beat. Raises `Conflict` above `MAX_ALERTS`."""
    await _check_rule(db, principal, body, body.channel_ids)
    if await repository.count_alerts(db, principal.workspace_id) >= MAX_ALERTS:
        raise Conflict(f"This workspace has {MAX_ALERTS} alerts, the maximum. Delete one first.")
    now_ms = clock.now_ms()
    alert = Alert(
        id=id_generator.new(),
        workspace_id=principal.workspace_id,
        **_rule_columns(body),
        **{name: getattr(body, name) for name in _OTHER_FIELDS},
        status="ok" if body.enabled else "paused",
        created_at_ms=now_ms,
        updated_at_ms=now_ms,
    )
    await repository.add_alert(db, alert)
    await repository.replace_channels(db, alert.id, body.channel_ids)
    await record_alert_action(db, principal, Action.ALERT_CREATE, alert, clock, id_generator)
    return await build_alert_out(db, alert)


async def change_alert(
    db: Session, principal: MemberPrincipal, alert_id: str, body: AlertChange, clock: Clock, id_generator: IdGenerator
) -> AlertOut:
    """Change the fields in the body; an open incident continues until the new rule is false at a beat."""
    alert = await find_alert(db, principal, alert_id)
    previous_channel_ids = (await list_channel_ids_by_alert(db, [alert.id]))[alert.id]
    channel_ids = previous_channel_ids if body.channel_ids is UNSET else [*body.channel_ids]
    rule_body = _merge_change(alert, body)
    await _check_rule(db, principal, rule_body, channel_ids)
    new_values = find_changes(alert, _rule_columns(rule_body) | {name: getattr(body, name) for name in _OTHER_FIELDS})
    if not new_values and channel_ids == previous_channel_ids:
        return await build_alert_out(db, alert)
    apply_changes(alert, new_values | {"updated_at_ms": max(clock.now_ms(), alert.updated_at_ms + 1)})
    if _SUBJECT_FIELDS & new_values.keys():
        alert.last_data_at_ms = None
    if "enabled" in new_values:
        await _pause_or_resume(db, alert, clock.now_ms(), id_generator)
    await repository.replace_channels(db, alert.id, channel_ids)
    await record_alert_action(db, principal, Action.ALERT_UPDATE, alert, clock, id_generator)
    return await build_alert_out(db, alert)


async def delete_alert(
    db: Session, principal: MemberPrincipal, alert_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Delete an alert, or raise `NotFound`. Its history stays; an open incident ends now."""
    alert = await find_alert(db, principal, alert_id)
    await close_incident(db, alert, clock.now_ms(), id_generator)
    await repository.delete_alert(db, alert)
    await record_alert_action(db, principal, Action.ALERT_DELETE, alert, clock, id_generator)


async def list_activity(
    db: Session, principal: MemberPrincipal, alert_id: str | None, limit: int
) -> list[ActivityEntry]:
    """List what alerts did, the newest first."""
    activities = await repository.list_activity(db, principal.workspace_id, principal.environment, alert_id, limit)
    return [
        ActivityEntry(
            id=activity.id,
            alert_id=activity.alert_id,
            alert_name=activity.alert_name,
            type=activity.type,  # type: ignore[arg-type] # what the evaluation stores
            value=to_answer_value(activity.value),
            threshold=to_answer_value(activity.threshold),
            condition=activity.condition,
            severity=activity.severity,
            at=iso_ms(activity.at_ms),
        )
        for activity in activities
    ]


async def _pause_or_resume(db: Session, alert: Alert, now_ms: int, id_generator: IdGenerator) -> None:
    if alert.enabled:
        alert.status = "ok" if alert.evaluated_at_ms is None else status_without_incident(alert.value)
    else:
        alert.status, alert.delayed_since_ms = "paused", None
        await close_incident(db, alert, now_ms, id_generator)


async def _check_rule(db: Session, principal: MemberPrincipal, body: WatchedIn, channel_ids: Sequence[str]) -> None:
    await check_rule_body(body)
    await build_rule(db, principal, body)
    own_channel_ids = await repository.find_own_channel_ids(db, principal.workspace_id, channel_ids)
    for index, channel_id in enumerate(channel_ids):
        if channel_id not in own_channel_ids:
            raise ValidationFailed.at(["channelIds", index], "is not an alert channel of this workspace")
        if channel_id in channel_ids[:index]:
            raise ValidationFailed.at(["channelIds", index], "appears more than once")


def _rule_columns(body: WatchedIn) -> dict[str, Any]:
    """Return the rule of a body by the names of its columns."""
    return {name: getattr(body, name) for name in _RULE_FIELDS} | {
        "measure": read_measure(body),
        "filters": encode_to_store(body.filters or (), ["filters"]),
        "formula": None if body.formula is None else encode_to_store(body.formula, ["formula"]),
    }


def _merge_change(alert: Alert, body: AlertChange) -> WatchedIn:
    field_values: dict[str, Any] = {name: getattr(alert, name) for name in (*_RULE_FIELDS, "measure")}
    field_values |= {"filters": _read_filters(alert), "formula": read_formula(alert.formula)}
    if isinstance(body.formula, Formula):
        field_values |= dict.fromkeys(_MEASURE_FIELDS)
    elif isinstance(body.event, str):
        field_values["formula"] = None
    body_values = {name: getattr(body, name) for name in field_values}
    return WatchedIn(**field_values | {name: value for name, value in body_values.items() if value is not UNSET})


def _read_filters(alert: Alert) -> tuple[Filter, ...] | None:
    return read_filters(alert.filters) if alert.formula is None else None


async def find_alert(db: Session, principal: MemberPrincipal, alert_id: str) -> Alert:
    """Find an alert, or raise `NotFound` if the principal cannot see it."""
    alert = await repository.find_alert(db, principal.workspace_id, alert_id)
    if alert is None or not sees_environment(principal, alert.environment):
        raise NotFound("This workspace has no such alert.")
    return alert


async def record_alert_action(
    db: Session, principal: MemberPrincipal, action: Action, alert: Alert, clock: Clock, id_generator: IdGenerator
) -> None:
    """Write an entry in the audit log about an alert."""
    await record(db, principal, action, alert.id, {"name": alert.name}, clock=clock, id_generator=id_generator)


async def build_alert_out(db: Session, alert: Alert) -> AlertOut:
    """Return an alert in the shape of a response."""
    return (await _build_alerts_out(db, [alert]))[0]


async def _build_alerts_out(db: Session, alerts: Sequence[Alert]) -> list[AlertOut]:
    alert_ids = [alert.id for alert in alerts]
    channels, gap_starts = await list_channel_ids_by_alert(db, alert_ids), await list_gap_starts_by_alert(db, alert_ids)
    deliveries = await repository.list_last_deliveries_by_alert(db, alert_ids)
    return [_alert_out(alert, channels[alert.id], gap_starts.get(alert.id), deliveries[alert.id]) for alert in alerts]


def _alert_out(
    alert: Alert, channel_ids: Sequence[str], gap_start_ms: int | None, deliveries: Sequence[repository.LastDelivery]
) -> AlertOut:
    return AlertOut(
        id=alert.id,
        **{name: getattr(alert, name) for name in (*_RULE_FIELDS, *_OTHER_FIELDS) if name != "threshold"},
        measure=alert.measure,
        threshold=to_answer_value(alert.threshold),
        filters=_read_filters(alert),
        formula=read_formula(alert.formula),
        channel_ids=[*channel_ids],
        status=alert.status,  # type: ignore[arg-type] # what the evaluation stores
        no_data_since=iso_ms_or_none(gap_start_ms) if alert.value is None else None,
        last_evaluated_at=iso_ms_or_none(alert.evaluated_at_ms),
        last_data_at=iso_ms_or_none(alert.last_data_at_ms),
        delayed_since=iso_ms_or_none(find_delay_start_ms(alert)),
        last_value=to_answer_value(alert.value),
        last_deliveries=[_delivery_out(delivery) for delivery in deliveries],
        created_at=iso_ms(alert.created_at_ms),
        updated_at=iso_ms(alert.updated_at_ms),
    )


def find_delay_start_ms(alert: Alert) -> int | None:
    """Return the first beat since the last evaluation at which the event store was behind (rules/alerts#delays)."""
    delayed_since_ms, evaluated_at_ms = alert.delayed_since_ms, alert.evaluated_at_ms
    is_over = evaluated_at_ms is not None and delayed_since_ms is not None and delayed_since_ms <= evaluated_at_ms
    return None if is_over or not alert.enabled else delayed_since_ms


def _delivery_out(delivery: repository.LastDelivery) -> LastDeliveryOut:
    status: Any = delivery.status  # what the outbox stores
    return LastDeliveryOut(delivery.channel_id, iso_ms(delivery.created_at_ms), status, delivery.error)
