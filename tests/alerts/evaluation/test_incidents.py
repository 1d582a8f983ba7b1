"""From beat to beat: incidents, and the messages that the cooldown lets through (rules/alerts#incidents)."""

from harness.oracles.alert_rules import MINUTE_MS, rule
from tallyroom.alerts.evaluation.conditions import Observation, Sample
from tallyroom.alerts.evaluation.incidents import AlertState, Transition, advance_state

HIGH, LOW, NONE = Sample(9, 9), Sample(1, 1), Sample(0, None)
NEW = AlertState()
FIRED, REMINDER, NO_DATA, RESOLVED = "alert.fired", "alert.reminder", "alert.nodata", "alert.resolved"


def beats(*samples: Sample, cooldown: int = 3, state: AlertState = NEW) -> list[Transition]:
    """What each of some beats, a minute apart, changes."""
    found = []
    for minute, sample in enumerate(samples):
        step = advance_state(rule(), state, Observation(sample), minute * MINUTE_MS, cooldown)
        state = step.state
        found.append(step)
    return found


def changes(steps: list[Transition]) -> list[str | None]:
    return [step.change for step in steps]


def messages(steps: list[Transition]) -> list[str | None]:
    return [step.message_type for step in steps]


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
    told_tomorrow = AlertState(notified_at_ms=24 * 60 * MINUTE_MS)
    assert messages(beats(HIGH, state=told_tomorrow)) == [FIRED]


def test_a_clock_that_was_set_back_sends_no_second_reminder() -> None:
    told_in_an_hour = AlertState(is_firing=True, is_notified=True, notified_at_ms=60 * MINUTE_MS)
    assert messages(beats(*[HIGH] * 7, state=told_in_an_hour)) == [None, None, None, REMINDER, None, None, REMINDER]
    assert messages(beats(HIGH, LOW, HIGH, HIGH, state=told_in_an_hour)) == [None, RESOLVED, None, FIRED]


def test_a_value_that_is_missing_shows_as_no_data() -> None:
    [step] = beats(NONE)
    assert (step.status, step.change, step.message_type) == ("nodata", None, None)


def test_an_incident_stays_open_while_the_value_is_missing() -> None:
    steps = beats(HIGH, NONE, NONE, HIGH, NONE, LOW)
    assert changes(steps) == ["fired", "nodata", None, None, "nodata", "resolved"]
    assert [step.status for step in steps] == [*["firing"] * 5, "ok"]
    assert [step.state.no_data_since_ms for step in steps] == [None, MINUTE_MS, MINUTE_MS, None, 4 * MINUTE_MS, None]


def test_the_message_of_a_gap_waits_for_the_cooldown_and_takes_the_place_of_the_reminders() -> None:
    steps = beats(HIGH, *[NONE] * 9, HIGH)
    assert messages(steps) == [FIRED, None, None, NO_DATA, *[None] * 6, REMINDER]
    assert messages(beats(HIGH, *[NONE] * 3, HIGH, HIGH, HIGH)) == [FIRED, None, None, NO_DATA, None, None, REMINDER]


def test_a_gap_that_ends_within_the_cooldown_is_told_by_nobody() -> None:
    assert messages(beats(HIGH, NONE, HIGH, HIGH)) == [FIRED, None, None, REMINDER]
    assert messages(beats(HIGH, NONE, LOW)) == [FIRED, None, RESOLVED]


def test_each_gap_is_told_once() -> None:
    steps = beats(HIGH, *[NONE] * 4, HIGH, *[NONE] * 4)
    assert messages(steps) == [FIRED, None, None, NO_DATA, None, None, NO_DATA, None, None, None]


def test_an_incident_that_was_not_told_has_no_message_of_its_gap() -> None:
    """When the cooldown ends, the message that it fired says that there is no value."""
    untold = AlertState(is_firing=True, notified_at_ms=-MINUTE_MS)
    steps = beats(*[NONE] * 9, LOW, state=untold)
    assert messages(steps) == [None, None, FIRED, *[None] * 6, RESOLVED]
    assert messages(beats(NONE, LOW, state=untold)) == [None, None]


def test_missing_events_are_no_missing_value() -> None:
    """An incident about missing events ends with the first event, also where that has no value."""
    missing = rule(condition="nodata", measure="avg", property="n")
    state = AlertState(is_firing=True, is_notified=True, notified_at_ms=0)
    step = advance_state(missing, state, Observation(Sample(1, None)), MINUTE_MS, 3)
    assert (step.change, step.message_type, step.status) == ("resolved", RESOLVED, "nodata")
    assert advance_state(missing, state, Observation(Sample(0, None)), MINUTE_MS, 3).change is None


def test_a_clock_that_was_set_back_begins_no_second_gap() -> None:
    ahead = AlertState(
        is_firing=True,
        is_notified=True,
        notified_at_ms=60 * MINUTE_MS,
        no_data_since_ms=60 * MINUTE_MS,
        is_no_data_notified=True,
    )
    steps = beats(*[NONE] * 9, state=ahead)
    assert changes(steps) == messages(steps) == [None] * 9
    assert steps[-1].state.no_data_since_ms == 0
