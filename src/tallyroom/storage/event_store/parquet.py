"""Reads a Parquet file with the ClickHouse engine, in memory: it opens no event store, and none may be open.

A process can have only one engine path, so this is for the command line and never for the server.
"""

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chdb

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.event_store.backend.sql_text import quoted

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
_LINES = "JSONEachRow"

# The engine's message about a file that is damaged, has two columns of the same name, or a column without a name.
_REASON = re.compile(
    r"Code: (?:117|44|352)\. DB::Exception: (.+?)\.?(?: \([A-Z_]+\)|:? \(in file| \(version|$)", re.MULTILINE
)

# The engine treats these as UTC; only the file's own description distinguishes them from times that are UTC.
_WITHOUT_ZONE = """
SELECT DISTINCT column.path AS name FROM {table} ARRAY JOIN columns AS column
WHERE startsWith(column.logical_type, 'Timestamp(isAdjustedToUTC=false')"""


class ParquetUnreadable(TallyroomError):
    """The file is not a Parquet file, or a part of it is missing or damaged."""


class ParquetFile:
    """One file, open for reading.

    Args:
        path: the file.

    Attributes:
        columns: their names, in order.
        count: the number of rows, as the file itself states.

    Raises:
        ParquetUnreadable: its columns cannot be read.
    """

    def __init__(self, path: Path) -> None:
        # The engine gives quotes, stars and braces in a path a special meaning; the name of the link has none of them.
        self._folder = tempfile.TemporaryDirectory(prefix="tallyroom-parquet-")
        link = Path(self._folder.name) / "rows.parquet"
        link.symlink_to(path.resolve())
        self._path = path
        self._table = f"file('{link}', 'Parquet')"
        self._description = f"file('{link}', 'ParquetMetadata')"
        self._connection = chdb.connect(":memory:")
        try:
            for setting in _SETTINGS:
                self._connection.query(f"SET {setting}")
            columns = self._ask(f"DESCRIBE TABLE {self._table}")
            self.columns = tuple(str(column["name"]) for column in columns)
            self.count = int(self._ask(f"SELECT count() AS n FROM {self._table}")[0]["n"])
            self._selected = self._every_column()
        except BaseException:
            self.close()
            raise

    def lines(self) -> Iterator[bytes]:
        """Yield each row as one JSON object, in the order of the file, with a few thousand rows in memory at once.

        A timestamp that the file does not declare as UTC is ISO 8601 text without an offset; all others end in ``Z``.

        Raises:
            ParquetUnreadable: a part of the file is damaged.
        """
        try:
            for block in self._connection.send_query(f"SELECT {self._selected} FROM {self._table}", _LINES):
                yield from block.bytes().splitlines()
        except (RuntimeError, chdb.ChdbError) as error:
            raise self._unreadable(error) from error

    def close(self) -> None:
        """Close the engine and remove the link."""
        self._connection.close()
        self._folder.cleanup()

    def _every_column(self) -> str:
        """Return what to select so that a time without a zone stays without one."""
        zoneless_names = {str(column["name"]) for column in self._ask(_WITHOUT_ZONE.format(table=self._description))}
        names = [quoted(name) for name in self.columns if name in zoneless_names]
        texts = ", ".join(f"replaceOne(toString({name}), ' ', 'T') AS {name}" for name in names)
        return f"* REPLACE ({texts})" if texts else "*"

    def _ask(self, sql: str) -> list[dict[str, Any]]:
        try:
            return [json.loads(line) for line in self._connection.query(sql, _LINES).bytes().splitlines()]
        except (RuntimeError, chdb.ChdbError) as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> ParquetUnreadable:
        match = _REASON.search(str(error))
        return ParquetUnreadable(f"{self._path} cannot be read as Parquet{': ' + match[1] if match else ''}.")
