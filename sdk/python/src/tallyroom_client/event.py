"""Builds an event as the server accepts it, and refuses the others before they are queued."""

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, NamedTuple

from tallyroom_client.limits import (
    MAX_ACTOR_LENGTH,
    MAX_EVENT_BYTES,
    MAX_FUTURE_MS,
    MAX_LABEL_LENGTH,
    MAX_NAME_LENGTH,
    MAX_SOURCE_LENGTH,
)
from tallyroom_client.refusal import EventRefused
from tallyroom_client.timestamps import iso_time
from tallyroom_client.values import find_half_surrogate, plain_object, text_of

Fields = dict[str, Any]
"""An event in the form of the API; without ``_timestamp`` until the queue accepts it."""

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode


class Texts(NamedTuple):
    """The optional texts of an event; an `int` or a `UUID` as actor becomes its text."""

    actor: Any = None
    label: Any = None
    source: Any = None


def build_event(name: Any, texts: Texts, properties: Any, at: datetime | None, now_ms: int) -> Fields:
    """Return the fields of an event; raises `EventRefused`."""
    fields: Fields = {"name": _checked_name(name)}
    actor, label, source = texts
    if actor is not None:
        fields["_actor"] = _checked_text("actor", _actor_text(actor), MAX_ACTOR_LENGTH)
    if label is not None:
        fields["_actorLabel"] = _checked_text("label", label, MAX_LABEL_LENGTH)
    if source is not None:
        fields["_source"] = _checked_text("source", source, MAX_SOURCE_LENGTH)
    if at is not None:
        fields["_timestamp"] = _checked_moment(at, now_ms)
    if properties:
        if not isinstance(properties, Mapping):
            raise EventRefused("properties is not a mapping")
        fields["properties"] = plain_object(properties, "properties")
    return fields


def encode_event(fields: Fields) -> bytes:
    """Return the event as compact JSON; raises `EventRefused`."""
    try:
        event = _encode(fields).encode()
    except UnicodeEncodeError:
        place = next((name for name, value in fields.items() if find_half_surrogate(value, name)), "name")
        path = find_half_surrogate(fields.get(place), place)
        raise EventRefused(f"{path} contains half of a surrogate pair") from None
    if len(event) > MAX_EVENT_BYTES:
        raise EventRefused(f"the event has {len(event)} bytes; an event may have at most {MAX_EVENT_BYTES}")
    return event


def _checked_name(name: Any) -> str:
    text = _checked_text("name", name, MAX_NAME_LENGTH)
    if not text:
        raise EventRefused("name is empty")
    return text


def _checked_text(field: str, value: Any, max_length: int) -> str:
    if type(value) is not str:
        text = text_of(value)
        if text is None:
            raise EventRefused(f"{field} is of the type {type(value).__name__} and not text")
        value = text
    if len(value) > max_length:
        raise EventRefused(f"{field} is longer than {max_length} characters")
    if "\0" in value:
        raise EventRefused(f"{field} contains a NUL character")
    return str(value)


def _actor_text(actor: Any) -> Any:
    return str(actor) if type(actor) is int else actor


def _checked_moment(at: Any, now_ms: int) -> str:
    """A time without a time zone is in UTC, as it is for the server."""
    if not isinstance(at, datetime):
        raise EventRefused("at is not a datetime")
    since_epoch = (at.replace(tzinfo=timezone.utc) if at.utcoffset() is None else at) - EPOCH
    moment_ms = since_epoch.days * 86_400_000 + since_epoch.seconds * 1000 + since_epoch.microseconds // 1000
    if moment_ms < 0:
        raise EventRefused("at is before 1970")
    if moment_ms > now_ms + MAX_FUTURE_MS:
        raise EventRefused("at is more than 24 hours ahead")
    return iso_time(moment_ms)
