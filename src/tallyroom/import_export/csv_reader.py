"""Reads CSV and similar formats, with quoted cells, line breaks in them, and a byte order mark at the start."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO, Final

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.row import FileRow, RefusedRow

MAX_CELL_LENGTH: Final = 2 * 1024**2
"""The most characters of a cell. Events are smaller, so a larger cell means an unclosed quote."""


_FORBIDDEN_DELIMITERS: Final = '"\r\n'
_USUAL_DELIMITERS: Final = (",", ";", "\t", "|")
_QUOTED_TEXT: Final = re.compile('"[^"]*"')


class NotDelimited(TallyroomError):
    """The file is not readable as CSV."""


def open_text(stream: BinaryIO) -> io.TextIOWrapper:
    """Open a file as text, without a byte order mark; each byte that is not valid UTF-8 becomes a surrogate."""
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")


class DelimitedReader:
    """The rows of a CSV file from `open_text`; raises `NotDelimited` for an invalid header or delimiter.

    `columns` has no nameless columns, such as the row numbers of some programs; `nameless_count_by_column` counts their
    non-empty cells by number, from 1. `header_remark` is a sentence if another delimiter seems to be right, or "".
    """

    def __init__(self, text: io.TextIOWrapper, delimiter: str) -> None:
        if len(delimiter) != 1 or delimiter in _FORBIDDEN_DELIMITERS:
            raise NotDelimited(f"{delimiter!r} cannot separate cells: use one character, such as ; or a tab.")
        csv.field_size_limit(MAX_CELL_LENGTH)
        header_lines: list[str] = []
        self._reader = csv.reader(_read_lines(text, header_lines), delimiter=delimiter, strict=True)
        try:
            self._header = [name.strip() for name in next(self._reader, [])]
        except csv.Error as error:
            suggestion = _suggest_delimiter("".join(header_lines), delimiter)
            raise NotDelimited(f"The header of the file is not CSV: {error}.{suggestion}") from error
        self.header_remark = _suggest_delimiter("".join(header_lines), delimiter)
        self.columns = tuple(column for column in self._header if column)
        self.nameless_count_by_column: dict[int, int] = {}
        self._nameless_indexes = [index for index, column in enumerate(self._header) if not column]
        duplicate_columns = [column for column, count in Counter(self.columns).items() if count > 1]
        if duplicate_columns:
            raise NotDelimited(f"The file has more than one column named {duplicate_columns[0]}.")

    def iter_rows(self) -> Iterator[FileRow | RefusedRow]:
        """Yield the rows after the header, in order, without blank lines."""
        while True:
            line_number = self._reader.line_num + 1
            try:
                cells = next(self._reader)
            except StopIteration:
                return
            except csv.Error as error:
                last_line_number = self._reader.line_num
                end_note = f", which ends on line {last_line_number}," if last_line_number > line_number else ""
                yield RefusedRow(line_number, f"the row{end_note} is not CSV: {error}", {})
                continue
            if cells:
                yield self._build_row(line_number, cells)

    def _build_row(self, line_number: int, cells: list[str]) -> FileRow | RefusedRow:
        cell_by_column = {column: cell for column, cell in zip(self._header, cells, strict=False) if column and cell}
        if len(cells) != len(self._header):
            reason = f"the row has {len(cells)} cells, the header {len(self._header)}"
            return RefusedRow(line_number, reason, cell_by_column)
        for index in self._nameless_indexes:
            if cells[index]:
                self.nameless_count_by_column[index + 1] = self.nameless_count_by_column.get(index + 1, 0) + 1
        return FileRow(line_number, cell_by_column, cell_by_column)


def _suggest_delimiter(header_line: str, delimiter: str) -> str:
    """Name a usual delimiter that is more frequent outside the header's quotes than the one that was used."""
    unquoted_text = _QUOTED_TEXT.sub("", header_line)
    likely_delimiter = max(_USUAL_DELIMITERS, key=unquoted_text.count)
    if unquoted_text.count(likely_delimiter) <= unquoted_text.count(delimiter):
        return ""
    if likely_delimiter == "\t":
        return " If a tab separates the cells, add --delimiter $'\\t'."
    return f" If {likely_delimiter} separates the cells, add --delimiter '{likely_delimiter}'."


def _read_lines(text: io.TextIOWrapper, header_lines: list[str]) -> Iterator[str]:
    """Yield the lines of the file, but refuse lines too long for memory. The first line is added to `header_lines`."""
    while line := text.readline(MAX_CELL_LENGTH):
        if len(line) == MAX_CELL_LENGTH and not line.endswith("\n"):
            raise NotDelimited(f"A line of the file has more than {MAX_CELL_LENGTH} characters, so it is not CSV.")
        if not header_lines:
            header_lines.append(line)
        yield line
