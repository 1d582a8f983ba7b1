"""400: events and bodies that break a rule or are no JSON (rules/events#event). Nothing is kept."""

import json
from typing import Any

import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import refused
from harness.suite.few import few

OK: dict[str, Any] = {"name": "ok", "_actor": "a"}

# What is wrong with one event, and where `details` says so.
WRONG_EVENTS: list[tuple[Any, list[str]]] = [
    ({}, ["name"]),
    ({"properties": {}}, ["name"]),
    ({"_actor": "a"}, ["name"]),
    ({"Name": "x", "name": "x"}, ["Name"]),
    *[({"name": value}, ["name"]) for value in (None, "", 1, 1.5, True, [], ["x"], {})],
    *[(OK | {"properties": value}, ["properties"]) for value in (None, "x", 1, True, [], [{}])],
    *[
        (OK | {field: value}, [field])
        for field in ("_actor", "_actorLabel", "_source", "_timestamp")
        for value in (None, 1, True, [], {})
    ],
    *[
        (OK | {field: "x"}, [field])
        for field in ("id", "timestamp", "actor", "workspaceId", "environment", "_id", "_unknown", "__proto__", "", "é")
    ],
    *[(OK | {"_timestamp": value}, ["_timestamp"]) for value in ("", "yesterday", "2026-11-20", "1700000000")],
    *[(OK | {field: "a\0b"}, [field]) for field in ("name", "_actor", "_actorLabel", "_source")],
]

# Bodies that are no event and no batch, and where `details` says so.
WRONG_BODIES: list[tuple[Any, Any]] = [
    *[(body, []) for body in (None, True, 1, "x", [], [OK])],
    *[({"events": value}, ["events"]) for value in (None, {}, "x", 1, [], OK)],
    *[({"events": [value]}, ["events", 0]) for value in (None, [], "x", 1, True)],
    ({"events": [OK], "name": "x"}, ["name"]),
    ({"events": [OK], "extra": 1}, ["extra"]),
    ({"events": [OK], "properties": {}}, ["properties"]),
    ({"events": [{"events": [OK]}]}, ["events", 0, "name"]),
    ({"Events": [OK]}, ["name"]),
]

NOT_JSON = {
    "nothing": b"",
    "white space": b"  \n",
    "cut off": b'{"name":"x"',
    "two documents": b'{"name":"x"}{"name":"y"}',
    "text behind": b'{"name":"x"} x',
    "trailing comma": b'{"name":"x",}',
    "single quotes": b"{'name':'x'}",
    "comment": b'{"name":"x"/**/}',
    "bare key": b'{name:"x"}',
    "form": b"name=x",
    "not UTF-8": b'{"name":"\xff"}',
    "Latin-1": '{"name":"é"}'.encode("latin-1"),
    "UTF-16": '{"name":"x"}'.encode("utf-16"),
    "surrogate in UTF-8": b'{"name":"\xed\xa0\x80"}',
    "overlong NUL": b'{"name":"\xc0\x80"}',
    "line feed in a string": b'{"name":"a\nb"}',
    "NUL byte in a string": b'{"name":"a\x00b"}',
    "unknown escape": b'{"name":"\\x41"}',
    "name twice": b'{"name":"x","name":"x"}',
    "name twice, once escaped": b'{"name":"x","n\\u0061me":"x"}',
    "_actor twice": b'{"name":"x","_actor":"a","_actor":"b"}',
    "events twice": b'{"events":[{"name":"x"}],"events":[{"name":"x"}]}',
    "name twice in a batch": b'{"events":[{"name":"x"},{"name":"x","name":"y"}]}',
    "half a surrogate pair in a name": b'{"name":"\\ud800"}',
    "surrogates in the wrong order": b'{"name":"\\udc00\\ud800"}',
    "half a surrogate pair in an actor": b'{"name":"x","_actor":"a\\udfff"}',
    "half a surrogate pair in a field": b'{"name":"x","\\ud83d":1}',
}

# Values of a property that are no JSON, or that other programs would read differently.
NOT_JSON_VALUES = {
    **{text: text for text in ("NaN", "-NaN", "Infinity", "-Infinity", "nan", "None", "True", "undefined", "'x'")},
    **{
        text: text for text in ("1e999", "-1e999", "1.0e309", "01", "+1", ".5", "1.", "0x10", "1_000", "1e", "--1", "-")
    },
    "400 digits": "9" * 400,
    "key twice": '{"k":1,"k":1}',
    "key twice, once escaped": '{"k":1,"\\u006b":2}',
    "key twice in a list": '[{"a":1},{"k":1,"k":2}]',
    "half a surrogate pair": '"\\ud800"',
    "half a surrogate pair in a list": '["a",["\\udbff!"]]',
    "half a surrogate pair in a key": '{"\\ud800":1}',
}


