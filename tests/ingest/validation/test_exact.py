"""Every rule of the event, each with its word."""

import json
from typing import Any

import msgspec
import pytest

from tallyroom.core.errors import PayloadTooLarge, ValidationFailed
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.exact import parse_exactly

NOW = 1_795_176_000_000  # 2026-11-20T12:00:00Z


def refusal(body: bytes | dict[str, Any]) -> ValidationFailed:
    with pytest.raises(ValidationFailed) as caught:
        parse_exactly(body if isinstance(body, bytes) else json.dumps(body).encode(), NOW)
    return caught.value


def too_large(body: bytes) -> str:
    with pytest.raises(PayloadTooLarge) as caught:
        parse_exactly(body, NOW)
    return caught.value.message


def properties_of(sent: bytes) -> bytes:
    return parse_exactly(b'{"name":"x","properties":' + sent + b"}", NOW)[0].properties


def test_a_single_event() -> None:
    body = {
        "name": "order_paid",
        "properties": {"total": 9.5},
        "_actor": "u1",
        "_actorLabel": "Ülla",
        "_source": "shop",
        "_timestamp": "2026-11-20T11:00:00.5Z",
    }
    assert parse_exactly(json.dumps(body).encode(), NOW) == [
        Event("order_paid", "u1", "Ülla", "shop", NOW - 3_600_000 + 500, b'{"total": 9.5}')
    ]


def test_the_least_event() -> None:
    assert parse_exactly(b'{"name":"x"}', NOW) == [Event("x", "", "", "", NOW, b"{}")]


def test_empty_optional_texts_are_absent() -> None:
    assert parse_exactly(b'{"name":"x","_actor":"","_actorLabel":"","_source":""}', NOW) == [
        Event("x", "", "", "", NOW, b"{}")
    ]


def test_a_batch_keeps_its_order() -> None:
    events = parse_exactly(b' {"events": [{"name":"a"}, {"name":"b","properties":{"k":[1]}}, {"name":"c"}]}\n', NOW)
    assert [(event.name, event.properties) for event in events] == [("a", b"{}"), ("b", b'{"k":[1]}'), ("c", b"{}")]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b"{}", b"{}"),
        (b'{"a":1.10,"b":1e5,"c":18446744073709551616,"d":-0}', b'{"a":1.10,"b":1e5,"c":18446744073709551616,"d":-0}'),
        (b'{"a" : "\\u00e9\\/\\n"}', b'{"a" : "\\u00e9\\/\\n"}'),
        ('{"ключ":"\u2028😀"}'.encode(), '{"ключ":"\u2028😀"}'.encode()),
        (b'{\n\t"a": [1.10,\r\n "b  c"]\n}', b'{"a":[1.10,"b  c"]}'),
        (b'{"a\\u0000":"\\u0000"}', b'{"a\\u0000":"\\u0000"}'),
        (b'{"big":1' + b"0" * 308 + b"}", b'{"big":1' + b"0" * 308 + b"}"),
    ],
)
def test_properties_are_kept_as_sent_on_one_line(sent: bytes, kept: bytes) -> None:
    assert properties_of(sent) == kept


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b'{"name":"x"',
        b'{"name":"x"}}',
        b'{"name":"x"} x',
        b'{"name":"x",}',
        b"{'name':'x'}",
        b'\xef\xbb\xbf{"name":"x"}',
        '{"name":"x"}'.encode("utf-16"),
        b'{"name":"\xff"}',
        b'{"name":"\xed\xa0\x80"}',
        b'{"name":"a\nb"}',
        b'{"name":"a\x00b"}',
        b'{"name":"\\ud800"}',
        b'{"name":"\\udc00\\ud800"}',
        b'{"name":"x","properties":{"\\ud83d":1}}',
        b'{"name":"x","properties":{"a":["\\ud83dx"]}}',
        b'{"name":"x","properties":{"a":NaN}}',
        b'{"name":"x","properties":{"a":Infinity}}',
        b'{"name":"x","properties":{"a":-Infinity}}',
        b'{"name":"x","properties":{"a":1e999}}',
        b'{"name":"x","properties":{"a":-1e999}}',
        b'{"name":"x","properties":{"a":' + b"9" * 400 + b"}}",
        b'{"name":"x","properties":{"a":' + b"9" * 5000 + b"}}",
        b'{"name":"x","properties":{"a":01}}',
        b'{"name":"x","properties":{"a":1.}}',
        b'{"name":"x","name":"x"}',
        b'{"name":"x","na\\u006de":"x"}',
        b'{"name":"x","properties":{"a":1,"a":1}}',
        b'{"name":"x","properties":{"a":1,"\\u0061":1}}',
        b'{"name":"x","properties":{"a":[{"b":1,"b":2}]}}',
        b'{"name":"x","properties":{"\\ud800":1,"\\ud800":2}}',
        b'{"events":[{"name":"x"}],"events":[{"name":"x"}]}',
        b'{"name":"x","properties":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 1_000_000,
        b'{"a":' * 300_000,
    ],
)
def test_what_is_not_strict_json_is_refused_as_a_whole(body: bytes) -> None:
    error = refusal(body)
    assert [detail.path for detail in error.details] == [[]]
    assert error.message.startswith("body is n")
    error.message.encode()


