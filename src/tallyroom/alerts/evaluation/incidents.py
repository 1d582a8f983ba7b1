"""From beat to beat: when an alert fires, when it resolves, and when it tells (rules/alerts#incidents)."""

from typing import Literal, NamedTuple

from tallyroom.alerts.channel_types.message import MessageType
from tallyroom.alerts.evaluation.conditions import Observation, holds
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.times import MINUTE_MS
from tallyroom.queries.values import Value

Status = Literal["ok", "firing", "nodata", "paused"]
Change = Literal["fired", "resolved", "nodata"]


class AlertState(NamedTuple):
    """What is known about an alert between two beats.

    Attributes:
        firing: whether it has an open incident.
        is_told: whether a message was due for this incident.
        told_at_ms: when the last message about an open incident was due; None if none was.
        no_data_since_ms: since when the incident is in a gap, without a value to decide by; None if it is in none.
        no_data_told: whether a message was due in this gap.
    """

    firing: bool = False
    is_told: bool = False
    told_at_ms: int | None = None
    no_data_since_ms: int | None = None
    no_data_told: bool = False


class Transition(NamedTuple):
    """What a beat changes.

    Attributes:
        state: the state from now on.
        status: the alert's status as people see it.
        change: `fired` or `resolved` if an incident begins or ends, `nodata` if a gap begins.
        message: the message to send, if one is due.
    """

    state: AlertState
    status: Status
    change: Change | None
    message: MessageType | None


def change_of(rule: AlertRule, value: Value, *, firing: bool, holds: bool) -> Literal["fired", "resolved"] | None:
    """Return what happens to an alert that has or has not an open incident, when its condition is true or false.

    A value that is missing makes no condition false, so an incident stays open, unless it is about missing events.
    """
    if firing == holds or (firing and value is None and rule.condition != "nodata"):
        return None
    return "fired" if holds else "resolved"


def advance(
    rule: AlertRule, state: AlertState, observation: Observation, beat_ms: int, cooldown_minutes: int
) -> Transition:
    """Judge what was seen at a beat, and return what follows from it."""
    state = _by_this_clock(state, beat_ms)
    is_true = holds(rule, *observation.current, observation.earlier, observation.exactly)
    change = change_of(rule, observation.current.value, firing=state.firing, holds=is_true)
    is_quiet = state.told_at_ms is not None and 0 <= beat_ms - state.told_at_ms < cooldown_minutes * MINUTE_MS
    if is_true:
        return _firing(state, change, beat_ms, is_quiet=is_quiet)
    if state.firing and change is None:
        return _without_value(state, beat_ms, is_quiet=is_quiet)
    message: MessageType | None = "alert.resolved" if state.is_told else None
    return Transition(
        AlertState(told_at_ms=state.told_at_ms), status_without_incident(observation.current.value), change, message
    )


def status_without_incident(value: Value) -> Status:
    """Return the status of an alert that is on and has no open incident."""
    return "nodata" if value is None else "ok"


def _by_this_clock(state: AlertState, beat_ms: int) -> AlertState:
    """Return the state with the times that are still to come set to now: the clock was set back since.

    The last message about an open incident came some time ago, so the next one waits for a whole cooldown at most.
    """
    if state.is_told and state.told_at_ms is not None:
        state = state._replace(told_at_ms=min(state.told_at_ms, beat_ms))
    if state.no_data_since_ms is not None:
        state = state._replace(no_data_since_ms=min(state.no_data_since_ms, beat_ms))
    return state


def _firing(state: AlertState, change: Change | None, beat_ms: int, *, is_quiet: bool) -> Transition:
    if is_quiet:
        state = AlertState(firing=True, is_told=state.is_told, told_at_ms=state.told_at_ms)
        return Transition(state, "firing", change, None)
    message: MessageType = "alert.reminder" if state.is_told else "alert.fired"
    return Transition(AlertState(firing=True, is_told=True, told_at_ms=beat_ms), "firing", change, message)


def _without_value(state: AlertState, beat_ms: int, *, is_quiet: bool) -> Transition:
    """Begin a gap or go on with it; one message is due in it, once the cooldown has ended."""
    is_new = state.no_data_since_ms is None
    change: Change | None = "nodata" if is_new else None
    if is_new:
        state = state._replace(no_data_since_ms=beat_ms, no_data_told=False)
    if is_quiet or state.no_data_told:
        return Transition(state, "firing", change, None)
    message: MessageType = "alert.nodata" if state.is_told else "alert.fired"
    return Transition(state._replace(is_told=True, told_at_ms=beat_ms, no_data_told=True), "firing", change, message)
