"""CSV as programs write it."""

import io

import pytest

from tallyroom.import_export.csv_reader import MAX_CELL_LENGTH, DelimitedReader, NotDelimited, open_text
from tallyroom.import_export.row import FileRow, RefusedRow


def read(content: bytes | str, delimiter: str = ",") -> list[FileRow | RefusedRow]:
    return list(opened(content, delimiter).iter_rows())


def opened(content: bytes | str, delimiter: str = ",") -> DelimitedReader:
    stream = io.BytesIO(content.encode() if isinstance(content, str) else content)
    return DelimitedReader(open_text(stream), delimiter)


def test_cells_by_column_and_empty_ones_are_absent() -> None:
    assert read("a,b,c\n1,,x\n,,\n") == [
        FileRow(2, {"a": "1", "c": "x"}, {"a": "1", "c": "x"}),
        FileRow(3, {}, {}),
    ]


def test_quotes_line_breaks_and_a_byte_order_mark() -> None:
    rows = read('\ufeffa,b\r\n"x, ""y""","line one\nline two\r\nthree"\r\nz,é\r\n\r\n"",""\r\n')
    assert [(row.line_number, row.cells) for row in rows if isinstance(row, FileRow)] == [
        (2, {"a": 'x, "y"', "b": "line one\nline two\r\nthree"}),
        (5, {"a": "z", "b": "é"}),
        (7, {}),
    ]


def test_another_delimiter() -> None:
    assert [row.display for row in read("a;b\n1,5;x\n", ";")] == [{"a": "1,5", "b": "x"}]
    assert [row.display for row in read("a\tb\n1\tx\n", "\t")] == [{"a": "1", "b": "x"}]


@pytest.mark.parametrize("content", ["", "\n", "\ufeff", "a,b\n", "a,b"])
def test_a_file_without_rows(content: str) -> None:
    assert read(content) == []


def test_a_column_without_a_name_is_left_out() -> None:
    reader = opened(",a\n0,x\n1,y\n")
    assert reader.columns == ("a",)
    assert [row.display for row in reader.iter_rows()] == [{"a": "x"}, {"a": "y"}]


def test_what_stands_in_columns_without_a_name_is_counted() -> None:
    reader = opened(",a, ,\n0,x,,\n1,y,z,\n2,y\n")
    assert reader.nameless_count_by_column == {}
    assert len(list(reader.iter_rows())) == 3
    assert reader.nameless_count_by_column == {1: 2, 3: 1}  # not in the row that does not fit, which is refused


def test_blanks_around_the_names_of_a_header_are_ignored() -> None:
    reader = opened('name, a ,\t"b c"\n x , 1,2\n', ",")
    assert reader.columns == ("name", "a", '"b c"')
    assert [row.display for row in reader.iter_rows()] == [{"name": " x ", "a": " 1", '"b c"': "2"}]
    with pytest.raises(NotDelimited, match="more than one column named a"):
        opened("a, a\n")


@pytest.mark.parametrize("row", ["1", "1,2,3", '1,"2"x', "1,2,"])
def test_a_row_that_does_not_fit_is_refused_and_the_others_are_read(row: str) -> None:
    before, bad, after = read(f"a,b\n1,2\n{row}\n5,6\n")
    assert (before.line_number, bad.line_number, after.line_number) == (2, 3, 4)
    assert isinstance(bad, RefusedRow)
    assert isinstance(after, FileRow)


def test_a_quote_that_never_closes_takes_the_rest() -> None:
    before, bad = read('a,b\n1,2\n3,"4\n5,6\n')
    assert isinstance(before, FileRow)
    assert isinstance(bad, RefusedRow)
    assert (bad.line_number, bad.reason) == (3, "the row, which ends on line 4, is not CSV: unexpected end of data")


def test_a_quote_that_never_closes_does_not_fill_the_memory() -> None:
    rows = read('a,b\n1,"' + ("x" * 1000 + "\n") * 3000 + "5,6\n7,8\n")
    assert isinstance(rows[0], RefusedRow)
    assert "is not CSV: field larger than field limit" in rows[0].reason
    assert rows[-1] == FileRow(rows[-1].line_number, {"a": "7", "b": "8"}, {"a": "7", "b": "8"})


def test_one_endless_line_is_no_csv() -> None:
    with pytest.raises(NotDelimited, match="it is not CSV"):
        read("x" * (MAX_CELL_LENGTH + 10))


@pytest.mark.parametrize(("header", "reason"), [("a,b,a", "more than one column named a"), ('a,"b"c', "is not CSV")])
def test_a_bad_header_is_refused(header: str, reason: str) -> None:
    with pytest.raises(NotDelimited, match=reason):
        read(header + "\n1,2,3\n")


@pytest.mark.parametrize("delimiter", ["", "ab", "\n", '"'])
def test_what_cannot_separate_cells(delimiter: str) -> None:
    with pytest.raises(NotDelimited, match="cannot separate cells"):
        opened("a,b\n1,2\n", delimiter)


def test_bytes_that_are_no_text_stay_within_their_row() -> None:
    first, second = read(b"a\n\xff\xfe\nok\n")
    assert first.display == {"a": "\udcff\udcfe"}  # the mapper refuses it
    assert second.display == {"a": "ok"}


@pytest.mark.parametrize(
    ("header", "delimiter", "hint"),
    [
        ("event;user", ",", "';'"),
        ('event;"user, name"', ",", "';'"),
        ("event|user", ",", "'|'"),
        ("event\tuser", ",", r"$'\t'"),
        ("event,user", ";", "','"),
        ("event,user", ",", ""),
        ('"Order; date; x",event', ",", ""),
        ('"a;b"', ",", ""),
        ("event", ",", ""),
    ],
)
def test_a_header_with_another_delimiter_is_remarked_upon(header: str, delimiter: str, hint: str) -> None:
    remark = opened(f"{header}\n", delimiter).header_remark
    assert remark.endswith(f"add --delimiter {hint}." if hint else "")
    assert bool(remark) == bool(hint)


def test_a_quoted_header_with_another_delimiter_is_refused_with_the_remark() -> None:
    with pytest.raises(NotDelimited, match=r"is not CSV: .* If ; separates the cells, add --delimiter ';'\.$"):
        opened('"event";"user"\n')
