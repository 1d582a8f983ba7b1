"""The words of an alert's message, the same for every type of channel (rules/alerts#message-content)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from tallyroom.alerts.channel_types.escaping import to_single_line
from tallyroom.alerts.channel_types.message import AlertMessage, MessageType
from tallyroom.images.charts.full_numbers import format_full_number
from tallyroom.queries.measures import NAME_BY_MEASURE

_HEADLINE_WORD_BY_TYPE: Final[dict[MessageType, str]] = {
    "alert.fired": "Fired",
    "alert.reminder": "Still firing",
    "alert.nodata": "No data",
    "alert.resolved": "Resolved",
    "test": "Test",
}
_PART_NAME_PATTERN: Final = re.compile(r"[a-d]")
_LEVEL_CONDITIONS: Final = {"above", "below"}
_HOUR_MINUTES = 60
_DAY_MINUTES = 24 * _HOUR_MINUTES
_MIN_MINUTES_AS_HOURS = 2 * _HOUR_MINUTES


class Wording(NamedTuple):
    """A message in words; each part is one line of plain text, not escaped yet, and `facts` are names with values."""

    headline: str
    sentence: str
    facts: tuple[tuple[str, str], ...]


def describe_message(message: AlertMessage) -> Wording:
    """Put a message into words."""
    alert_name = to_single_line(message.name) or "unnamed alert"
    sentence = _build_sentence(message)
    if message.by_hand:
        sentence = f"The incident was resolved manually. {sentence}"
    if message.type == "alert.nodata":
        sentence = f"{sentence} The incident stays open."
    if message.type == "test":
        sentence = f"This is only a test. An alert would say: {sentence}"
    facts = (
        ("Severity", message.severity.capitalize()),
        ("Environment", to_single_line(message.environment)),
        ("Fired at", _format_time(message.fired_at)),
        *([] if message.no_data_since is None else [("No data since", _format_time(message.no_data_since))]),
        *_duration_facts(message),
    )
    return Wording(f"{_HEADLINE_WORD_BY_TYPE[message.type]}: {alert_name}", sentence, facts)


def value_name(message: AlertMessage) -> str:
    """Name the value that the alert looks at, as in "signup count", "page.viewed average of ms" or "x count / 60"."""
    if message.formula is None:
        return _measure_name(_build_measure_fields(message))
    formula = message.formula
    return _PART_NAME_PATTERN.sub(lambda name: _measure_name(formula[name[0]]), to_single_line(formula["expression"]))


def _build_sentence(message: AlertMessage) -> str:
    event_names, window_text = _describe_events(message), _format_window(message.window_minutes)
    is_resolved = message.type == "alert.resolved" and not message.by_hand
    if message.condition == "nodata" and is_resolved:
        return f"{event_names} is arriving again."
    if message.condition == "nodata":
        return f"No {event_names} arrived in the last {window_text}."
    if message.value is None:
        return f"{value_name(message)} has no value over the last {window_text}."
    value_text, threshold_text = _format_numbers(message.value, message.threshold)
    relation = _describe_relation(message.condition, threshold_text, window_text)
    if is_resolved:
        relation = f"no longer {relation}"
    if message.condition in _LEVEL_CONDITIONS:
        return f"{value_name(message)} is {value_text}, {relation}, over the last {window_text}."
    return f"{value_name(message)} is {value_text} over the last {window_text}, {relation}."


def _measure_name(measure_fields: Mapping[str, Any]) -> str:
    measure, property_ = measure_fields["measure"], measure_fields.get("property")
    measure_text = NAME_BY_MEASURE.get(measure, to_single_line(measure)).lower()
    name = f"{', '.join(_list_event_names(measure_fields))} {measure_text}"
    return f"{name} of {to_single_line(property_)}" if property_ else name


def _build_measure_fields(message: AlertMessage) -> Mapping[str, Any]:
    return {"event": message.event, "measure": message.measure, "property": message.property}


def _describe_events(message: AlertMessage) -> str:
    parts = [_build_measure_fields(message)]
    if message.formula is not None:
        parts = [message.formula[name] for name in "abcd" if name in message.formula]
    return " or ".join(dict.fromkeys(name for part in parts for name in _list_event_names(part)))


def _list_event_names(measure_fields: Mapping[str, Any]) -> list[str]:
    event_names = measure_fields.get("events")
    if event_names == "all":
        return ["event"]
    return [to_single_line(name) for name in event_names or [measure_fields["event"]]]


def _format_numbers(value: float, threshold: float | None) -> tuple[str, str]:
    """Write both numbers, with enough digits that different numbers look different."""
    value_text = format_full_number(value)
    threshold_text = "the threshold" if threshold is None else format_full_number(threshold)
    if value_text == threshold_text and value != threshold:
        return str(value).removesuffix(".0"), str(threshold).removesuffix(".0")
    return value_text, threshold_text


def _describe_relation(condition: str, threshold_text: str, window_text: str) -> str:
    match condition:
        case "rises":
            return f"more than {threshold_text}% above the previous {window_text}"
        case "drops":
            return f"more than {threshold_text}% below the previous {window_text}"
        case "anomaly":
            return f"more than {threshold_text} standard deviations from the usual value at this time"
        case _:
            return f"{to_single_line(condition)} {threshold_text}"


def _format_window(minutes: int) -> str:
    if minutes == 1:
        return "minute"
    if minutes >= _MIN_MINUTES_AS_HOURS and minutes % _HOUR_MINUTES == 0:
        return f"{minutes // _HOUR_MINUTES} hours"
    return f"{minutes} minutes"


def _duration_facts(message: AlertMessage) -> tuple[tuple[str, str], ...]:
    """Return how long the incident has lasted; nothing for one that has just begun."""
    if message.type in {"alert.reminder", "alert.nodata"}:
        return (("Firing for", _format_duration(message.fired_at, message.timestamp)),)
    if message.type == "alert.resolved":
        return (("Lasted", _format_duration(message.fired_at, message.resolved_at or message.timestamp)),)
    return ()


def _format_duration(start_iso: str, end_iso: str) -> str:
    """Write a duration with its two largest units."""
    minutes = (_parse_time(end_iso) - _parse_time(start_iso)) // timedelta(minutes=1)
    if minutes < 1:
        return "less than a minute"
    count_by_unit = {
        "day": minutes // _DAY_MINUTES,
        "hour": minutes % _DAY_MINUTES // _HOUR_MINUTES,
        "minute": minutes % _HOUR_MINUTES,
    }
    unit_texts = [
        f"{count} {unit}" if count == 1 else f"{count} {unit}s" for unit, count in count_by_unit.items() if count
    ]
    return " ".join(unit_texts[:2])


def _format_time(iso_text: str) -> str:
    time = _parse_time(iso_text)
    return f"{time.day} {time:%b %Y, %H:%M} UTC"


def _parse_time(iso_text: str) -> datetime:
    return datetime.fromisoformat(iso_text).astimezone(UTC)
