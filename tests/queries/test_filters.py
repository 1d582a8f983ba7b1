"""Each operator matches what plain Python does, and wrong filters are all named."""

from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, drawn, happened
from harness.builders.events import filters as some_filters
from harness.oracles.filters import matches
from harness.stores.event_store import EventStore, fresh_scope
from harness.stores.questions import Happened, insert, insert_each
from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.filters import Filter, check_filters, filter_conditions
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.scalars import to_text
from tallyroom.storage.event_store.scope import Scope


class Matched(msgspec.Struct):
    seq: int
    matched: list[bool]


def read(filter_: dict[str, Any]) -> Filter:
    """A filter as a request would bring it, checked."""
    found = msgspec.json.decode(msgspec.json.encode(filter_), type=Filter)
    check_filters([found], ["filters"])
    return found


async def inserted(store: EventStore, events: list[Happened], filters: list[dict[str, Any]]) -> list[list[bool]]:
    """Inserts the events; for each of them, in the order given, which filters it matches."""
    scope = fresh_scope()
    insert(store, scope, events)
    return await matched(store, scope, events, filters)


async def matched(
    store: EventStore, scope: Scope, events: list[Happened], filters: list[dict[str, Any]]
) -> list[list[bool]]:
    """For each of the scope's events, in the order given, which filters it matches."""
    parameters = QueryParameters()
    found = ", ".join(f"toBool({each})" for each in filter_conditions([read(each) for each in filters], parameters))
    sql = f"SELECT seq, [{found}] AS matched FROM events WHERE {{scope}}"
    rows = {row.seq: row.matched for row in await store.reader.fetch_rows(sql, scope, parameters.values, Matched)}
    return [rows[each.seq] for each in events]


def sent(**properties: Any) -> Happened:
    return Happened("e", properties=properties)


# Each value of the property `p`, and which of the filters below it matches, by hand.
TABLE: list[tuple[dict[str, Any], list[Any]]] = [
    ({"op": "eq", "value": "pro"}, ["pro"]),
    ({"op": "eq", "value": "42"}, ["42", 42, 42.0]),
    ({"op": "eq", "value": 42}, ["42", 42, 42.0]),
    ({"op": "eq", "value": True}, ["true", True]),
    ({"op": "eq", "value": "true"}, ["true", True]),
    ({"op": "eq", "value": ""}, [""]),
    ({"op": "eq", "value": '{"a":1}'}, [{"a": 1}]),
    ({"op": "in", "value": ["free", 42]}, ["42", 42, 42.0]),
    ({"op": "contains", "value": "RO"}, ["pro", "Pro", ["free", "pro"]]),
    ({"op": "contains", "value": "A"}, [False, {"a": 1}]),
    ({"op": "starts_with", "value": "P"}, ["Pro"]),
    ({"op": "starts_with", "value": "fr"}, [["free", "pro"]]),
    ({"op": "regex", "value": "^[Pp]ro$"}, ["pro", "Pro", ["free", "pro"]]),
    ({"op": "has", "value": "pro"}, [["free", "pro"]]),
    ({"op": "has", "value": 42}, [["42"], [42]]),
    ({"op": "gt", "value": 41.5}, [42, 42.0]),
    ({"op": "lt", "value": 43}, [42, 42.0, 0]),
    ({"op": "lte", "value": "0"}, [0]),
]
VALUES: list[Any] = [
    *("pro", "Pro", "42", "true", "", 42, 42.0, 0, True, False, {"a": 1}),
    *(["free", "pro"], ["42"], [42], [""], [], [None], None),
]
ABSENT = [[], [None], None]


async def test_what_each_operator_matches(event_store: EventStore) -> None:
    filters = [{"key": "p"} | filter_ for filter_, _ in TABLE]
    rows = await inserted(event_store, [sent(p=value) for value in VALUES], filters)
    for place, (filter_, wanted) in enumerate(TABLE):
        found = [value for value, hits in zip(VALUES, rows, strict=True) if hits[place]]
        assert sorted(map(repr, found)) == sorted(map(repr, wanted)), filter_


