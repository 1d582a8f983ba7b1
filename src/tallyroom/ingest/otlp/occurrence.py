"""An event from OpenTelemetry, before it has a sequence number (rules/events#otlp-events)."""

from typing import Any

import msgspec

from tallyroom.core.event_limits import MAX_ACTOR_LENGTH, MAX_FUTURE_MS, MAX_NAME_LENGTH, MAX_SOURCE_LENGTH
from tallyroom.ingest.otlp.attributes import Properties, format_text

_NS_PER_MS = 1_000_000
_ACTOR_KEYS = ("enduser.id", "user.id")


class Occurrence(msgspec.Struct, frozen=True, gc=False):
    """An event within the limits of an event (rules/events#event); `actor` and `source` may be ""."""

    name: str
    actor: str
    source: str
    timestamp_ms: int
    properties: Properties


def build_occurrence(
    name: str, default_name: str, time_ns: int, received_ms: int, properties: Properties, default_actor: str = ""
) -> Occurrence:
    """Return an event, cut to its limits; extends `properties`. `received_ms` replaces an unknown or future time."""
    timestamp_ms = time_ns // _NS_PER_MS
    if not 0 < timestamp_ms <= received_ms + MAX_FUTURE_MS:
        if timestamp_ms:
            properties["otel.time_unix_nano"] = str(time_ns)
        timestamp_ms = received_ms
    event_name = _cut_text(name, MAX_NAME_LENGTH) or default_name
    if event_name != name and name:
        properties["otel.name"] = name
    event_actor = _find_actor(properties) or default_actor
    source = _cut_text(properties.get("service.name", ""), MAX_SOURCE_LENGTH)
    return Occurrence(event_name, event_actor, source, timestamp_ms, properties)


def _find_actor(properties: Properties) -> str:
    """Return the end user in the properties; "" for none."""
    for key in _ACTOR_KEYS:
        if (value := properties.get(key)) and (actor := _cut_text(value, MAX_ACTOR_LENGTH)):
            return actor
    return ""


def _cut_text(value: Any, max_length: int) -> str:
    text = value if isinstance(value, str) else format_text(value)
    if "\0" in text:
        text = text.replace("\0", "")
    return text if len(text) <= max_length else text[:max_length]
