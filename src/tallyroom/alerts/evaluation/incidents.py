"""From beat to beat: when an alert fires, when it resolves, and when it sends a message (rules/alerts#incidents)."""

from typing import Literal, NamedTuple

from tallyroom.alerts.channel_types.message import MessageType
from tallyroom.alerts.evaluation.conditions import Observation, is_condition_met
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.times import MINUTE_MS
from tallyroom.queries.values import Value

AlertStatus = Literal["ok", "firing", "nodata", "paused"]
IncidentChange = Literal["fired", "resolved", "nodata"]


class AlertState(NamedTuple):
    """What is known about an alert between two beats.

    Attributes:
        is_firing: whether it has an open incident.
        is_notified: whether a message was due for this incident.
        notified_at_ms: when the last message about an open incident was due; None if none was.
        no_data_since_ms: when the current gap, without a value to decide by, began; None outside a gap.
        is_no_data_notified: whether a message was due in this gap.
    """

    is_firing: bool = False
    is_notified: bool = False
    notified_at_ms: int | None = None
    no_data_since_ms: int | None = None
    is_no_data_notified: bool = False


class Transition(NamedTuple):
    """What a beat changes.

    `status` is the visible one. `change` is `fired` or `resolved` if an incident begins or ends, `nodata` if a gap
    begins. `message_type` is None if no message is due.
    """

    state: AlertState
    status: AlertStatus
    change: IncidentChange | None
    message_type: MessageType | None


def find_incident_change(
    rule: AlertRule, value: Value, *, is_firing: bool, is_met: bool
) -> Literal["fired", "resolved"] | None:
    """Return how an incident begins or ends, if it does, when the condition is true or false.

    A missing value makes no condition false, so an incident stays open, unless it is about missing events.
    """
    if is_firing == is_met or (is_firing and value is None and rule.condition != "nodata"):
        return None
    return "fired" if is_met else "resolved"


def advance_state(
    rule: AlertRule, state: AlertState, observation: Observation, beat_at_ms: int, cooldown_minutes: int
) -> Transition:
    """Judge the observation of a beat, and return the changes."""
    state = _clamp_to_beat(state, beat_at_ms)
    is_met = is_condition_met(
        rule, *observation.current_sample, observation.earlier_samples, observation.get_exact_values
    )
    change = find_incident_change(rule, observation.current_sample.value, is_firing=state.is_firing, is_met=is_met)
    is_in_cooldown = (
        state.notified_at_ms is not None and 0 <= beat_at_ms - state.notified_at_ms < cooldown_minutes * MINUTE_MS
    )
    if is_met:
        return _continue_firing(state, change, beat_at_ms, is_in_cooldown=is_in_cooldown)
    if state.is_firing and change is None:
        return _continue_gap(state, beat_at_ms, is_in_cooldown=is_in_cooldown)
    message_type: MessageType | None = "alert.resolved" if state.is_notified else None
    return Transition(
        AlertState(notified_at_ms=state.notified_at_ms),
        status_without_incident(observation.current_sample.value),
        change,
        message_type,
    )


def status_without_incident(value: Value) -> AlertStatus:
    """Return the status of an alert that is on and has no open incident."""
    return "nodata" if value is None else "ok"


def _clamp_to_beat(state: AlertState, beat_at_ms: int) -> AlertState:
    """Return the state with any future times set to now, because the clock was set back.

    The last message about an open incident came some time ago, so the next one waits for a whole cooldown at most.
    """
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
    return Transition(
        AlertState(is_firing=True, is_notified=True, notified_at_ms=beat_at_ms), "firing", change, message_type
    )


def _continue_gap(state: AlertState, beat_at_ms: int, *, is_in_cooldown: bool) -> Transition:
    """Begin or continue a gap; one message is due in it, once the cooldown has ended."""
    is_gap_start = state.no_data_since_ms is None
    change: IncidentChange | None = "nodata" if is_gap_start else None
    if is_gap_start:
        state = state._replace(no_data_since_ms=beat_at_ms, is_no_data_notified=False)
    if is_in_cooldown or state.is_no_data_notified:
        return Transition(state, "firing", change, None)
    message_type: MessageType = "alert.nodata" if state.is_notified else "alert.fired"
    return Transition(
        state._replace(is_notified=True, notified_at_ms=beat_at_ms, is_no_data_notified=True),
        "firing",
        change,
        message_type,
    )