async def test_an_event_without_the_key_matches_only_not_exists(event_store: EventStore) -> None:
    events = [Happened("e"), *(sent(p=value) for value in ABSENT)]
    without: list[dict[str, Any]] = [
        {"key": "p", "op": "neq", "value": "x"},
        {"key": "p", "op": "not_in", "value": ["x"]},
    ]
    filters = [*without, {"key": "p", "op": "exists"}, {"key": "p", "op": "not_exists"}]
    assert await inserted(event_store, events, filters) == [[False, False, False, True]] * 4


async def test_own_fields_and_properties_of_the_same_name(event_store: EventStore) -> None:
    event = Happened("open", actor="u1", source="", properties={"name": "n", "_actor": "a", "prop:x": "y"})
    filters = [
        {"key": "name", "op": "eq", "value": "open"},
        {"key": "prop:name", "op": "eq", "value": "n"},
        {"key": "_actor", "op": "eq", "value": "u1"},
        {"key": "prop:_actor", "op": "eq", "value": "a"},
        {"key": "_source", "op": "not_exists"},
        {"key": "prop:prop:x", "op": "eq", "value": "y"},
    ]
    assert await inserted(event_store, [event], filters) == [[True] * 6]
    assert await inserted(event_store, [event], [each | {"value": "z"} for each in filters if "value" in each]) == [
        [False] * 5
    ]


@pytest.mark.parametrize(
    ("text", "part", "found"),
    [
        ("STRASSE", "straße", True),
        ("straße", "STRASSE", True),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ", True),
        ("ǅ", "ǆ", True),
        ("é", "e\u0301", False),
        ("日本語", "本", True),
    ],
)
async def test_contains_folds_case(event_store: EventStore, text: str, part: str, *, found: bool) -> None:
    filters = [{"key": "p", "op": "contains", "value": part}]
    assert await inserted(event_store, [sent(p=text), sent(p=["z", text])], filters) == [[found]] * 2


# Characters of several bytes under a quantifier are what the store's own search for necessary bytes gets wrong.
PATTERNS = [
    *(
        "é?",
        "😀*a",
        "é{0}b",
        "a.b",
        "(?s)a.b",
        "^b",
        "(?m)^b",
        "b$",
        r"\Qa.b\E",
        "(?i)É",
        "[é😀]",
        "é|a",
        r"\x00",
        "\0",
    ),
    *("(?i)a|é?b", "(?P<x>é)?", r"\Qé", r"\pL", r"é\d?", "", "^$"),
]
LINES = ["", "a", "b", "é", "É", "😀a", "a\nb", "a.b", "axb", "\0", "é1", "日"]


async def test_regexes_match_as_re2_does(event_store: EventStore) -> None:
    patterns = [pattern for pattern in PATTERNS if pattern]
    filters = [{"key": "p", "op": "regex", "value": pattern} for pattern in patterns]
    events = [sent(p=line) for line in LINES]
    rows = await inserted(event_store, events, filters)
    assert rows == [[matches(each, event) for each in filters] for event in events]


