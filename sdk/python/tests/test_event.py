"""Events are checked as the server checks them, before they are queued (docs/rules/events.md)."""

import json
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Any
from uuid import UUID

import pytest

from tallyroom.core.errors import PayloadTooLarge
from tallyroom.ingest.validation.exact import parse_exactly
from tallyroom_client.event import Texts, build_event, encode_event
from tallyroom_client.refusal import EventRefused

NOW_MS = 1_795_176_000_000


class Color(Enum):
    RED = "red"
    BLUE = 2


class Text(str, Enum):
    A = "a"


class Number(IntEnum):
    ONE = 1


def encoded(name: Any = "x", properties: Any = None, at: Any = None, **texts: Any) -> bytes:
    return encode_event(build_event(name, Texts(**texts), properties, at, NOW_MS))


def naive(*parts: int) -> datetime:
    return datetime(*parts)  # type: ignore[arg-type] # noqa: DTZ001 # what a program has that knows no time zones


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def listed(levels: int) -> dict[str, Any]:
    value: Any = []
    for _ in range(levels - 2):
        value = [value]
    return {"a": value}


GOOD: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"name": "x" * 128}, {"name": "x" * 128}),
    ({"actor": "😀" * 256, "label": "l", "source": "s" * 128}, {"name": "x", "_actor": "😀" * 256, "_actorLabel": "l", "_source": "s" * 128}),
    ({"actor": 17}, {"name": "x", "_actor": "17"}),
    ({"actor": UUID(int=1)}, {"name": "x", "_actor": str(UUID(int=1))}),
    ({"actor": ""}, {"name": "x", "_actor": ""}),
    ({"properties": {}}, {"name": "x"}),
    ({"properties": {"a": 2**53 + 1, "b": -(2**64), "c": 1.5, "d": None, "e": True}}, {"name": "x", "properties": {"a": 2**53 + 1, "b": -(2**64), "c": 1.5, "d": None, "e": True}}),
    ({"properties": {"a": [1, (2, "b"), {"c": []}]}}, {"name": "x", "properties": {"a": [1, [2, "b"], {"c": []}]}}),
    ({"properties": {"a": Decimal("0.10"), "b": UUID(int=2), "c": Color.RED, "d": Color.BLUE, "e": Text.A, "f": Number.ONE}}, {"name": "x", "properties": {"a": "0.10", "b": str(UUID(int=2)), "c": "red", "d": "BLUE", "e": "a", "f": "ONE"}}),
    ({"properties": {"a": datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)}}, {"name": "x", "properties": {"a": "2026-01-02T03:04:05+00:00"}}),
    ({"properties": {Text.A: "\0\n"}}, {"name": "x", "properties": {"a": "\0\n"}}),
    ({"properties": nested(32)}, {"name": "x", "properties": nested(32)}),
    ({"properties": listed(32)}, {"name": "x", "properties": listed(32)}),
    ({"at": naive(2026, 1, 2, 3, 4, 5, 678_999)}, {"name": "x", "_timestamp": "2026-01-02T03:04:05.678Z"}),
    ({"at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=2)))}, {"name": "x", "_timestamp": "2026-01-02T01:04:05.000Z"}),
]  # fmt: skip # a case is a line

BAD: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "name is empty"),
    ({"name": "x" * 129}, "name is longer than 128 characters"),
    ({"name": 7}, "name is of the type int and not text"),
    ({"name": "a\0"}, "name contains a NUL character"),
    ({"name": "\ud800"}, "name contains half of a surrogate pair"),
    ({"actor": "x" * 257}, "actor is longer than 256 characters"),
    ({"actor": True}, "actor is of the type bool and not text"),
    ({"label": 7}, "label is of the type int and not text"),
    ({"source": "x" * 129}, "source is longer than 128 characters"),
    ({"properties": [1]}, "properties is not a mapping"),
    ({"properties": {"a": {"b": [1, {"c": object()}]}}}, "properties.a.b[1].c is of the type object, which JSON does not have"),
    ({"properties": {"a": b"secret"}}, "properties.a is of the type bytes, which JSON does not have"),
    ({"properties": {"a": {1}}}, "properties.a is of the type set, which JSON does not have"),
    ({"properties": {"a": {7: 1}}}, "properties.a has a key of the type int; keys are text"),
    ({"properties": {"a": float("nan")}}, "properties.a is not a finite number"),
    ({"properties": {"a": [float("-inf")]}}, "properties.a[0] is not a finite number"),
    ({"properties": {"a": 10**309}}, "properties.a is a number beyond the range of a double"),
    ({"properties": {"a": ["ok", {"b": "\udc00"}]}}, "properties.a[1].b contains half of a surrogate pair"),
    ({"properties": {"a": "x" * 65_536}}, "the event has 65570 bytes; an event may have at most 65536"),
    ({"at": "2026-01-02"}, "at is not a datetime"),
    ({"at": naive(1969, 12, 31, 23, 59, 59)}, "at is before 1970"),
    ({"at": naive(2026, 11, 21, 12, 0, 1)}, "at is more than 24 hours ahead"),
]  # fmt: skip # a case is a line


@pytest.mark.parametrize(("fields", "event"), GOOD)
def test_what_the_client_accepts_is_what_the_server_accepts(fields: dict[str, Any], event: dict[str, Any]) -> None:
    body = encoded(**fields)
    assert json.loads(body) == event
    assert len(parse_exactly(body, NOW_MS)) == 1


@pytest.mark.parametrize(("fields", "message"), BAD)
def test_a_wrong_event_is_refused_with_its_path(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(EventRefused) as caught:
        encoded(**fields)
    assert str(caught.value) == message


@pytest.mark.parametrize("levels", [33, 100, 100_000])
def test_deep_values_are_refused(levels: int) -> None:
    for value in (nested(levels), listed(levels)):
        with pytest.raises(EventRefused, match="nested deeper than 32 levels"):
            encoded(properties=value)


def test_a_value_that_contains_itself_is_refused() -> None:
    circle: list[Any] = []
    circle += [circle, circle]
    with pytest.raises(EventRefused, match="nested deeper"):
        encoded(properties={"a": circle})


@pytest.mark.parametrize("text", ["x", "é", "😀", "\n", '"', "\x7f", "\u2028"])
def test_the_largest_event_is_the_servers(text: str) -> None:
    size = len(encoded(properties={"a": text * 1000}))
    count = 1000 + (65_536 - size) // (len(json.dumps(text, ensure_ascii=False).encode()) - 2)
    parse_exactly(encoded(properties={"a": text * count}), NOW_MS)
    with pytest.raises(EventRefused, match="may have at most 65536"):
        encoded(properties={"a": text * (count + 1)})
    with pytest.raises(PayloadTooLarge):
        parse_exactly(json.dumps({"name": "x", "properties": {"a": text * (count + 1)}}).encode(), NOW_MS)
