"""Reads Parquet with the bundled ClickHouse engine, which an import starts only here."""

from collections.abc import Iterator
from pathlib import Path

from tallyroom.import_export.ndjson import read_line
from tallyroom.import_export.row import FileRow, RefusedRow
from tallyroom.storage.event_store.parquet import ParquetFile


class ParquetReader:
    """The rows of one Parquet file, `read_count` of which were read so far.

    Raises `ParquetUnreadable` if it is not a Parquet file, or a part of it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._file = ParquetFile(path)
        self.columns = self._file.columns
        self.row_count = self._file.row_count
        self.read_count = 0

    def iter_rows(self) -> Iterator[FileRow | RefusedRow]:
        """Yield the rows in file order; nulls are absent cells. Raise `ParquetUnreadable` if a part is damaged."""
        for line in self._file.read_lines():
            self.read_count += 1
            yield read_line(self.read_count, line)

    def close(self) -> None:
        """Stop the engine."""
        self._file.close()