@pytest.mark.parametrize(
    ("op", "value", "reason"),
    [
        ("exists", "x", "is not valid with exists"),
        ("not_exists", ["x"], "is not valid with not_exists"),
        ("eq", msgspec.UNSET, "is required"),
        ("in", msgspec.UNSET, "is required"),
        ("in", "x", "must be a list of 1 to 100 values for in"),
        ("not_in", [], "must be a list of 1 to 100 values for not_in"),
        ("in", ["x"] * 101, "must be a list of 1 to 100 values for in"),
        ("eq", ["x"], "must be one value for eq"),
        ("has", ["x"], "must be one value for has"),
        ("gt", "x", "must be a number for gt"),
        ("gte", True, "must be a number for gte"),
        ("lt", "0x1", "must be a number for lt"),
        ("lte", "1e999", "must be a number for lte"),
        ("contains", 1, "must be a non-empty string for contains"),
        ("starts_with", "", "must be a non-empty string for starts_with"),
        ("regex", "a" * 1001, "must have at most 1000 characters for regex"),
        ("eq", 10**309, "is beyond the range of a double; send its digits as a string"),
        ("in", [1, -(10**309)], "is beyond the range of a double; send its digits as a string"),
    ],
)
def test_values_that_an_operator_does_not_take(op: Any, value: Any, reason: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        check_filters([Filter(key="p", op=op, value=value)], ["filters"])
    [detail] = refused.value.details
    assert (detail.path, detail.message) == (["filters", 0, "value"], reason)


def test_every_wrong_filter_is_named() -> None:
    wrong = [Filter(key="p", op="eq"), Filter(key="p", op="exists"), Filter(key="p", op="gt", value="x")]
    with pytest.raises(ValidationFailed) as refused:
        check_filters(wrong, ["filters"])
    assert [each.path[1] for each in refused.value.details] == [0, 2]


@pytest.mark.parametrize(
    "body",
    [
        b'{"key":"","op":"exists"}',
        b'{"key":1,"op":"exists"}',
        b'{"any":[]}',
        b'{"any":{}}',
        b'{"any":[%s]}' % b",".join([b'{"key":"p","op":"exists"}'] * 11),
        b'{"key":"p","op":"like","value":"x"}',
        b'{"key":"p","op":"eq","value":null}',
        b'{"key":"p","op":"eq","value":{}}',
        b'{"key":"p","op":"in","value":[["x"]]}',
        b'{"key":"p","op":"exists","not":true}',
    ],
)
def test_what_is_no_filter(body: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=Filter)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({"op": "exists"}, ["key"]),
        ({"key": "p"}, ["op"]),
        ({}, ["key", "op"]),
        ({"any": [{"key": "p", "op": "exists"}], "key": "p"}, ["key"]),
        ({"any": [{"key": "p", "op": "exists"}], "op": "eq", "value": 1}, ["op", "value"]),
        ({"any": [{"key": "p", "op": "eq"}, {"key": "p"}]}, ["any.0.value", "any.1.op"]),
        ({"any": [{"any": [{"key": "p", "op": "exists"}]}]}, ["any.0.any"]),
    ],
)
def test_what_a_filter_lacks_and_what_it_has_too_much(body: dict[str, Any], paths: list[str]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        check_filters([msgspec.convert(body, Filter)], ["filters"])
    assert [".".join(map(str, each.path[2:])) for each in refused.value.details] == paths


NUMBERS = [0.0, -0.0, 1.0, 1e20, 1e21, 1.5e22, 1e-6, 1e-7, 2.5e-5, 5e-324, 1.7976931348623157e308, 12345678901234567.0]


async def test_a_number_is_spelled_as_the_store_spells_it(event_store: EventStore) -> None:
    """Whether an element of a list is a number is for the store to say, which knows elements only as texts."""
    filters = [{"key": "p", "op": "has", "value": number} for number in NUMBERS]
    rows = await inserted(event_store, [sent(p=[number]) for number in NUMBERS], filters)
    assert rows == [[one == other for one in NUMBERS] for other in NUMBERS]
    assert [float(to_text(number)) for number in NUMBERS] == NUMBERS


cases = st.tuples(st.lists(happened(), min_size=1, max_size=20), st.lists(some_filters, min_size=1, max_size=12))


@pytest.mark.long
@pytest.mark.parametrize("count", [FEW, MANY])
async def test_it_equals_plain_python(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, _ in drawn_cases])
    for scope, events, filters in drawn_cases:
        rows = await matched(event_store, scope, events, filters)
        assert rows == [[matches(each, event) for each in filters] for event in events], (events, filters)
