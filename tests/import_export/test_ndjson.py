"""One JSON object a line."""

import io

import pytest

from tallyroom.import_export.ndjson import MAX_LINE_BYTES, NotNdjson, read_ndjson
from tallyroom.import_export.row import FileRow, RefusedRow


def read(content: bytes) -> list[FileRow | RefusedRow]:
    return list(read_ndjson(io.BytesIO(content)))


def test_lines_are_counted_and_blank_ones_are_none() -> None:
    rows = read(b'\xef\xbb\xbf{"a":1}\n\n  \r\n{"a":2} \r\n{"a":3}')
    assert [(row.line_number, row.display) for row in rows] == [(1, b'{"a":1}'), (4, b'{"a":2}'), (5, b'{"a":3}')]
    assert all(isinstance(row, FileRow) for row in rows)


def test_an_empty_file_has_no_rows() -> None:
    assert read(b"") == read(b"\n\n") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "the line is not JSON"),
        (b"x", "the line is not JSON"),
        (b'{"a":NaN}', "the line is not JSON"),
        (b'{"a":1},{"b":2}', "the line is not JSON"),  # would be two events
        (b'{"a":1}]}', "the line is not JSON"),
        (b'{"\xff":1}', "the line is not JSON"),
        (b"[1]", "the line is not a JSON object"),
        (b'"x"', "the line is not a JSON object"),
        (b"null", "the line is not a JSON object"),
        (b'{"a":' * 100_000, "the line is nested too deeply"),
    ],
)
def test_a_bad_line_is_refused_and_the_others_are_read(line: bytes, reason: str) -> None:
    before, bad, after = read(b'{"a":1}\n' + line + b'\n{"a":3}\n')
    assert isinstance(before, FileRow)
    assert isinstance(after, FileRow)
    assert isinstance(bad, RefusedRow)
    assert (bad.line_number, bad.display) == (2, line)
    assert bad.reason.startswith(reason)


@pytest.mark.parametrize("length", [MAX_LINE_BYTES + 1, 3 * MAX_LINE_BYTES + 17])
def test_a_line_of_any_length_is_refused_and_passed_by(length: int) -> None:
    bad, after = read(b"x" * length + b'\n{"a":2}\n')
    assert isinstance(bad, RefusedRow)
    assert (bad.line_number, len(bad.display), after.line_number) == (1, 200, 2)


def test_an_array_is_refused_as_a_whole() -> None:
    with pytest.raises(NotNdjson, match="one object per line"):
        read(b'[{"a":1},\n{"a":2}]')
