"""From beat to beat: when an alert fires, when it resolves, and when it tells (rules/alerts#incidents)."""

from typing import Literal, NamedTuple

from tallyroom.alerts.conditions import Observation, holds
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.times import MINUTE_MS
from tallyroom.notify.message import MessageType

Status = Literal["ok", "firing", "nodata", "paused"]


class AlertState(NamedTuple):
    """What is known about an alert between two beats.

    Attributes:
        firing: whether it has an open incident.
        told: whether a message was due for this incident.
        told_at_ms: when the last message that it fired or still fires was due; None if none was.
    """

    firing: bool = False
    told: bool = False
    told_at_ms: int | None = None


class Transition(NamedTuple):
    """What a beat changes.

    Attributes:
        state: the state from now on.
        status: the alert's status as people see it.
        change: `fired` or `resolved` if an incident begins or ends.
        message: the message to send, if one is due.
    """

    state: AlertState
    status: Status
    change: Literal["fired", "resolved"] | None
    message: MessageType | None


def advance(rule: AlertRule, state: AlertState, seen: Observation, beat_ms: int, cooldown_minutes: int) -> Transition:
    """Judge what was seen at a beat, and return what follows from it."""
    if holds(rule, seen):
        return _firing(state, beat_ms, cooldown_minutes)
    status: Status = "nodata" if seen.current.value is None else "ok"
    if not state.firing:
        return Transition(state, status, None, None)
    after = AlertState(told_at_ms=state.told_at_ms)
    return Transition(after, status, "resolved", "alert.resolved" if state.told else None)


def _firing(state: AlertState, beat_ms: int, cooldown_minutes: int) -> Transition:
    change: Literal["fired"] | None = None if state.firing else "fired"
    if state.told_at_ms is not None and 0 <= beat_ms - state.told_at_ms < cooldown_minutes * MINUTE_MS:
        return Transition(state._replace(firing=True), "firing", change, None)
    message: MessageType = "alert.reminder" if state.told else "alert.fired"
    return Transition(AlertState(firing=True, told=True, told_at_ms=beat_ms), "firing", change, message)
