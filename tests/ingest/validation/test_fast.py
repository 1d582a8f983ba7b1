"""Whatever the body, the same answer as `parse_exactly`."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.suite.examples import tries
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.validation import fast
from tallyroom.ingest.validation.exact import parse_exactly
from tallyroom.ingest.validation.fast import parse

NOW = 1_795_176_000_000  # 2026-11-20T12:00:00Z

TEXTS = st.text(max_size=6) | st.sampled_from(
    ["", "\0", '":', " :", '{"a":1}', "[[", "2026-11-20T12:00:00Z", "\\", "é"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)
FLAT = st.dictionaries(TEXTS, SCALARS | st.lists(SCALARS, max_size=3), max_size=4)
STAMPS = st.sampled_from(
    ["2026-11-20T12:00:00Z", "20261120T120000.5Z", "2026-11-20", "1969-12-31T23:59:59Z", "", "2030-01-01T00:00Z"]
)

EVENTS = st.fixed_dictionaries(
    {"name": st.text(min_size=1, max_size=8)},
    optional={"properties": FLAT, "_actor": TEXTS, "_actorLabel": TEXTS, "_source": TEXTS, "_timestamp": STAMPS},
)
ODD_EVENTS = st.dictionaries(
    st.sampled_from(["name", "properties", "_actor", "_actorLabel", "_source", "_timestamp", "events", "x"]), VALUES
)
BODIES = (
    EVENTS
    | st.builds(lambda events: {"events": events}, st.lists(EVENTS | ODD_EVENTS, max_size=4))
    | ODD_EVENTS
    | VALUES
)
STYLES = st.sampled_from([(",", ":"), (", ", ": "), (",\n", ":"), (",", " :"), (",", "\t:"), (" ,", ":\r")])

SEEDS = [
    b'{"name":"x","properties":{"a":1,"b":[1,2],"c":"d"},"_actor":"u","_timestamp":"2026-11-20T12:00:00Z"}',
    b'{"events":[{"name":"x","properties":{"a":1.5}},{"name":"y","_actor":"u","_source":"s"}]}',
    b'{"events": [{"name": "x", "properties": {"a": {"b": [true, null]}}, "_actorLabel": "\xc3\xa9"}]}',
]
SNIPPETS = [
    *(bytes([byte]) for byte in b'{}[]",:\\ \t\n\r0-.eE\x00\xff\xc3'),
    b'"a":1,',
    b'"name":"x",',
    b'"\\u0061":2,',
    b'"events":[],',
    b"\\u0000",
    b"\\ud800",
    b"NaN",
    b"1e999",
    b"9" * 309,
    b"[" * 31 + b"]" * 31,
    b'":',
    b" :",
]


def answer(parser: Any, body: bytes) -> Any:
    try:
        return parser(body, NOW)
    except TallyroomError as error:
        error.message.encode()
        return error.status, error.message, error.details


def same(body: bytes) -> Any:
    found = answer(parse_exactly, body)
    assert answer(parse, body) == found
    return found


@given(BODIES, STYLES, st.booleans())
@tries(600)
def test_any_json(document: Any, style: tuple[str, str], ascii_only: bool) -> None:
    same(json.dumps(document, separators=style, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass"))


@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 3), st.sampled_from(SNIPPETS)), max_size=3),
)
@tries(1200)
@example(SEEDS[0], [])
def test_broken_bodies(body: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    for at, cut, put in edits:
        index = at % (len(body) + 1)
        body = body[:index] + put + body[index + cut :]
    same(body)


PLAIN = ["1", "1.10", '"x"', '"a\\":b"', '" :"', '["a","b"]', "true", "null", "[]", '"[{"', '{"k":1}', "{}"]
NESTED = ['{"k":1,"k":2}', '{"k":{"k":1}}', '{"a":{"k":{},"\\u006b":1}}', '[[{"k":1,"k":1}]]', '"{\\"k\\":1}"']
COLONS = st.sampled_from([":", ":", ":", ": ", " :", "\n:"])
PAIRS = st.lists(
    st.tuples(
        st.sampled_from(['"a"', '"a"', '"\\u0061"', '"b"', '"c"', '"\\":"', '""']),
        COLONS,
        st.sampled_from(PLAIN + NESTED),
    ),
    max_size=4,
)
FIELDS = st.lists(
    st.one_of(
        st.tuples(st.just('"properties"'), COLONS, PAIRS.map(lambda pairs: "{" + ",".join(map("".join, pairs)) + "}")),
        st.tuples(
            st.sampled_from(['"_actor"', '"_actorLabel"', '"_source"', '"name"']),
            COLONS,
            st.sampled_from(['"u"', '""']),
        ),
    ),
    max_size=3,
)


@given(st.lists(FIELDS, min_size=1, max_size=3), st.booleans())
@tries(600)
def test_repeated_keys(sent: list[list[tuple[str, str, str]]], batch: bool) -> None:
    events = ["{" + ",".join(['"name":"x"', *map("".join, fields)]) + "}" for fields in sent]
    same(('{"events":[' + ",".join(events) + "]}" if batch else events[0]).encode())


@given(st.binary(max_size=60))
@tries(200)
def test_any_bytes(body: bytes) -> None:
    same(body)


def event(properties: bytes) -> bytes:
    return b'{"name":"x","properties":' + properties + b"}"


@pytest.mark.parametrize(
    "body",
    [
        b'{"name":"x","name":"x"}',
        b'{"name":"","name":"x"}',
        b'{"na\\u006de":"x","name":"y"}',
        b'{"name":"x","_actor":"a","_actor":""}',
        b'{"name":"x","_actor":"","_actor":"a"}',
        b'{"name":"x","_source":"","_source":""}',
        b'{"name":"x","properties":{},"properties":{}}',
        b'{"events":[{"name":"x"}],"events":[{"name":"x"}]}',
        event(b'{"a":1,"a":2}'),
        event(b'{"a":1,"a" :2}'),
        event(b'{"a":1,"a"\n:2}'),
        event(b'{"a":1,"\\u0061":2}'),
        event(b'{"a":[{"b":1,"b":2}]}'),
        event(b'{"a":{"b":1,"b":2}}'),
        event(b'{"a":{"b":{"c":1,"\\u0063":1}},"b":1}'),
        event(b'{"a":{"b":1},"a":{"c":1}}'),
        event(b'{"a":{"b":1e999}}'),
        event(b'{"a":' * 32 + b"{}" + b"}" * 32),
        event(b'{"a":' + b'[{"a":' * 16 + b"1" + b"}]" * 16 + b"}"),
        event(b'{"a":"\\":","b":1,"b" :1}'),
        event(b'{"a":' + b"9" * 309 + b"}"),
        event(b'{"a":' + b"9" * 400 + b"}"),
        event(b'{"pad":"' + b" " * 17 + b'","a":-' + b"9" * 309 + b"}"),
        event(b'{"a":1e999}'),
        event(b'{"a":"\xff"}'),
        event(b'{"a":"\\ud800"}'),
        event(b"{" + b'"a":' + b"[" * 32 + b"]" * 32 + b"}"),
        event(b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}"),
        event(b"null"),
        event(b"[]"),
        b'{"name":"x"}\x0b',
        b'{"name":"x"}\x00',
        b'\x0c{"name":"x"}',
        b'{"name":"\\u0000"}',
        b'{"name":"x","_timestamp":"2026-11-21T12:00:00.001Z"}',
        b'{"name":"x","_timestamp":""}',
        b'{"events":[{"name":"x"}],"name":"x"}',
        b'{"events":[]}',
        b'{"events":[null]}',
        b'{"events":[' + b",".join([b'{"name":"x"}'] * 501) + b"]}",
        event(b'{"a":"' + b"a" * 65_536 + b'"}'),
        b'{"events":[{"name":"x"},' + event(b'{"a":"' + b"a" * 65_536 + b'"}') + b"]}",
    ],
)
def test_traps_are_refused_alike(body: bytes) -> None:
    assert isinstance(same(body), tuple)


@pytest.mark.parametrize(
    "body",
    [
        b'{"name":"x"}',
        b' \n{"name":"x"}\n',
        b'{"name" : "x"}',
        b'{ "events":[{"name":"x"}]}',
        b'{"name":"x","_actor":"","_actorLabel":"","_source":""}',
        event(b'{"a":"\\":"}'),
        event(b'{"a":"\\u0000"}'),
        event(b'{"a":{"b":{"c":[]}}}'),
        event(b'{"a":' * 31 + b"{}" + b"}" * 31),
        event(b'{"a":[' + b",".join([b'{"b":{"a":1}}'] * 40) + b"]}"),
        event(b'{"a":{"b":18446744073709551615,"c":-9223372036854775808}}'),
        event(b'{"a":{"b":18446744073709551616,"c":-9223372036854775809}}'),
        event(b'{\n"a":\t1.10}'),
        event(b'{"a":' + b"1" * 308 + b"}"),
        event(b'{"a":"' + b"1" * 400 + b'"}'),
        event(b'{"a":' + b"[" * 31 + b"]" * 31 + b"}"),
        event(b'{"a":"' + b"[" * 40 + b'"}'),
        event(b'{"a":"' + b"a" * 65_000 + b'"}'),
        b'{"events":[{"name":"x"},' + event(b'{"a":"' + b"\\u00e9" * 12_000 + b'"}') + b"]}",
    ],
)
def test_oddities_are_taken_alike(body: bytes) -> None:
    assert isinstance(same(body), list)


ONE: dict[str, Any] = {
    "name": "x",
    "_actor": "u",
    "_timestamp": "2026-11-20T12:00:00Z",
    "properties": {"a": 1, "b": ["c"]},
}
USUAL: dict[str, dict[str, Any]] = {
    "every field": ONE | {"_actorLabel": "U", "_source": "web", "properties": {"a": "b: c", "d: e": "{f}"}},
    "the name alone": {"name": "x"},
    "empty fields": ONE | {"_actor": "", "_actorLabel": "", "_source": "", "properties": {}},
    "nested properties": ONE | {"properties": {"a": {"b": [{"c": 1}, {"c": {}}]}, "b": {"a": None}}},
    "quotes before spaces": ONE | {"properties": {"a": ' said "no" again', "b": " c"}},
    "long numbers": ONE | {"properties": {"id": 201133927711440896, "ids": "201133927711440896", "ratio": 1 / 3}},
}


@pytest.mark.parametrize("one", USUAL.values(), ids=USUAL)
def test_usual_requests_do_not_need_the_exact_validator(one: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def never(body: bytes, now_ms: int) -> None:
        raise AssertionError("the usual request took the slow way")

    [expected] = parse_exactly(json.dumps(one).encode(), NOW)
    monkeypatch.setattr(fast, "parse_exactly", never)
    assert parse(json.dumps(one).encode() + b"\n", NOW) == [expected]
    for style in ((",", ":"), (", ", ": ")):
        assert len(parse(json.dumps({"events": [one] * 500}, separators=style).encode(), NOW)) == 500
