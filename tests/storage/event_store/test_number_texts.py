"""Exact texts of numbers are the same before an insert, in the store and in filters (rules/events#kinds-of-values)."""

import uuid
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from harness.stores.event_store import EventStore, event, fresh_scope, lines
from harness.suite.few import few
from tallyroom.core.exact_numbers import find_exact_text
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS, add_number_texts
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.tables import EVENT_COLUMNS, EVENTS
from tallyroom.storage.spool.row import mark_earlier_lines

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
    body = lines([event(scope, properties=text.encode()) for text in properties])
    store.writer.insert_rows(EVENTS, EVENT_COLUMNS, body, uuid.uuid4().hex)
    return stored(store, scope)


def inserted(store: EventStore, properties: list[str]) -> list[dict[str, str]]:
    """What the store has of blocks that come from the spool."""
    scope = fresh_scope()
    store.insert([event(scope, properties=text.encode()) for text in properties])
    return stored(store, scope)


def stored(store: EventStore, scope: Scope) -> list[dict[str, str]]:
    rows = store.select("SELECT number_texts FROM events WHERE {scope} ORDER BY seq", scope)
    return [texts for (texts,) in rows]


@few(4, "number", list(EXACT_TEXTS))
def test_a_number_has_its_exact_value_where_its_double_does_not(event_store: EventStore, number: str) -> None:
    text = EXACT_TEXTS[number]
    properties = f'{{"n":{number}}}'
    texts = [{"n": text} if text else {}]
    assert derived(event_store, [properties]) == texts
    assert inserted(event_store, [properties]) == texts
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
    assert inserted(event_store, properties) == expected


ORDINARY = b'{"id":"9007199254740993","price":12.5}'
LONG = b'{"n":9007199254740993,"m":0.1}'
WIDE = b'{"n":18446744073709551617,"m":{"k":18446744073709551617}}'
TEXTS = {ORDINARY: {}, LONG: {"n": "9007199254740993"}, WIDE: {"n": "18446744073709551617"}}


def ordinary_line(scope: Scope, properties: bytes) -> bytes:
    return lines([msgspec.structs.replace(event(scope, properties=properties), narrowed=None)])


def marked_line(scope: Scope, properties: bytes) -> bytes:
    return lines([event(scope, properties=properties)])


def earlier_line(scope: Scope, properties: bytes) -> bytes:
    """A line as the previous version wrote it."""
    return marked_line(scope, properties).replace(b"\t]\n", b"]\n")


def test_a_block_of_ordinary_events_is_sent_as_it_is(event_store: EventStore) -> None:
    scope = fresh_scope()
    body = ordinary_line(scope, ORDINARY) * 2
    block = add_number_texts(body)
    assert (block.columns[-1], len(block.columns), block.body) == (NUMBER_TEXTS, len(EVENT_COLUMNS), body)
    event_store.writer.insert_events(body, scope.workspace_id)
    assert stored(event_store, scope) == [{}, {}]
    assert event_store.select("SELECT strings, numbers FROM events WHERE {scope} LIMIT 1", scope) == [
        [{"id": "9007199254740993"}, {"price": 12.5}]
    ]


@given(st.lists(st.sampled_from([ordinary_line, marked_line, earlier_line]), min_size=1, max_size=6), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=20)
def test_lines_of_both_versions_may_be_in_one_block(
    event_store: EventStore, builders: list[Callable[[Scope, bytes], bytes]], data: st.DataObject
) -> None:
    scope = fresh_scope()
    kinds = [ORDINARY if build is ordinary_line else data.draw(st.sampled_from(list(TEXTS))) for build in builders]
    chunks = [mark_earlier_lines(build(scope, kind)) for build, kind in zip(builders, kinds, strict=True)]
    event_store.writer.insert_events(b"".join(chunks), scope.workspace_id)
    assert stored(event_store, scope) == [TEXTS[kind] for kind in kinds]


def test_the_previous_version_can_send_these_lines(event_store: EventStore) -> None:
    """It names all elements and leaves the column to the store."""
    scope = fresh_scope()
    body = ordinary_line(scope, ORDINARY) + marked_line(scope, LONG) + marked_line(scope, WIDE)
    with closing(event_store.backend.connect()) as connection:
        connection.insert(EVENTS, EVENT_COLUMNS, body, {"input_format_defaults_for_omitted_fields": 1})
    assert stored(event_store, scope) == [TEXTS[ORDINARY], TEXTS[LONG], TEXTS[WIDE]]


@pytest.mark.parametrize(
    "damaged_line", [b"[1,2]\n", b"\xff\t\n", b"", b"{}\t]\n", b'[1,2,3,4,5,6,7,8,9,10,"x",""\t]\n', b"[" * 5000]
)
def test_a_block_that_cannot_be_read_is_left_to_the_store(damaged_line: bytes) -> None:
    body = damaged_line + marked_line(fresh_scope(), LONG)[:-3]
    assert add_number_texts(body) == (EVENT_COLUMNS, body)


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
    expected = {str(index): text for index, number in enumerate(numbers) if (text := find_exact_text(number))}
    assert derived(event_store, [properties]) == inserted(event_store, [properties]) == [expected]


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
