"""What a message of an alert says in words, the same for every type of channel (rules/alerts#what-a-message-says)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from tallyroom.alerts.channel_types.escaping import flat
from tallyroom.alerts.channel_types.message import AlertMessage, MessageType
from tallyroom.images.charts.full_numbers import full_number

_HEADLINES: Final[dict[MessageType, str]] = {
    "alert.fired": "Fired",
    "alert.reminder": "Still firing",
    "alert.nodata": "No data",
    "alert.resolved": "Resolved",
    "test": "Test",
}
_MEASURES: Final = {
    "avg": "average",
    "min": "minimum",
    "max": "maximum",
    "uniq": "distinct count",
    "uniq_actors": "actor count",
    "p95": "95th percentile",
    "p99": "99th percentile",
}
_PART: Final = re.compile(r"[a-d]")
_COMPARISONS: Final = {"above", "below"}
_HOUR = 60
_DAY = 24 * _HOUR
_MIN_HOURS = 2 * _HOUR


class Wording(NamedTuple):
    """A message in words, each part one line of plain text that nobody has escaped yet.

    Attributes:
        headline: what happened to which alert.
        sentence: the value, and how it compares with the threshold.
        facts: more facts, each with its name.
    """

    headline: str
    sentence: str
    facts: tuple[tuple[str, str], ...]


def worded(message: AlertMessage) -> Wording:
    """Put a message into words."""
    name = flat(message.name) or "an alert without a name"
    sentence = _sentence(message)
    if message.by_hand:
        sentence = f"The incident was resolved by hand. {sentence}"
    if message.type == "alert.nodata":
        sentence = f"{sentence} The incident stays open."
    if message.type == "test":
        sentence = f"This is a test, and nothing has happened. An alert would say: {sentence}"
    facts = (
        ("Severity", message.severity.capitalize()),
        ("Environment", flat(message.environment)),
        ("Fired at", _moment(message.fired_at)),
        *([] if message.no_data_since is None else [("No data since", _moment(message.no_data_since))]),
        *_lasting(message),
    )
    return Wording(f"{_HEADLINES[message.type]}: {name}", sentence, facts)


def value_name(message: AlertMessage) -> str:
    """Name the value that the alert looks at, as in "signup count", "page.viewed average of ms" or "x count / 60"."""
    if message.formula is None:
        return _measure_name(_single(message))
    parts = message.formula
    return _PART.sub(lambda name: _measure_name(parts[name[0]]), flat(parts["expression"]))


def _sentence(message: AlertMessage) -> str:
    event, window = _events(message), _window(message.window_minutes)
    is_resolved = message.type == "alert.resolved" and not message.by_hand
    if message.condition == "nodata":
        return f"{event} arrives again." if is_resolved else f"No {event} arrived in the last {window}."
    if message.value is None:
        return f"{value_name(message)} has no value over the last {window}."
    value, threshold = _numbers(message.value, message.threshold)
    relation = ("no longer " if is_resolved else "") + _relation(message.condition, threshold, window)
    if message.condition in _COMPARISONS:
        return f"{value_name(message)} is {value}, {relation}, over the last {window}."
    return f"{value_name(message)} is {value} over the last {window}, {relation}."


def _measure_name(of: Mapping[str, Any]) -> str:
    """Name a measure, or a part of a formula."""
    measure, property_ = of["measure"], of.get("property")
    name = f"{', '.join(_names(of))} {_MEASURES.get(measure, flat(measure))}"
    return f"{name} of {flat(property_)}" if property_ else name


def _single(message: AlertMessage) -> Mapping[str, Any]:
    return {"event": message.event, "measure": message.measure, "property": message.property}


def _events(message: AlertMessage) -> str:
    """Name the events that the alert looks at."""
    parts = (
        [_single(message)]
        if message.formula is None
        else [message.formula[name] for name in "abcd" if name in message.formula]
    )
    return " or ".join(dict.fromkeys(name for part in parts for name in _names(part)))


def _names(of: Mapping[str, Any]) -> list[str]:
    """Return the names of the events of a part."""
    events = of.get("events")
    if events == "all":
        return ["event"]
    return [flat(name) for name in events or [of["event"]]]


def _numbers(value: float, threshold: float | None) -> tuple[str, str]:
    """Write both numbers, and so exactly that numbers that differ look different."""
    number = full_number(value)
    bound = "the threshold" if threshold is None else full_number(threshold)
    if number == bound and value != threshold:
        return str(value).removesuffix(".0"), str(threshold).removesuffix(".0")
    return number, bound


def _relation(condition: str, threshold: str, window: str) -> str:
    match condition:
        case "rises":
            return f"more than {threshold}% above the {window} before"
        case "drops":
            return f"more than {threshold}% below the {window} before"
        case "anomaly":
            return f"more than {threshold} standard deviations from what is usual at this time"
        case _:
            return f"{flat(condition)} {threshold}"


def _window(minutes: int) -> str:
    if minutes == 1:
        return "minute"
    if minutes >= _MIN_HOURS and minutes % _HOUR == 0:
        return f"{minutes // _HOUR} hours"
    return f"{minutes} minutes"


def _lasting(message: AlertMessage) -> tuple[tuple[str, str], ...]:
    """Return for how long the incident has lasted; nothing for one that has just begun."""
    if message.type in {"alert.reminder", "alert.nodata"}:
        return (("Firing for", _duration(message.fired_at, message.timestamp)),)
    if message.type == "alert.resolved":
        return (("Lasted", _duration(message.fired_at, message.resolved_at or message.timestamp)),)
    return ()


def _duration(begins: str, ends: str) -> str:
    """Write a duration with its two largest units."""
    minutes = (_read(ends) - _read(begins)) // timedelta(minutes=1)
    if minutes < 1:
        return "less than a minute"
    counts = {"day": minutes // _DAY, "hour": minutes % _DAY // _HOUR, "minute": minutes % _HOUR}
    units = [f"{count} {unit}" if count == 1 else f"{count} {unit}s" for unit, count in counts.items() if count]
    return " ".join(units[:2])


def _moment(text: str) -> str:
    moment = _read(text)
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"


def _read(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
