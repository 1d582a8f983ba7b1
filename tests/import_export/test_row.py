"""Reaching into the cells of a row."""

from typing import Any

import pytest
from msgspec import Raw

from tallyroom.import_export.ndjson import read_line
from tallyroom.import_export.row import FileRow, RowRefused, find_cell, parse_object, text_of

LINE = b'{"a":{"b":{"c":1},"n":null},"a.b":"dotted","s":"{\\"k\\":[1,2]}","t":"text","null":null,"list":[1]}'


def cells() -> FileRow:
    row = read_line(1, LINE)
    assert isinstance(row, FileRow)
    return row


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("t", b'"text"'),
        ("a.b", b'"dotted"'),  # a column of that very name wins
        ("a.b.c", b"1"),
        ("s.k", b"[1,2]"),
        ("list", b"[1]"),
        ("a.n", None),
        ("null", None),
        ("nosuch", None),
        ("a.nosuch", None),
        ("nosuch.b", None),
        ("t.b", None),
        ("list.0", None),
        ("", None),
        (".", None),
    ],
)
def test_a_path_reaches_into_objects(path: str, found: bytes | None) -> None:
    cell: Any = find_cell(cells().cells, path)
    assert (None if cell is None else bytes(cell)) == found


def test_a_path_reaches_into_csv_cells_that_hold_json() -> None:
    cell: Any = find_cell({"p": '{"k":1}'}, "p.k")
    assert bytes(cell) == b"1"
    assert find_cell({"p": "{broken"}, "p.k") is None


@pytest.mark.parametrize(
    "cell", ["", "x", "[1]", "null", '"x"', Raw(b"[1]"), Raw(b"1"), Raw(b'"x"'), Raw(b"null"), "\udc80"]
)
def test_what_is_no_object_has_no_members(cell: Raw | str) -> None:
    assert parse_object(cell) is None


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("x", "x"),
        (Raw(b'"x\\u00e9"'), "xé"),
        (Raw(b"12345678901234567890"), "12345678901234567890"),
        (Raw(b"-1.50"), "-1.50"),
        (Raw(b'""'), ""),
    ],
)
def test_text_and_numbers_are_text(cell: Raw | str, text: str) -> None:
    assert text_of(cell, "actor") == text


@pytest.mark.parametrize("json", [b"true", b"null", b"[1]", b'{"a":1}'])
def test_other_values_are_no_text(json: bytes) -> None:
    with pytest.raises(RowRefused, match=r"^actor: is neither text nor a number$"):
        text_of(Raw(json), "actor")
