"""The authority on valid ingest bodies: complete, in plain Python, with an exact reason for every refusal.

The order (rules/events#order-of-refusal): not JSON, 400; too many or too large events, 413; wrong fields, 400.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from tallyroom.core.errors import Detail, PayloadTooLarge, ValidationFailed, format_path
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
from tallyroom.core.suggestions import did_you_mean
from tallyroom.core.times import iso_ms
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.number_shape import build_shape, find_special_numbers
from tallyroom.ingest.validation.wide_integers import narrow_integers

MAX_DETAILS = 20
"""The most details of a refusal before each further wrong event has only one (rules/events#wrong-events)."""
MAX_SHOWN_KEY_LENGTH = 80

_MAX_LENGTH_BY_FIELD = {"name": MAX_NAME_LENGTH, "_actor": MAX_ACTOR_LENGTH}
_MAX_LENGTH_BY_FIELD |= {"_actorLabel": MAX_LABEL_LENGTH, "_source": MAX_SOURCE_LENGTH}
_EVENT_FIELDS = frozenset({*_MAX_LENGTH_BY_FIELD, "properties", "_timestamp"})

_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB]..\\u....|u....|.)")  # in valid JSON; a surrogate pair counts as one
_HALF_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_LINE_SPACE = re.compile(rb"[\t\n\r]")


class _SentEntry(NamedTuple):
    path: list[str | int]
    value: Any
    raw_json: bytes


class _RawBatch(msgspec.Struct):
    events: list[msgspec.Raw]


class _RawEvent(msgspec.Struct):
    properties: msgspec.Raw = msgspec.Raw(b"{}")


def parse_exactly(body: bytes, now_ms: int) -> list[Event]:
    """Return the events of an inflated body, in order; those without ``_timestamp`` get `now_ms`, the time of receipt.

    Raises `PayloadTooLarge` for too many or too large events, or `ValidationFailed`, which names every wrong event.
    """
    try:
        document = _read_json(body)
        entries = _list_entries(document, body)
        _check_sizes(entries)
        event_problems = [_find_event_problems(entry, now_ms) for entry in entries]
        if details := _choose_details([_find_body_problems(document), *event_problems]):
            raise ValidationFailed.of(details)
        has_long_numbers = find_special_numbers(body, build_shape(body)).has_long_numbers
        return [_build_event(entry, now_ms, has_long_numbers=has_long_numbers) for entry in entries]
    except RecursionError:
        raise ValidationFailed.at([], "is nested too deeply") from None


