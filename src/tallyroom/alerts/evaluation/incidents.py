"""From beat to beat: when an alert fires, when it resolves, and when it sends a message (rules/alerts#incidents)."""

from typing import Literal, NamedTuple

from tallyroom.alerts.channel_types.message import MessageType
from tallyroom.alerts.evaluation.conditions import Observation, is_condition_met
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.times import MINUTE_MS
from tallyroom.queries.values import Value

AlertStatus = Literal["ok", "firing", "nodata", "paused"]
IncidentChange = Literal["fired", "resolved", "nodata"]


class AlertDelay(NamedTuple):
    """How many alerts could not be evaluated at a beat, and for how long the first of them has been waiting."""

    beat_at_ms: int
    alert_count: int
    duration_ms: int


class AlertState(NamedTuple):
    """What is known about an alert between two beats; `is_firing` means that it has an open incident.

    `is_notified` and `notified_at_ms` are about messages of this incident. A gap, which began at `no_data_since_ms`, is
    a time without a value to decide by.
    """

    is_firing: bool = False
    is_notified: bool = False
    notified_at_ms: int | None = None
    no_data_since_ms: int | None = None
    is_no_data_notified: bool = False


class Transition(NamedTuple):
    """What a beat changes; `change` is `nodata` if a gap begins, `message_type` is None if no message is due."""

    state: AlertState
    status: AlertStatus
    change: IncidentChange | None
    message_type: MessageType | None


def find_incident_change(
    rule: AlertRule, value: Value, *, is_firing: bool, is_met: bool
) -> Literal["fired", "resolved"] | None:
    """Return whether an incident begins or ends. Unless it is about missing events, it stays open without a value."""
    if is_firing == is_met or (is_firing and value is None and rule.condition != "nodata"):
        return None
    return "fired" if is_met else "resolved"


def advance_state(
    rule: AlertRule, state: AlertState, observation: Observation, beat_at_ms: int, cooldown_minutes: int
) -> Transition:
    """Judge the observation of a beat, and return the changes."""
    state = _clamp_to_beat(state, beat_at_ms)
    sample, cooldown_ms = observation.current_sample, cooldown_minutes * MINUTE_MS
    is_met = is_condition_met(rule, *sample, observation.earlier_samples, observation.get_exact_values)
    change = find_incident_change(rule, sample.value, is_firing=state.is_firing, is_met=is_met)
    is_in_cooldown = state.notified_at_ms is not None and 0 <= beat_at_ms - state.notified_at_ms < cooldown_ms
    if is_met:
        return _continue_firing(state, change, beat_at_ms, is_in_cooldown=is_in_cooldown)
    if state.is_firing and change is None:
        return _continue_gap(state, beat_at_ms, is_in_cooldown=is_in_cooldown)
    message_type: MessageType | None = "alert.resolved" if state.is_notified else None
    state = AlertState(notified_at_ms=state.notified_at_ms)
    return Transition(state, status_without_incident(sample.value), change, message_type)


def status_without_incident(value: Value) -> AlertStatus:
    """Return the status of an alert that is on and has no open incident."""
    return "nodata" if value is None else "ok"


def _clamp_to_beat(state: AlertState, beat_at_ms: int) -> AlertState:
    """Return the state without times in the future, so that after a clock was set back a cooldown is not longer."""
    if state.is_notified and state.notified_at_ms is not None:
        state = state._replace(notified_at_ms=min(state.notified_at_ms, beat_at_ms))
    if state.no_data_since_ms is not None:
        state = state._replace(no_data_since_ms=min(state.no_data_since_ms, beat_at_ms))
    return state


def _continue_firing(
    state: AlertState, change: IncidentChange | None, beat_at_ms: int, *, is_in_cooldown: bool
) -> Transition:
    if is_in_cooldown:
        state = AlertState(is_firing=True, is_notified=state.is_notified, notified_at_ms=state.notified_at_ms)
        return Transition(state, "firing", change, None)
    message_type: MessageType = "alert.reminder" if state.is_notified else "alert.fired"
    state = AlertState(is_firing=True, is_notified=True, notified_at_ms=beat_at_ms)
    return Transition(state, "firing", change, message_type)


def _continue_gap(state: AlertState, beat_at_ms: int, *, is_in_cooldown: bool) -> Transition:
    """Begin or continue a gap; one message is due in it, once the cooldown has ended."""
    is_gap_start = state.no_data_since_ms is None
    change: IncidentChange | None = "nodata" if is_gap_start else None
    if is_gap_start:
        state = state._replace(no_data_since_ms=beat_at_ms, is_no_data_notified=False)
    if is_in_cooldown or state.is_no_data_notified:
        return Transition(state, "firing", change, None)
    message_type: MessageType = "alert.nodata" if state.is_notified else "alert.fired"
    state = state._replace(is_notified=True, notified_at_ms=beat_at_ms, is_no_data_notified=True)
    return Transition(state, "firing", change, message_type)
