"""From beat to beat: when an alert fires, when it resolves, and when it tells (rules/alerts#incidents)."""

from typing import Literal, NamedTuple

from tallyroom.alerts.conditions import Observation, holds
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.times import MINUTE_MS
from tallyroom.notify.message import MessageType

Status = Literal["ok", "firing", "nodata", "paused"]
Change = Literal["fired", "resolved"]


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
    change: Change | None
    message: MessageType | None


def change_of(*, firing: bool, holds: bool) -> Change | None:
    """Return what happens to an alert that has or has not an open incident, when its condition is true or false."""
    if firing == holds:
        return None
    return "fired" if holds else "resolved"


def advance(rule: AlertRule, state: AlertState, seen: Observation, beat_ms: int, cooldown_minutes: int) -> Transition:
    """Judge what was seen at a beat, and return what follows from it."""
    state = _by_this_clock(state, beat_ms)
    is_true = holds(rule, *seen.current, seen.earlier, seen.exactly)
    change = change_of(firing=state.firing, holds=is_true)
    if is_true:
        return _firing(state, change, beat_ms, cooldown_minutes)
    status: Status = "nodata" if seen.current.value is None else "ok"
    message: MessageType | None = "alert.resolved" if state.told else None
    return Transition(AlertState(told_at_ms=state.told_at_ms), status, change, message)


def _by_this_clock(state: AlertState, beat_ms: int) -> AlertState:
    """Return the state as if the last message about an open incident came now, if its time is still to come.

    The clock was set back since. The message came some time ago, so the next one waits for a whole cooldown at most.
    """
    is_ahead = state.told and state.told_at_ms is not None and state.told_at_ms > beat_ms
    return state._replace(told_at_ms=beat_ms) if is_ahead else state


def _firing(state: AlertState, change: Change | None, beat_ms: int, cooldown_minutes: int) -> Transition:
    if state.told_at_ms is not None and 0 <= beat_ms - state.told_at_ms < cooldown_minutes * MINUTE_MS:
        return Transition(state._replace(firing=True), "firing", change, None)
    message: MessageType = "alert.reminder" if state.told else "alert.fired"
    return Transition(AlertState(firing=True, told=True, told_at_ms=beat_ms), "firing", change, message)