def _read_json(body: bytes) -> Any:
    """Parse a document as strictly as RFC 8259 and I-JSON. Numbers become floats because only their kind matters."""
    try:
        document = json.loads(
            body.decode(),
            object_pairs_hook=_build_object,
            parse_int=_parse_number,
            parse_float=_parse_number,
            parse_constant=_refuse_constant,
        )
        if _HALF_SURROGATE.search(body):  # only an escape can bring in a lone surrogate, which UTF-8 cannot encode
            json.dumps(document, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise ValidationFailed.at([], f"is not UTF-8 (byte {error.start})") from error
    except UnicodeEncodeError as error:
        raise ValidationFailed.at([], "is not JSON: a string contains half of a surrogate pair") from error
    except ValueError as error:
        raise ValidationFailed.at([], f"is not JSON: {error}") from error
    return document


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        repeated_key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {_shorten(repeated_key)!a} appears twice in one object")
    return members


def _parse_number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {_shorten(text)} is beyond the range of a double")
    return number


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON value")


def _list_entries(document: Any, body: bytes) -> list[_SentEntry]:
    if not isinstance(document, dict):
        return []
    if "events" not in document:
        return [_SentEntry([], document, body.strip())]
    if not isinstance(document["events"], list):
        return []
    raw_events = msgspec.json.decode(body, type=_RawBatch).events
    pairs = zip(document["events"], raw_events, strict=True)
    return [_SentEntry(["events", index], value, bytes(raw_json)) for index, (value, raw_json) in enumerate(pairs)]


def _check_sizes(entries: list[_SentEntry]) -> None:
    if len(entries) > MAX_EVENTS:
        raise PayloadTooLarge(f"events has {len(entries)} events; a request may have at most {MAX_EVENTS}")
    for path, _, raw_json in entries:
        if len(raw_json) > MAX_EVENT_BYTES and (byte_count := _count_compact_bytes(raw_json)) > MAX_EVENT_BYTES:
            raise PayloadTooLarge(
                f"{format_path(path)} is an event of {byte_count} bytes; an event may have at most {MAX_EVENT_BYTES}"
            )


def _count_compact_bytes(raw_json: bytes) -> int:
    """Return the size of `raw_json` without white space and needless escapes. Numbers count as sent."""
    compact = msgspec.json.format(raw_json, indent=-1)
    count_by_escape = Counter(_ESCAPE.findall(compact))
    return len(compact) - sum(count * _count_spared_bytes(escape) for escape, count in count_by_escape.items())


def _count_spared_bytes(escape: bytes) -> int:
    literal = b'"%b"' % escape
    return len(literal) - len(msgspec.json.encode(msgspec.json.decode(literal)))


def _find_body_problems(document: Any) -> Iterator[Detail]:
    if not isinstance(document, dict):
        yield Detail([], 'is neither an event object nor {"events": [...]}')
    elif "events" in document:
        events = document["events"]
        if not isinstance(events, list):
            yield Detail(["events"], "is not a list")
        elif not events:
            yield Detail(["events"], f"is empty; a batch has 1 to {MAX_EVENTS} events")
        yield from (Detail([_shorten(key)], "is an unknown field of a batch") for key in document if key != "events")


def _choose_details(problem_groups: Iterable[Iterator[Detail]]) -> list[Detail]:
    """Return the first problems in order, and beyond `MAX_DETAILS` the first of each group."""
    details: list[Detail] = []
    for problems in problem_groups:
        details += islice(problems, max(MAX_DETAILS - len(details), 1))
    return details


def _find_event_problems(entry: _SentEntry, now_ms: int) -> Iterator[Detail]:
    path, event, _ = entry
    if not isinstance(event, dict):
        yield Detail(path, "is not an object")
        return
    if "name" not in event:
        yield Detail([*path, "name"], "is required")
    for field, value in event.items():
        if reason := _find_field_problem(field, value, now_ms):
            yield Detail([*path, _shorten(field)], reason)


def _find_field_problem(field: str, value: Any, now_ms: int) -> str | None:
    if field not in _EVENT_FIELDS:
        return f"is an unknown field{did_you_mean(field, _EVENT_FIELDS)}"
    if field == "properties":
        return _find_properties_problem(value)
    if not isinstance(value, str):
        return "is not a string"
    if field == "_timestamp":
        return _find_timestamp_problem(value, now_ms)
    return _find_text_problem(field, value)


def _find_text_problem(field: str, value: str) -> str | None:
    if field == "name" and not value:
        return "is empty"
    if len(value) > _MAX_LENGTH_BY_FIELD[field]:
        return f"is longer than {_MAX_LENGTH_BY_FIELD[field]} characters"
    return "contains a NUL character" if "\0" in value else None


def _find_timestamp_problem(value: str, now_ms: int) -> str | None:
    timestamp_ms = parse_timestamp(value)
    if timestamp_ms is None:
        return "is not an ISO 8601 date-time"
    if timestamp_ms < 0:
        return f"is before {iso_ms(0)}"
    if timestamp_ms > now_ms + MAX_FUTURE_MS:
        return f"is more than 24 hours ahead, after {iso_ms(now_ms + MAX_FUTURE_MS)}"
    return None


def _find_properties_problem(value: Any) -> str | None:
    if not isinstance(value, dict):
        return "is not an object"
    nested: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        nested = [inner for outer in nested for inner in _iterate_members(outer) if isinstance(inner, dict | list)]
    return f"is nested deeper than {MAX_DEPTH} levels" if nested else None


def _iterate_members(container: dict[str, Any] | list[Any]) -> Iterator[Any]:
    return iter(container.values() if isinstance(container, dict) else container)


def _build_event(entry: _SentEntry, now_ms: int, *, has_long_numbers: bool) -> Event:
    value = entry.value
    timestamp_ms = parse_timestamp(value["_timestamp"]) if "_timestamp" in value else now_ms
    properties = bytes(msgspec.json.decode(entry.raw_json, type=_RawEvent).properties)
    if _LINE_SPACE.search(properties):
        properties = msgspec.json.format(properties, indent=-1)
    return Event(
        name=value["name"],
        actor=value.get("_actor", ""),
        label=value.get("_actorLabel", ""),
        source=value.get("_source", ""),
        timestamp_ms=now_ms if timestamp_ms is None else timestamp_ms,
        properties=properties,
        narrowed=narrow_integers(properties),
        has_long_numbers=has_long_numbers,
    )


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_KEY_LENGTH else text[:MAX_SHOWN_KEY_LENGTH] + "…"
