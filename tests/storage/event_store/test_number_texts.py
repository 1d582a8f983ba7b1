"""Exact texts of numbers are the same from ingest, from the store and in filters (rules/events#kinds-of-values)."""

import uuid
from fractions import Fraction

import msgspec
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from harness.stores.event_store import EventStore, event, fresh_scope
from harness.suite.few import few
from tallyroom.core.exact_numbers import find_exact_text
from tallyroom.ingest.validation.number_shape import encode_exact_texts
from tallyroom.storage.event_store.tables import EVENT_COLUMNS, EVENTS

EXACT_TEXTS = {
    "9007199254740993": "9007199254740993",
    "9007199254740993.0": "9007199254740993",
    "9.007199254740993e15": "9007199254740993",
    "-90071992547409930E-1": "-9007199254740993",
    "9007199254740992": "",
    "1.50": "",
    "15e-1": "",
    "0.30000000000000004": "",
    "0.3000000000000000444": "0.3000000000000000444",
    "0.00000100000000000000000001": "0.00000100000000000000000001",
    "0.000000100000000000000000010": "1.0000000000000000001e-7",
    "1e22": "",
    "10000000000000000000000": "",
    "10000000000000000000001": "10000000000000000000001",
    "1.0000000000000000000001E+22": "10000000000000000000001",
    "18446744073709551617": "18446744073709551617",
    "4e-324": "4e-324",
    "5e-324": "",
    "1e-400": "1e-400",
    "1e-9999999999999999999999": "1e-1000000000",
    "-0": "",
    "-0.0000000000000000000000": "",
    "0e99999999999999999999": "",
}
"""Numbers as they are sent, and their texts; "" where that of the double is enough."""


def derived(store: EventStore, properties: list[str]) -> list[dict[str, str]]:
    """What the store derives, from blocks that do not name the column."""
    scope = fresh_scope()
    rows = [msgspec.structs.astuple(event(scope, properties=text.encode()))[:-1] for text in properties]
    body = msgspec.json.Encoder().encode_lines(rows)
    store.writer.insert_rows(EVENTS, EVENT_COLUMNS[:-1], body, uuid.uuid4().hex)
    rows = store.select("SELECT number_texts FROM events WHERE {scope} ORDER BY seq", scope)
    return [texts for (texts,) in rows]


def accepted(properties: str) -> dict[str, str]:
    texts: dict[str, str] = msgspec.json.decode(encode_exact_texts(properties.encode()))
    return texts


@few(4, "number", list(EXACT_TEXTS))
def test_a_number_has_its_exact_value_where_its_double_does_not(event_store: EventStore, number: str) -> None:
    text = EXACT_TEXTS[number]
    properties = f'{{"n":{number}}}'
    assert derived(event_store, [properties]) == [accepted(properties)] == [{"n": text} if text else {}]
    assert find_exact_text(number) == (text or None)


def test_only_the_properties_of_the_event_itself_have_one(event_store: EventStore) -> None:
    wide = "9007199254740993"
    properties = [
        f'{{"a":{{"n":{wide}}},"b":[{wide},{{"n":{wide}}}],"c":"{wide}"}}',
        f'{{"a":{{"n":1}}, "n" : {wide} , "b":[{{"n":2}}]}}',
        f'{{"\\"}}{{":"\\":{wide}","{{":[],"n\\u00e9\\"[":{wide},"":-{wide}}}',
        f'{{"a":["{{", ":{wide}"],"n":{wide}}}',
    ]
    expected = [{}, {"n": wide}, {'né"[': wide, "": f"-{wide}"}, {"n": wide}]
    assert derived(event_store, properties) == expected
    assert [accepted(text) for text in properties] == expected


def test_an_event_keeps_the_texts_that_came_with_it(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, properties=b'{"n":9007199254740993}'), event(scope, properties=b'{"n":1}')])
    rows = event_store.select("SELECT number_texts FROM events WHERE {scope} ORDER BY seq", scope)
    assert rows == [[{"n": "9007199254740993"}], [{}]]


DIGITS = st.text("0123456789", max_size=40) | st.sampled_from(["", "0" * 30, "9" * 20, "5" + "0" * 20 + "1"])


@st.composite
def number_texts(draw: st.DrawFn) -> str:
    """Any number as JSON writes it, in the range of a double."""
    integer = draw(st.sampled_from(["0", "9007199254740993"]) | st.integers(1, 10**40).map(str))
    fraction = draw(DIGITS)
    exponent = draw(st.just("") | st.integers(-420, 260).map("e{}".format) | st.integers(0, 9).map("E+00{}".format))
    return draw(st.sampled_from(["", "-"])) + integer + (f".{fraction}" if fraction else "") + exponent


doubles = st.floats(allow_nan=False, allow_infinity=False).map(repr)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(number_texts() | doubles, min_size=1, max_size=50))
@example(["1.7976931348623157e308", "2.2250738585072014e-308", "123456789012345e-299"])
def test_the_store_and_filters_agree(event_store: EventStore, numbers: list[str]) -> None:
    members = ",".join(f'"{index}":{number}' for index, number in enumerate(numbers))
    properties = f"{{{members}}}"
    [texts] = derived(event_store, [properties])
    expected = {str(index): text for index, number in enumerate(numbers) if (text := find_exact_text(number))}
    assert texts == expected == accepted(properties)


@given(number_texts() | doubles)
def test_the_text_is_the_value(number: str) -> None:
    """Equal values have equal texts, and different values different ones."""
    text = find_exact_text(number)
    value = Fraction(number)
    if text is None:
        assert value == Fraction(repr(float(number)))
    else:
        assert Fraction(text) == value != Fraction(repr(float(number)))
        assert find_exact_text(text) == text