@pytest.mark.parametrize("body", [b"[]", b'"x"', b"1", b"null", b"true", b'[{"name":"x"}]'])
def test_the_body_is_an_object(body: bytes) -> None:
    assert refusal(body).details[0].path == []


@pytest.mark.parametrize(
    ("event", "path", "reason"),
    [
        ({}, ["name"], "is required"),
        ({"name": ""}, ["name"], "is empty"),
        ({"name": None}, ["name"], "is not a string"),
        ({"name": 7}, ["name"], "is not a string"),
        ({"name": "n" * 129}, ["name"], "is longer than 128 characters"),
        ({"name": "a\0"}, ["name"], "contains a NUL character"),
        ({"name": "x", "_actor": None}, ["_actor"], "is not a string"),
        ({"name": "x", "_actor": "a" * 257}, ["_actor"], "is longer than 256 characters"),
        ({"name": "x", "_actor": "\0"}, ["_actor"], "contains a NUL character"),
        ({"name": "x", "_actorLabel": []}, ["_actorLabel"], "is not a string"),
        ({"name": "x", "_actorLabel": "a" * 257}, ["_actorLabel"], "is longer than 256 characters"),
        ({"name": "x", "_actorLabel": "\0"}, ["_actorLabel"], "contains a NUL character"),
        ({"name": "x", "_source": True}, ["_source"], "is not a string"),
        ({"name": "x", "_source": "a" * 129}, ["_source"], "is longer than 128 characters"),
        ({"name": "x", "_source": "\0"}, ["_source"], "contains a NUL character"),
        ({"name": "x", "_timestamp": 1}, ["_timestamp"], "is not a string"),
        ({"name": "x", "_timestamp": None}, ["_timestamp"], "is not a string"),
        ({"name": "x", "_timestamp": ""}, ["_timestamp"], "is not an ISO 8601 date-time"),
        ({"name": "x", "_timestamp": "2026-11-20"}, ["_timestamp"], "is not an ISO 8601 date-time"),
        (
            {"name": "x", "_timestamp": "1969-12-31T23:59:59.9999Z"},
            ["_timestamp"],
            "is before 1970-01-01T00:00:00.000Z",
        ),
        (
            {"name": "x", "_timestamp": "2026-11-21T12:00:00.001Z"},
            ["_timestamp"],
            "is more than 24 hours ahead, after 2026-11-21T12:00:00.000Z",
        ),
        ({"name": "x", "properties": None}, ["properties"], "is not an object"),
        ({"name": "x", "properties": []}, ["properties"], "is not an object"),
        ({"name": "x", "properties": "{}"}, ["properties"], "is not an object"),
        ({"name": "x", "userId": 1}, ["userId"], "is an unknown field; did you mean _actor?"),
        ({"name": "x", "_group": "g"}, ["_group"], "is an unknown field"),
        ({"name": "x", "Name": "g"}, ["Name"], "is an unknown field; did you mean name?"),
        ({"name": "x", "k" * 1000: "g"}, ["k" * 80 + "…"], "is an unknown field"),
    ],
)
def test_a_wrong_field_is_named(event: dict[str, Any], path: list[str], reason: str) -> None:
    single = refusal(event)
    assert [(detail.path, detail.message) for detail in single.details] == [(path, reason)]
    batch = refusal({"events": [{"name": "fine"}, event]})
    assert [(detail.path, detail.message) for detail in batch.details] == [(["events", 1, *path], reason)]


def test_the_message_tells_the_first_problem() -> None:
    error = refusal({"events": [{"name": "x"}, {"name": "x", "_timestamp": "soon"}, {}]})
    assert error.message == "events[1]._timestamp is not an ISO 8601 date-time"
    assert len(error.details) == 2


