"""From beat to beat: incidents, and the messages that the cooldown lets through (rules/alerts#incidents)."""

import pytest

from harness.alert_rules import MINUTE_MS, rule
from tallyroom.alerts.conditions import Observation, Sample
from tallyroom.alerts.incidents import AlertState, Transition, advance

HIGH, LOW, NONE = Sample(9, 9), Sample(1, 1), Sample(0, None)
NEW = AlertState()
FIRED, REMINDER, RESOLVED = "alert.fired", "alert.reminder", "alert.resolved"


def beats(*samples: Sample, cooldown: int = 3, state: AlertState = NEW) -> list[Transition]:
    """What each of some beats, a minute apart, changes."""
    found = []
    for minute, sample in enumerate(samples):
        step = advance(rule(), state, Observation(sample), minute * MINUTE_MS, cooldown)
        state = step.state
        found.append(step)
    return found


def changes(steps: list[Transition]) -> list[str | None]:
    return [step.change for step in steps]


def messages(steps: list[Transition]) -> list[str | None]:
    return [step.message for step in steps]


def test_it_fires_once_and_resolves_once() -> None:
    steps = beats(LOW, HIGH, HIGH, LOW, LOW)
    assert changes(steps) == [None, "fired", None, "resolved", None]
    assert messages(steps) == [None, FIRED, None, RESOLVED, None]
    assert [step.status for step in steps] == ["ok", "firing", "firing", "ok", "ok"]


def test_it_reminds_after_each_cooldown() -> None:
    assert messages(beats(*[HIGH] * 8)) == [FIRED, None, None, REMINDER, None, None, REMINDER, None]


def test_an_incident_within_the_cooldown_is_activity_without_a_message() -> None:
    steps = beats(HIGH, LOW, HIGH, LOW, LOW)
    assert changes(steps) == ["fired", "resolved", "fired", "resolved", None]
    assert messages(steps) == [FIRED, RESOLVED, None, None, None]


def test_an_incident_that_outlasts_the_cooldown_is_told_then() -> None:
    steps = beats(HIGH, LOW, HIGH, HIGH, HIGH, LOW)
    assert messages(steps) == [FIRED, RESOLVED, None, FIRED, None, RESOLVED]
    assert changes(steps) == ["fired", "resolved", "fired", None, None, "resolved"]


def test_a_clock_that_was_set_back_does_not_silence_an_alert() -> None:
    told_tomorrow = AlertState(told_at_ms=24 * 60 * MINUTE_MS)
    assert messages(beats(HIGH, state=told_tomorrow)) == [FIRED]


def test_a_clock_that_was_set_back_sends_no_second_reminder() -> None:
    told_in_an_hour = AlertState(firing=True, told=True, told_at_ms=60 * MINUTE_MS)
    assert messages(beats(*[HIGH] * 7, state=told_in_an_hour)) == [None, None, None, REMINDER, None, None, REMINDER]
    assert messages(beats(HIGH, LOW, HIGH, HIGH, state=told_in_an_hour)) == [None, RESOLVED, None, FIRED]


@pytest.mark.parametrize("state", [AlertState(), AlertState(firing=True, told=True, told_at_ms=0)])
def test_a_value_that_is_nothing_shows_as_no_data_and_resolves(state: AlertState) -> None:
    [step] = beats(NONE, state=state)
    assert step.status == "nodata"
    assert step.change == ("resolved" if state.firing else None)
