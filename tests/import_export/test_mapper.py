"""Rows become events as a mapping says."""

from typing import Any

import msgspec
import pytest

from tallyroom.import_export.mapper import EventMapper, choose_item_builder
from tallyroom.import_export.mapping import NATIVE_MAPPING, ColumnMapping
from tallyroom.import_export.ndjson import read_line
from tallyroom.import_export.row import FileRow, RowRefused

SHOP = ColumnMapping(name=("what",), actor=("user.id",), label=("user.name",), timestamp=("at",), source=("app",))


def json_row(line: str) -> FileRow:
    row = read_line(1, line.encode())
    assert isinstance(row, FileRow)
    return row


def csv_row(**cells: str) -> FileRow:
    return FileRow(1, cells, cells)


def event(mapping: ColumnMapping, row: FileRow) -> Any:
    return msgspec.json.decode(EventMapper(mapping).build_event(row))


def test_columns_and_paths_become_fields_and_the_rest_properties() -> None:
    row = json_row(
        '{"what":"buy","user":{"id":17,"name":"Ann"},"at":"2026-11-20","app":"web","total":1.50,"tags":["a"],"no":null}'
    )
    assert EventMapper(SHOP).build_event(row) == (
        b'{"name":"buy","_actor":"17","_actorLabel":"Ann","_source":"web","_timestamp":"2026-11-20T00:00:00",'
        b'"properties":{"user":{"id":17,"name":"Ann"},"total":1.50,"tags":["a"]}}'
    )


def test_absent_and_empty_fields_are_left_out() -> None:
    assert event(SHOP, json_row('{"what":"buy","user":null,"at":null,"app":""}')) == {"name": "buy"}
    assert event(SHOP, csv_row(what="buy")) == {"name": "buy"}


def test_the_first_filled_column_counts() -> None:
    mapping = ColumnMapping(name=("a", "b"), actor=("x", "y"))
    assert event(mapping, json_row('{"a":"","b":"two","x":null,"y":"me"}')) == {"name": "two", "_actor": "me"}
    assert event(mapping, json_row('{"a":"one","b":"two","x":"I","y":"me"}')) == {"name": "one", "_actor": "I"}


@pytest.mark.parametrize("line", ["{}", '{"what":""}', '{"what":null}'])
def test_a_row_without_a_name_is_refused(line: str) -> None:
    with pytest.raises(RowRefused, match=r"^name: what is missing or empty$"):
        EventMapper(SHOP).build_event(json_row(line))


def test_a_constant_name_and_one_for_rows_that_have_none() -> None:
    assert event(ColumnMapping(name=(), event="seen"), json_row('{"name":"Ann"}')) == {
        "name": "seen",
        "properties": {"name": "Ann"},
    }
    fallback = ColumnMapping(name=("what",), event="seen")
    assert event(fallback, json_row('{"what":"buy"}')) == {"name": "buy"}
    assert event(fallback, json_row("{}")) == {"name": "seen"}


def test_a_name_by_code() -> None:
    mapping = ColumnMapping(name=("what",), code="type", names_by_code={"1": "view"})
    assert event(mapping, csv_row(type="1")) == {"name": "view"}
    assert event(mapping, json_row('{"type":1}')) == {"name": "view"}
    with pytest.raises(RowRefused, match=r"^name: what is missing or empty$"):
        event(mapping, csv_row(type="2"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", b"12"),
        ("-1", b"-1"),
        ("0", b"0"),
        ("1.50", b"1.50"),
        ("1e3", b"1e3"),
        ("0.1234567890123456789", b"0.1234567890123456789"),
        ("999999999999999", b"999999999999999"),
        ("1234567890123456", b'"1234567890123456"'),  # more than a double keeps: an id
        ("007", b'"007"'),
        ("1e999", b'"1e999"'),
        (".50", b"0.50"),
        ("-.50", b"-0.50"),
        ("+5.00", b"5.00"),
        ("+.5", b"0.5"),
        (".5e1", b"0.5e1"),
        ("-0.5", b"-0.5"),
        ("+1", b'"+1"'),
        ("+4915112345", b'"+4915112345"'),  # a phone number
        ("+1e3", b'"+1e3"'),
        ("5.", b'"5."'),
        (".", b'"."'),
        ("-.", b'"-."'),
        ("+", b'"+"'),
        (".e5", b'".e5"'),
        ("+-1.5", b'"+-1.5"'),
        ("00.5", b'"00.5"'),
        ("1.2.3", b'"1.2.3"'),
        ("1,5", b'"1,5"'),
        ("-", b'"-"'),
        ("1 ", b'"1 "'),
        ("0x10", b'"0x10"'),
        ("true", b'"true"'),
        ("NaN", b'"NaN"'),
        ("١", '"١"'.encode()),
    ],
)
def test_numeric_text_of_csv_is_a_number_exactly_as_written(text: str, value: bytes) -> None:
    made = EventMapper(ColumnMapping(name=(), event="e")).build_event(csv_row(p=text))
    assert made == b'{"name":"e","properties":{"p":' + value + b"}}"


