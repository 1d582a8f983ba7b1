"""The fast path of validation: accepts bodies that are plainly right and leaves all others to `exact`.

It never refuses a body on its own and never accepts one that `parse_exactly` would refuse. msgspec checks types,
lengths, UTF-8, escapes and the range of a double. The rest is ruled out for the body as a whole:

* Duplicate keys: in the shape of a body (number_shape.py), every key ends in ``":``, so these are at least as many as
  the keys. If they are exactly as many as the distinct keys read, counting every level, then no key occurs twice.
* Nesting: every level opens with a bracket, so there are at least as many brackets as levels.
* Integers beyond the range of a double: they have 309 digits or more in a row.
* NUL: only an escape can produce it.
"""

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from tallyroom.core.event_limits import (
    MAX_ACTOR_LENGTH,
    MAX_DEPTH,
    MAX_EVENT_BYTES,
    MAX_EVENTS,
    MAX_FUTURE_MS,
    MAX_LABEL_LENGTH,
    MAX_NAME_LENGTH,
    MAX_SOURCE_LENGTH,
)
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.exact import parse_exactly
from tallyroom.ingest.validation.number_shape import build_shape, find_special_numbers


class _SentEvent(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """An event as sent; UNSET marks a field that was not sent, as opposed to an empty one."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
    properties: Raw | UnsetType = UNSET
    actor: Annotated[str, Meta(max_length=MAX_ACTOR_LENGTH)] | UnsetType = msgspec.field(default=UNSET, name="_actor")
    label: Annotated[str, Meta(max_length=MAX_LABEL_LENGTH)] | UnsetType = msgspec.field(
        default=UNSET, name="_actorLabel"
    )
    source: Annotated[str, Meta(max_length=MAX_SOURCE_LENGTH)] | UnsetType = msgspec.field(
        default=UNSET, name="_source"
    )
    timestamp: str | UnsetType = msgspec.field(default=UNSET, name="_timestamp")


class _SentBatch(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    events: Annotated[list[_SentEvent], Meta(min_length=1, max_length=MAX_EVENTS)]


_KEY_END: Final = b'":'
_TAB, _LINE_FEED, _RETURN, _BACKSLASH = b"\t\n\r\\"  # as numbers, which `in` finds much faster than bytes

_decode_event = msgspec.json.Decoder(_SentEvent).decode
_decode_batch = msgspec.json.Decoder(_SentBatch).decode
_decode_properties = msgspec.json.Decoder(dict[str, Any]).decode

# The other fields take at most 5,536 bytes: 768 code points of six bytes each (as escapes), a timestamp of fewer than
# 20 decimals, and their names.
_MAX_PLAIN_PROPERTIES_BYTES: Final = MAX_EVENT_BYTES - 5_536
_MAX_PLAIN_EVENT_BYTES: Final = 2 * MAX_EVENT_BYTES


def parse(body: bytes, now_ms: int) -> list[Event]:
    """Return the same result as `parse_exactly`, but faster; raises the same errors."""
    events = parse_plainly(body, now_ms)
    return parse_exactly(body, now_ms) if events is None else events


def parse_plainly(body: bytes, now_ms: int) -> list[Event] | None:
    """Return the events of a body that is plainly right; None if only `parse_exactly` can judge it."""
    try:
        return _parse_plain_events(body.strip(b" \t\n\r"), now_ms)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _parse_plain_events(body: bytes, now_ms: int) -> list[Event] | None:
    shape = build_shape(body)
    has_wide, has_long = find_special_numbers(body, shape)
    is_batch = body.startswith(b'{"events"')
    if has_wide or _needs_exact_parsing(body) or (len(body) > _MAX_PLAIN_EVENT_BYTES and not is_batch):
        return None
    entries = _decode_batch(body).events if is_batch else [_decode_event(body)]
    key_count = int(is_batch)
    max_timestamp_ms = now_ms + MAX_FUTURE_MS
    events: list[Event] = []
    for entry in entries:
        timestamp_ms = now_ms if entry.timestamp is UNSET else parse_timestamp(entry.timestamp)
        if timestamp_ms is None or not 0 <= timestamp_ms <= max_timestamp_ms:
            return None
        properties = b"{}"
        if entry.properties is not UNSET:
            properties = bytes(entry.properties)  # a copy: the Raw would keep the whole body alive
            object_count = properties.count(b"{")
            if object_count + properties.count(b"[") > MAX_DEPTH or len(properties) > _MAX_PLAIN_PROPERTIES_BYTES:
                return None
            members = _decode_properties(properties)
            key_count += 1 + (len(members) if object_count == 1 else _count_keys(members))
        key_count += 5 - (entry.actor, entry.label, entry.source, entry.timestamp).count(UNSET)
        events.append(
            Event(
                entry.name, entry.actor or "", entry.label or "", entry.source or "", timestamp_ms, properties, has_long
            )
        )
    return events if _has_distinct_keys(body, shape, key_count) else None


def _count_keys(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_keys, value.values()))
    return sum(map(_count_keys, value)) if isinstance(value, list) else 0


def _needs_exact_parsing(body: bytes) -> bool:
    return _LINE_FEED in body or _RETURN in body or _TAB in body or (_BACKSLASH in body and b"\\u0000" in body)


def _has_distinct_keys(body: bytes, shape: bytes, distinct_key_count: int) -> bool:
    """Return whether no key can occur twice; a text with a quote before a space needs a second look."""
    if _BACKSLASH not in body and shape.count(_KEY_END) == distinct_key_count:
        return True
    return body.rfind(b" :") < 0 and body.count(_KEY_END) == distinct_key_count
