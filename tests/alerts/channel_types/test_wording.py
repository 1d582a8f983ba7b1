"""The same words for every type of channel (rules/alerts#message-content)."""

from typing import Any

import pytest

from harness.builders.alert_messages import HOSTILE, a_message, short
from tallyroom.alerts.channel_types.wording import describe_message

RATE = {
    "a": {"event": "refund", "measure": "count"},
    "b": {"events": ["order", "trial"], "measure": "sum", "property": "total"},
    "c": {"events": "all", "measure": "uniq_actors"},
    "expression": "a / b * 100 + 1e3 - c",
}
COMMON = (("Severity", "Critical"), ("Environment", "production"), ("Fired at", "20 Nov 2026, 12:00 UTC"))


@pytest.mark.parametrize(
    ("type_", "headline", "sentence", "facts"),
    [
        (
            "alert.fired",
            "Fired: Too many sign-ups",
            "signup count is 120, above 100, over the last 60 minutes.",
            COMMON,
        ),
        (
            "alert.reminder",
            "Still firing: Too many sign-ups",
            "signup count is 140.5, above 100, over the last 60 minutes.",
            (*COMMON, ("Firing for", "2 hours 5 minutes")),
        ),
        (
            "alert.nodata",
            "No data: Too many sign-ups",
            "signup count has no value over the last 60 minutes. The incident stays open.",
            (*COMMON, ("No data since", "20 Nov 2026, 12:20 UTC"), ("Firing for", "35 minutes")),
        ),
        (
            "alert.resolved",
            "Resolved: Too many sign-ups",
            "signup count is 80, no longer above 100, over the last 60 minutes.",
            (*COMMON, ("Lasted", "35 minutes")),
        ),
        (
            "test",
            "Test: Too many sign-ups",
            ("This is only a test. An alert would say: signup count is 120, above 100, over the last 60 minutes."),
            (("Severity", "Warning"), *COMMON[1:]),
        ),
    ],
)
def test_each_type_says_what_happened(type_: str, headline: str, sentence: str, facts: Any) -> None:
    assert describe_message(a_message(type_)) == (headline, sentence, facts)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"condition": "below"}, "signup count is 120, below 100, over the last 60 minutes."),
        (
            {"event": None, "measure": None, "formula": RATE},
            (
                "refund count / order, trial sum of total * 100 + 1e3 - event unique actors is 120, above 100, "
                "over the last 60 minutes."
            ),
        ),
        (
            {"event": None, "measure": None, "formula": RATE, "condition": "nodata"},
            "No refund or order or trial or event arrived in the last 60 minutes.",
        ),
        (
            {"condition": "rises"},
            "signup count is 120 over the last 60 minutes, more than 100% above the previous 60 minutes.",
        ),
        (
            {"condition": "drops"},
            "signup count is 120 over the last 60 minutes, more than 100% below the previous 60 minutes.",
        ),
        (
            {"condition": "anomaly", "threshold": 3.0},
            "signup count is 120 over the last 60 minutes, more than 3 standard deviations from the usual value at this time.",
        ),
        ({"condition": "nodata", "threshold": None, "value": 0.0}, "No signup arrived in the last 60 minutes."),
        ({"value": None}, "signup count has no value over the last 60 minutes."),
        (
            {"measure": "avg", "property": "x\ny", "value": 1234567.5},
            "signup average of x y is 1,234,567.5, above 100, over the last 60 minutes.",
        ),
        (
            {"measure": "p95", "property": "ms"},
            "signup 95th percentile of ms is 120, above 100, over the last 60 minutes.",
        ),
        ({"measure": "uniq_actors"}, "signup unique actors is 120, above 100, over the last 60 minutes."),
        ({"window_minutes": 1}, "signup count is 120, above 100, over the last minute."),
        ({"window_minutes": 90}, "signup count is 120, above 100, over the last 90 minutes."),
        ({"window_minutes": 1440}, "signup count is 120, above 100, over the last 24 hours."),
        ({"value": 100.0000001}, "signup count is 100.0000001, above 100, over the last 60 minutes."),
    ],
)
def test_a_sentence_compares_the_value_with_the_threshold(fields: Any, sentence: str) -> None:
    assert describe_message(a_message(**fields)).sentence == sentence


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"value": 120.0}, "signup count is 120, above 100, over the last 60 minutes."),
        ({"value": None}, "signup count has no value over the last 60 minutes."),
        ({"condition": "nodata", "value": 0}, "No signup arrived in the last 60 minutes."),
    ],
)
def test_what_was_resolved_by_hand_is_not_called_false(fields: Any, sentence: str) -> None:
    told = describe_message(a_message("alert.resolved", by_hand=True, **fields))
    assert told.headline == "Resolved: Too many sign-ups"
    assert told.sentence == f"The incident was resolved manually. {sentence}"


def test_a_message_that_it_fired_says_that_the_value_is_missing() -> None:
    told = describe_message(a_message(value=None, no_data_since="2026-11-20T12:20:00.000Z"))
    assert told.sentence == "signup count has no value over the last 60 minutes."
    assert told.facts[-1] == ("No data since", "20 Nov 2026, 12:20 UTC")


def test_what_had_no_event_has_some_again() -> None:
    message = a_message("alert.resolved", condition="nodata", threshold=None, value=3.0)
    assert describe_message(message).sentence == "signup is arriving again."


@pytest.mark.parametrize(
    ("until", "lasted"),
    [
        ("2026-11-20T12:00:00.000Z", "less than a minute"),
        ("2026-11-20T12:00:59.999Z", "less than a minute"),
        ("2026-11-20T12:01:00.000Z", "1 minute"),
        ("2026-11-20T13:00:00.000Z", "1 hour"),
        ("2026-11-21T13:01:00.000Z", "1 day 1 hour"),
        ("2026-11-22T12:05:00.000Z", "2 days 5 minutes"),
        ("2026-11-20T11:00:00.000Z", "less than a minute"),
    ],
)
def test_how_long_an_incident_lasted(until: str, lasted: str) -> None:
    assert describe_message(a_message("alert.resolved", resolved_at=until)).facts[-1] == ("Lasted", lasted)


@pytest.mark.parametrize("name", HOSTILE, ids=short)
def test_every_text_is_one_line_in_its_own_order(name: str) -> None:
    wording = describe_message(a_message(name=name, event=name, environment=name))
    for text in (wording.headline, wording.sentence, *(value for _, value in wording.facts)):
        assert not set(text) & set("\r\n\u202e\u2066")


def test_an_alert_without_a_visible_name_is_called_something() -> None:
    assert describe_message(a_message(name="\u202e\n")).headline == "Fired: unnamed alert"