def test_text_columns_stay_text() -> None:
    row = csv_row(zip="12345", n="1")
    assert event(ColumnMapping(name=(), event="e", text=("zip",)), row)["properties"] == {"zip": "12345", "n": 1}
    assert event(ColumnMapping(name=(), event="e", text=("*",)), row)["properties"] == {"zip": "12345", "n": "1"}


def test_numbers_of_some_columns_have_a_decimal_comma() -> None:
    row = csv_row(total="1.234,50", version="1.234", zip="1,5")
    mapping = ColumnMapping(name=(), event="e", decimal_comma=("total",))
    assert event(mapping, row)["properties"] == {"total": 1234.5, "version": 1.234, "zip": "1,5"}
    every = ColumnMapping(name=(), event="e", decimal_comma=("*",), text=("zip",))
    assert event(every, row)["properties"] == {"total": 1234.5, "version": 1234, "zip": "1,5"}


def test_an_object_column_and_columns_by_new_names() -> None:
    mapping = ColumnMapping(
        name=("what",),
        actor=("props.who",),
        properties="props",
        property_columns={"shop": "store.city", "k": "other"},
        ignore=("secret",),
    )
    row = json_row(
        '{"what":"buy","props":{"who":"me","k":1,"big":1.0},"store":{"city":"Rom"},"secret":"x","k":9,"other":2}'
    )
    assert event(mapping, row) == {
        "name": "buy",
        "_actor": "me",
        # `k`: a property that an option names, then a member of the object, then a column of that name
        "properties": {"k": 2, "big": 1.0, "shop": "Rom", "store": {"city": "Rom"}},
    }


@pytest.mark.parametrize(
    "row", [json_row('{"name":"e","properties":"{\\"a\\":1}"}'), csv_row(name="e", properties='{"a":1}')]
)
def test_an_object_may_be_written_as_json_text(row: FileRow) -> None:
    assert event(NATIVE_MAPPING, row) == {"name": "e", "properties": {"a": 1}}


@pytest.mark.parametrize("row", [json_row('{"name":"e","properties":[1]}'), csv_row(name="e", properties="{a:1}")])
def test_a_properties_column_without_an_object_is_refused(row: FileRow) -> None:
    with pytest.raises(RowRefused, match=r"^properties: properties is not a JSON object$"):
        event(NATIVE_MAPPING, row)


def test_only_named_columns() -> None:
    mapping = ColumnMapping(name=("what",), rest=False, property_columns={"n": "n"})
    assert event(mapping, json_row('{"what":"e","n":1,"m":2}')) == {"name": "e", "properties": {"n": 1}}


def test_a_cell_that_stands_for_nothing() -> None:
    mapping = ColumnMapping(name=("what",), actor=("who",), absent="\\N")
    assert event(mapping, csv_row(what="e", who="\\N", a="\\N", b="x")) == {"name": "e", "properties": {"b": "x"}}


def test_bytes_that_are_no_text_are_refused() -> None:
    for row in (csv_row(name="\udcff"), csv_row(name="e", p="\udcff"), csv_row(**{"name": "e", "\udcff": "x"})):
        with pytest.raises(RowRefused, match="is not UTF-8"):
            event(NATIVE_MAPPING, row)


def test_tallyrooms_own_lines_stay_as_they_are_written() -> None:
    line = b'{ "name": "e", "properties": {"n": 1.0e0, "big": 123456789012345678901234567890}, "odd": 1 }'
    row = FileRow(1, {}, line)
    assert choose_item_builder(NATIVE_MAPPING, "ndjson")(row) is line


def test_tallyrooms_own_csv() -> None:
    row = csv_row(
        name="e", _timestamp="2026-11-20T12:00:00.000Z", _actor="7", _actorLabel="Ann", _source="web", properties="{}"
    )
    assert event(NATIVE_MAPPING, row) == {
        "name": "e",
        "_actor": "7",
        "_actorLabel": "Ann",
        "_source": "web",
        "_timestamp": "2026-11-20T12:00:00.000Z",
    }


def test_an_id_in_tallyrooms_own_shape_changes_nothing_of_a_line() -> None:
    line = b'{ "name" : "e" , "properties":{"id" : 1.0} }'
    for id_, own in (("properties.id", True), ("_actor", True), ("", True), ("id", False), ("meta.id", False)):
        make = choose_item_builder(ColumnMapping(id=id_), "ndjson")
        assert (make(json_row(line.decode())) == line) is own
