"""Reads CSV and its relatives, with quoted cells, line breaks inside them, and a byte order mark at the start."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO, Final

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.row import FileRow, RefusedRow

MAX_CELL: Final = 2 * 1024**2
"""The most characters of a cell; events are smaller, so a larger cell comes from a quote that was never closed."""


_NO_DELIMITERS: Final = '"\r\n'
_USUAL: Final = (",", ";", "\t", "|")
_QUOTED_TEXT: Final = re.compile('"[^"]*"')


class NotDelimited(TallyroomError):
    """The file is not CSV from which rows can be read."""


def opened_text(stream: BinaryIO) -> io.TextIOWrapper:
    """Open a file as text, without a byte order mark; each byte that is not valid UTF-8 becomes a surrogate."""
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")


class DelimitedReader:
    """The rows of one CSV file.

    Args:
        text: the file, opened with `opened_text`.
        delimiter: the character between two cells.

    Attributes:
        columns: the names in the header, without surrounding blanks; columns without a name, such as the row numbers
            that some programs write, are left out.
        remark: a sentence about the header if another delimiter seems to be the right one, else empty.
        nameless: the number of non-empty cells left out so far, by the number of the nameless column, from 1.

    Raises:
        NotDelimited: the delimiter cannot be one, two columns have the same name, or the header cannot be read.
    """

    def __init__(self, text: io.TextIOWrapper, delimiter: str) -> None:
        if len(delimiter) != 1 or delimiter in _NO_DELIMITERS:
            raise NotDelimited(f"{delimiter!r} cannot separate cells: use one character, such as ; or a tab.")
        csv.field_size_limit(MAX_CELL)
        head: list[str] = []
        self._reader = csv.reader(_lines(text, head), delimiter=delimiter, strict=True)
        try:
            self._header = [name.strip() for name in next(self._reader, [])]
        except csv.Error as error:
            raise NotDelimited(
                f"The header of the file is not CSV: {error}.{_remark(''.join(head), delimiter)}"
            ) from error
        self.remark = _remark("".join(head), delimiter)
        self.columns = tuple(column for column in self._header if column)
        self.nameless: dict[int, int] = {}
        self._unnamed = [index for index, column in enumerate(self._header) if not column]
        twice = [column for column, count in Counter(self.columns).items() if count > 1]
        if twice:
            raise NotDelimited(f"The file has more than one column {twice[0]}.")

    def rows(self) -> Iterator[FileRow | RefusedRow]:
        """Yield the rows below the header, in order; blank lines are skipped."""
        while True:
            line = self._reader.line_num + 1
            try:
                cells = next(self._reader)
            except StopIteration:
                return
            except csv.Error as error:
                through = f", which ends on line {self._reader.line_num}," if self._reader.line_num > line else ""
                yield RefusedRow(line, f"the row{through} is not CSV: {error}", {})
                continue
            if cells:
                yield self._row(line, cells)

    def _row(self, line: int, cells: list[str]) -> FileRow | RefusedRow:
        cells_by_column = {column: cell for column, cell in zip(self._header, cells, strict=False) if column and cell}
        if len(cells) != len(self._header):
            reason = f"the row has {len(cells)} cells, the header {len(self._header)}"
            return RefusedRow(line, reason, cells_by_column)
        for index in self._unnamed:
            if cells[index]:
                self.nameless[index + 1] = self.nameless.get(index + 1, 0) + 1
        return FileRow(line, cells_by_column, cells_by_column)


def _remark(head: str, delimiter: str) -> str:
    """Say which usual delimiter stands outside the quotes of a header more often than the one that was used."""
    bare = _QUOTED_TEXT.sub("", head)
    likely = max(_USUAL, key=bare.count)
    if bare.count(likely) <= bare.count(delimiter):
        return ""
    delimiter_name, option = ("a tab", "$'\\t'") if likely == "\t" else (likely, f"'{likely}'")
    return f" If {delimiter_name} separates the cells, add --delimiter {option}."


def _lines(text: io.TextIOWrapper, head: list[str]) -> Iterator[str]:
    """Yield the lines of the file, refusing any that would fill the memory; `head` gets the first."""
    while line := text.readline(MAX_CELL):
        if len(line) == MAX_CELL and not line.endswith("\n"):
            raise NotDelimited(f"A line of the file has more than {MAX_CELL} characters, so it is not CSV.")
        if not head:
            head.append(line)
        yield line
