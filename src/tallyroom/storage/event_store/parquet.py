"""Reads a Parquet file with the ClickHouse engine in memory, for commands only: a process has only one engine path."""

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.event_store.backend.engine import open_engine
from tallyroom.storage.event_store.backend.sql_text import quote_identifier

_SETTINGS = (
    "max_threads = 1",
    "input_format_parquet_preserve_order = 1",  # a second run reads the same rows at the same places
    "input_format_parquet_max_block_size = 4096",  # rows in memory at once
    "date_time_output_format = 'iso'",
    "session_timezone = 'UTC'",
    "output_format_json_quote_64bit_integers = 0",
    "output_format_json_quote_decimals = 0",
    "output_format_json_quote_denormals = 0",  # NaN is null
)
_LINES_FORMAT = "JSONEachRow"

# The engine's message about a file that is damaged, has two columns with the same name, or a column without a name.
_REASON_PATTERN = re.compile(
    r"Code: (?:117|44|352)\. DB::Exception: (.+?)\.?(?: \([A-Z_]+\)|:? \(in file| \(version|$)", re.MULTILINE
)

# The engine treats these as UTC; only the file's schema distinguishes them from times in UTC.
_ZONELESS_COLUMNS = """
SELECT DISTINCT column.path AS name FROM {table} ARRAY JOIN columns AS column
WHERE startsWith(column.logical_type, 'Timestamp(isAdjustedToUTC=false')"""


class ParquetUnreadable(TallyroomError):
    """The file is not a Parquet file, or a part of it is missing or damaged."""


class ParquetFile:
    """One file, open for reading, with the row count that it states; raises `ParquetUnreadable`."""

    def __init__(self, path: Path) -> None:
        # The engine interprets quotes, stars and braces in a path; the name of the link has none of them.
        self._link_folder = tempfile.TemporaryDirectory(prefix="tallyroom-parquet-")
        link = Path(self._link_folder.name) / "rows.parquet"
        link.symlink_to(path.resolve())
        self._path = path
        self._table_sql = f"file('{link}', 'Parquet')"
        self._metadata_table_sql = f"file('{link}', 'ParquetMetadata')"
        self._connection = open_engine(":memory:")
        try:
            for setting in _SETTINGS:
                self._connection.query(f"SET {setting}")
            columns = self._query(f"DESCRIBE TABLE {self._table_sql}")
            self.columns = tuple(str(column["name"]) for column in columns)
            self.row_count = int(self._query(f"SELECT count() AS n FROM {self._table_sql}")[0]["n"])
            self._select_list = self._build_select_list()
        except BaseException:
            self.close()
            raise

    def read_lines(self) -> Iterator[bytes]:
        """Yield each row as one JSON object, in the order of the file, with a few thousand rows in memory at once.

        A timestamp that the file does not declare as UTC is ISO 8601 text without an offset; all others end in ``Z``.
        """
        try:
            lines_sql = f"SELECT {self._select_list} FROM {self._table_sql}"
            for block in self._connection.send_query(lines_sql, _LINES_FORMAT):
                yield from block.bytes().splitlines()
        except RuntimeError as error:
            raise self._unreadable_error(error) from error

    def close(self) -> None:
        """Close the engine and remove the link."""
        self._connection.close()
        self._link_folder.cleanup()

    def _build_select_list(self) -> str:
        """Return the columns to select so that a time without a zone stays without one."""
        zoneless_columns = self._query(_ZONELESS_COLUMNS.format(table=self._metadata_table_sql))
        zoneless_names = {str(column["name"]) for column in zoneless_columns}
        quoted_names = [quote_identifier(name) for name in self.columns if name in zoneless_names]
        replacements = ", ".join(f"replaceOne(toString({name}), ' ', 'T') AS {name}" for name in quoted_names)
        return f"* REPLACE ({replacements})" if replacements else "*"

    def _query(self, sql: str) -> list[dict[str, Any]]:
        try:
            return [json.loads(line) for line in self._connection.query(sql, _LINES_FORMAT).bytes().splitlines()]
        except RuntimeError as error:
            raise self._unreadable_error(error) from error

    def _unreadable_error(self, error: Exception) -> ParquetUnreadable:
        match = _REASON_PATTERN.search(str(error))
        return ParquetUnreadable(f"{self._path} cannot be read as Parquet{': ' + match[1] if match else ''}.")
