"""The typed maps of properties are what a plain reading says (docs/decisions/0004, rules/events#kinds-of-values)."""

import json
import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from harness.suite.few import few
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.validation.fast import parse

MAPS = "SELECT properties, strings, texts, numbers, lists FROM events WHERE {scope} ORDER BY seq"

# Numbers of any size are doubles here, as in the store; `-0` and `0` are equal.
plain = json.JSONDecoder(parse_int=float).decode


def kind(value: Any) -> str | None:
    """The map that a value goes to; None for what is absent."""
    if value is None:
        return None
    if isinstance(value, list):
        return "lists" if any(element is not None for element in value) else None
    return {str: "strings", bool: "texts", dict: "texts", float: "numbers"}[type(value)]


def expected(text: str) -> dict[str, dict[str, Any]]:
    maps: dict[str, dict[str, Any]] = {"strings": {}, "texts": {}, "numbers": {}, "lists": {}}
    for key, value in plain(text).items():
        if name := kind(value):
            maps[name][key] = [e for e in value if e is not None] if name == "lists" else value
    return maps


def stored(row: list[Any], text: str) -> dict[str, dict[str, Any]]:
    """The maps as values: what is kept as text is read as JSON, except where a string was sent."""
    sent = plain(text)
    _, strings, texts, numbers, lists = row
    return {
        "strings": strings,
        "texts": {key: plain(value) for key, value in texts.items()},
        "numbers": {key: float(value) for key, value in numbers.items()},
        "lists": {key: elements(value, sent[key]) for key, value in lists.items()},
    }


def elements(texts: list[str], sent: list[Any]) -> list[Any]:
    values = [value for value in sent if value is not None]
    assert len(texts) == len(values)
    return [text if isinstance(value, str) else plain(text) for text, value in zip(texts, values, strict=True)]


def check(event_store: EventStore, texts: list[str], alike: Callable[[Any, Any], bool] = operator.eq) -> None:
    """Insert property objects and compare each row with its text."""
    scope = fresh_scope()
    event_store.insert([event(scope, properties=text.encode()) for text in texts])
    rows = event_store.select(MAPS, scope)
    assert [row[0] for row in rows] == texts
    for row, text in zip(rows, texts, strict=True):
        assert alike(stored(row, text), expected(text)), text


VALUES = [
    *("0", "-0", "-0.0", "1", "-1", "0.1", "1.10", "1E5", "1e-7", "5e-324"),
    *("9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
    *("18446744073709551615", "18446744073709551616", "1e308", "1.7976931348623157e308", "-1e308", "1e-400"),
    *('""', '" "', '"42"', '"true"', '"null"', '"[1]"', '"{}"', '"2026-11-20"', '"2026-11-20T12:00:00Z"', '"-1"'),
    *(r'"\u00e9"', r'"\/"', r'"\ud83d\ude00"', r'"\"\\\b\f\n\r\t"', r'"a\u0000b"', r'"\u0000"', r'"\u2028\u0085"'),
    *('"é😀"', '"/"', '"\x7f"', '"' + "x" * 60_000 + '"'),
    *("true", "false", "null", "{}", '{"a":{"b":[1,{"c":null}]},"d":"é"}', '{"a": 1.10, "b" : "x"}', '{"":""}'),
    *("[]", "[null]", "[null,null]", '[""]', '["a",null,"b"]', "[true,false]", '[1,0.1,"1"]', "[[1,2],[]]", "[{}]"),
    *('[{"a":"é"},"x"]', r'["\u00e9","\/","\u0000"]', "[18446744073709551616]", '[ 1 , "a" ]', '["null",null]'),
]


@few(4, "value", VALUES, ids=lambda value: value[:30])
def test_each_kind_of_value_goes_where_it_belongs(event_store: EventStore, value: str) -> None:
    check(event_store, [f'{{"k":{value}}}'])


def test_a_number_keeps_its_last_bit(event_store: EventStore) -> None:
    check(event_store, ['{"k":123456789.123456789}', '{"k":0.30000000000000004}', '{"k":2607024.711874578}'])


def test_any_key_is_a_key(event_store: EventStore) -> None:
    keys = [
        "",
        " ",
        "a.b",
        "a.b.c",
        ".",
        "é",
        "😀",
        "k" * 5000,
        "_actor",
        "it's",
        '"',
        "\\",
        "\n",
        "$x",
        "[0]",
        "*",
        "1",
    ]
    check(event_store, [json.dumps({key: value}) for key in keys for value in ("s", 1, True, ["x"])])


def test_dotted_and_nested_keys_are_two_things(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, properties=b'{"a.b":"dotted","a":{"b":"nested"}}')])
    assert event_store.select(MAPS, scope)[0][1:3] == [{"a.b": "dotted"}, {"a": '{"b":"nested"}'}]


def test_booleans_and_objects_read_as_compact_text(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert(
        [event(scope, properties=b'{"t":true,"f":false,"o":{ "a" : [ 1, "x y" ] },"l":[true,{ "b" : 2 }]}')]
    )
    [[_, _, texts, _, lists]] = event_store.select(MAPS, scope)
    assert texts == {"t": "true", "f": "false", "o": '{"a":[1,"x y"]}'}
    assert lists == {"l": ["true", '{"b":2}']}


@pytest.mark.parametrize("value", ["42", "18446744073709551616", "-9223372036854775809", "true", '{"a":"b"}', "null"])
def test_only_a_real_string_can_be_a_group(event_store: EventStore, value: str) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, properties=f'{{"server":{value}}}'.encode())])
    assert event_store.select("SELECT count() FROM events WHERE {scope} AND mapContains(strings, 'server')", scope) == [
        [0]
    ]


characters = st.characters(exclude_categories=["Cs"])
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(characters, max_size=20)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(characters, max_size=5), inner, max_size=4),
    max_leaves=8,
)
objects = st.dictionaries(st.text(characters, max_size=10), values, max_size=6)


@pytest.mark.long
@pytest.mark.parametrize("count", [100, 400])
def test_random_objects_as_ingest_takes_them(event_store: EventStore, count: int) -> None:
    """Many examples are drawn first and inserted once, because an insert costs as much for one row as for a thousand."""
    drawn: list[str] = []

    @settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(objects, st.booleans(), st.sampled_from([(",", ":"), (", ", ": ")]))
    def draw(value: dict[str, Any], ascii_only: bool, separators: tuple[str, str]) -> None:
        text = json.dumps(value, ensure_ascii=ascii_only, separators=separators)
        try:
            [taken] = parse(b'{"name":"e","properties":%s}' % text.encode(), NOW_MS)
        except TallyroomError:
            return  # what ingest refuses never comes here
        drawn.append(taken.properties.decode())
        assert drawn[-1] == text

    draw()
    assert len(drawn) > count * 3 / 4
    check(event_store, drawn, alike)


def alike(one: Any, other: Any) -> bool:
    """Equal; but a number beyond 64 bits inside an element of a list reads as quoted digits (docs/decisions/0004)."""
    if isinstance(one, str) and isinstance(other, float):
        return float(one) == other and abs(other) > 2**63
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=1e-13)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(value, other[key]) for key, value in one.items())
    return bool(one == other)