def named(cases: list[tuple[Any, Any]]) -> list[Any]:
    return [pytest.param(*case, id=json.dumps(case[0])[:60]) for case in cases]


@few(6, ("event", "path"), named(WRONG_EVENTS))
def test_400_wrong_event(shared: Workspace, event: Any, path: list[str]) -> None:
    body = refused(shared, event, 400)
    assert [detail["path"] for detail in body["details"]] == [path]


@few(4, ("event", "path"), named(WRONG_EVENTS))
def test_400_wrong_event_in_a_batch(shared: Workspace, event: Any, path: list[str]) -> None:
    body = refused(shared, {"events": [OK, OK, event, OK]}, 400)
    assert [detail["path"] for detail in body["details"]] == [["events", 2, *path]]
    assert body["message"].startswith(f"events[2].{path[0]}")


@few(5, ("sent", "path"), named(WRONG_BODIES))
def test_400_wrong_body(shared: Workspace, sent: Any, path: list[str]) -> None:
    body = refused(shared, json.dumps(sent).encode(), 400)
    assert path in [detail["path"] for detail in body["details"]]


@few(4, "sent", NOT_JSON.values(), ids=NOT_JSON)
def test_400_not_json(shared: Workspace, sent: bytes) -> None:
    refused(shared, sent, 400)


@few(4, "value", NOT_JSON_VALUES.values(), ids=NOT_JSON_VALUES)
def test_400_not_json_in_properties(shared: Workspace, value: str) -> None:
    refused(shared, b'{"name":"x","properties":{"p":%s}}' % value.encode(), 400)
    refused(shared, b'{"events":[{"name":"x"},{"name":"x","properties":{"p":[1,%s]}}]}' % value.encode(), 400)


def test_400_property_key_twice(shared: Workspace) -> None:
    refused(shared, b'{"name":"x","properties":{"k":1,"k":1}}', 400)
    refused(shared, b'{"name":"x","properties":{},"properties":{}}', 400)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"k":', "}"), ('[{"k":', "}]")])
def test_400_properties_nested_33_deep(shared: Workspace, opening: str, closing: str) -> None:
    """`properties` itself is the first level."""
    levels = 31 // (opening.count("[") + opening.count("{"))
    rest = "[" * (31 % (opening.count("[") + opening.count("{")))

    def event(more: str) -> bytes:
        start, end = opening * levels + rest + more, closing * levels
        return f'{{"name":"x","properties":{{"p":{start}1{"]" * len(rest + more)}{end}}}}}'.encode()

    assert shared.send(event("")).status_code == 202
    body = refused(shared, event("["), 400)
    assert body["details"][0]["path"] == ["properties"]


@pytest.mark.parametrize("opening", [b"[", b'{"k":'])
def test_400_a_hundred_thousand_levels(shared: Workspace, opening: bytes) -> None:
    refused(shared, b'{"name":"x","properties":{"p":%s' % (opening * 100_000), 400)
    refused(shared, opening * 100_000, 400)


def test_400_names_every_wrong_event_of_a_full_batch(shared: Workspace) -> None:
    """A client that takes out the events that are named has exactly the right ones left."""
    events = [{"name": "x", "_actor": index if index % 3 else "a"} for index in range(500)]
    wrong = [index for index in range(500) if index % 3]
    body = refused(shared, {"events": events}, 400)
    assert [detail["path"] for detail in body["details"]] == [["events", index, "_actor"] for index in wrong]
    right = [event for index, event in enumerate(events) if index not in wrong]
    assert shared.send({"events": right}).json() == {"accepted": len(right)}


def test_400_names_twenty_wrong_fields_and_then_one_of_each_wrong_event(shared: Workspace) -> None:
    events = [{"name": "", "_actor": 1, "_source": 2} for _ in range(100)]
    body = refused(shared, {"events": events}, 400)
    fields = [(index, field) for index in range(7) for field in ("name", "_actor", "_source")][:20]
    fields += [(index, "name") for index in range(7, 100)]
    assert [detail["path"] for detail in body["details"]] == [["events", index, field] for index, field in fields]


def test_400_names_few_fields_of_a_body_and_of_an_event(shared: Workspace) -> None:
    body = refused(shared, {"events": [OK]} | {f"u{number}": 1 for number in range(50)}, 400)
    assert len(body["details"]) == 20
    assert len(refused(shared, {f"u{number}": 1 for number in range(50)}, 400)["details"]) == 20