@pytest.mark.parametrize(
    "event",
    [
        {"name": "😀" * 128},
        {"name": "x", "_actor": "é" * 256, "_actorLabel": "é" * 256, "_source": "é" * 128},
        {"name": "x", "_timestamp": "1970-01-01T00:00:00Z"},
        {"name": "x", "_timestamp": "2026-11-21T12:00:00.000999Z"},
        {"name": "x", "properties": {"": "", "name": None, "events": True}},
    ],
)
def test_the_limits_themselves_are_allowed(event: dict[str, Any]) -> None:
    assert len(parse_exactly(json.dumps(event).encode(), NOW)) == 1


def test_properties_nest_32_levels_deep() -> None:
    for opening, closing in (("[", "]"), ('{"k":', "}")):
        inner = opening + ("1" if closing == "}" else "") + closing
        assert properties_of(('{"a":' + opening * 30 + inner + closing * 30 + "}").encode())
        with pytest.raises(ValidationFailed, match="properties is nested deeper than 32 levels"):
            properties_of(('{"a":' + opening * 31 + inner + closing * 31 + "}").encode())


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({"events": []}, [["events"]]),
        ({"events": None}, [["events"]]),
        ({"events": {}}, [["events"]]),
        ({"events": [{"name": "x"}], "name": "x"}, [["name"]]),
        ({"events": 1, "environment": "x"}, [["events"], ["environment"]]),
        ({"events": [1, None, []]}, [["events", 0], ["events", 1], ["events", 2]]),
        ({"events": [{"events": [{"name": "x"}]}]}, [["events", 0, "name"], ["events", 0, "events"]]),
    ],
)
def test_a_batch_is_exactly_a_list_of_events(body: dict[str, Any], paths: list[list[str | int]]) -> None:
    assert [detail.path for detail in refusal(body).details] == paths


def test_every_wrong_event_is_told() -> None:
    wrong = refusal({"events": [{} for _ in range(500)]})
    assert [detail.path for detail in wrong.details] == [["events", index, "name"] for index in range(500)]


def test_an_event_has_at_most_20_problems_and_one_if_there_are_many() -> None:
    fields = {f"u{number}": 1 for number in range(30)}
    wrong = refusal({"events": [{"name": "x"} | fields, {"name": "x"}, {"name": "x"} | fields]})
    assert [detail.path[1] for detail in wrong.details] == [0] * 20 + [2]


def test_500_events_and_no_more() -> None:
    assert len(parse_exactly(json.dumps({"events": [{"name": "x"}] * 500}).encode(), NOW)) == 500
    assert "501 events" in too_large(json.dumps({"events": [{"name": "x"}] * 501}).encode())


def test_the_size_of_an_event_ignores_white_space_and_escapes() -> None:
    frame = len('{"name":"x","properties":{"a":""}}')
    fits = 'é"\x01' * 6550 + "a" * (65_536 - frame - 6550 * 10)
    for ascii_only in (True, False):
        event = {"name": "x", "properties": {"a": fits}}
        assert parse_exactly(json.dumps(event, indent=8, ensure_ascii=ascii_only).encode(), NOW)
        event = {"name": "x", "properties": {"a": fits + "a"}}
        assert "65537 bytes" in too_large(json.dumps(event, ensure_ascii=ascii_only).encode())
    batch = {"events": [{"name": "x"}, {"name": "x", "properties": {"a": "a" * 65_536}}]}
    assert too_large(json.dumps(batch).encode()).startswith("events[1] is an event of")


@pytest.mark.parametrize("character", ["a", "é", "日", "😀", '"', "\\", "/", "\x01", "\n", "\x7f", "\u2028"])
@pytest.mark.parametrize("escape", [r"\u{:04x}", r"\u{:04X}"])
def test_an_escape_counts_as_the_character_that_it_is(character: str, escape: str) -> None:
    """However it is escaped, it is as long as where it is not, and looked at once however often it stands there."""
    units = character.encode("utf-16-be")
    escaped = "".join(escape.format(int.from_bytes(units[at : at + 2])) for at in range(0, len(units), 2))
    body = '{"name":"x","properties":{"a":"%s"}}'
    size = len(msgspec.json.encode({"name": "x", "properties": {"a": character * 24_000}}))
    rest = max(65_536 - size, 0) + 1
    assert f"event of {size + rest} bytes" in too_large((body % (escaped * 24_000 + "a" * rest)).encode())


def test_the_order_of_refusal() -> None:
    assert "501" in too_large(json.dumps({"events": [{"unknown": 1}] * 501, "other": 1}).encode())
    assert "bytes" in too_large(json.dumps({"events": [{}, {"unknown": "a" * 70_000}]}).encode())
    refusal(json.dumps({"events": [{"unknown": "a" * 70_000}]}).encode() + b"x")
