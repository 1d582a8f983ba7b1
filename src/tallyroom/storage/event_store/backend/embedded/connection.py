"""Changes the event store in a folder; inserts come from a file: chDB may lose streamed ones without an error."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tallyroom.storage.event_store.backend.embedded.new_parts import NewParts
from tallyroom.storage.event_store.backend.embedded.pinned import engine_path
from tallyroom.storage.event_store.backend.engine import open_engine
from tallyroom.storage.event_store.backend.parameter_text import format_parameter
from tallyroom.storage.event_store.backend.settings import WRITE_SETTINGS, EngineSettings
from tallyroom.storage.event_store.backend.sql_text import quote_literal
from tallyroom.storage.event_store.errors import StoreError


class EmbeddedConnection:
    """Like `WritingConnection`; raises `StoreError`. The engine reads each block from `block_file`."""

    def __init__(self, folder: Path, block_file: Path, new_parts: NewParts) -> None:
        self._block_file = block_file
        self._new_parts = new_parts
        with translate_engine_errors():
            self._connection: Any = open_engine(engine_path(folder))
            for name, value in WRITE_SETTINGS.items():
                self._connection.query(f"SET {name} = {quote_literal(value)}")
            block_file.unlink(missing_ok=True)  # a power cut may have left it; no other process can be using it now

    def insert(self, table: str, columns: Sequence[str], body: bytes, settings: EngineSettings) -> None:
        """Like `WritingConnection.insert`."""
        settings_sql = ", ".join(f"{name} = {quote_literal(value)}" for name, value in settings.items())
        file_literal = quote_literal(str(self._block_file))
        with translate_engine_errors(), self._new_parts.checking_insert(self._connection):
            try:
                self._block_file.write_bytes(body)
                self._connection.query(
                    f"INSERT INTO {table} ({', '.join(columns)})"
                    f" FROM INFILE {file_literal} SETTINGS {settings_sql} FORMAT JSONCompactEachRow"
                )
            finally:
                self._block_file.unlink(missing_ok=True)  # an erasure would not reach the data in this file

    def query(self, sql: str, parameters: Mapping[str, Any], format_: str = "TabSeparated") -> str:
        """Like `WritingConnection.query`."""
        formatted_parameters = {name: format_parameter(value) for name, value in parameters.items()}
        with translate_engine_errors():
            return str(self._connection.query(sql, format_, params=formatted_parameters))

    def drop_incomplete_parts(self) -> None:
        """Like `WritingConnection.drop_incomplete_parts`."""
        self._new_parts.drop_incomplete(self._connection)

    def close(self) -> None:
        """Like `WritingConnection.close`."""
        self._connection.close()


@contextmanager
def translate_engine_errors() -> Iterator[None]:
    """Turn the errors of chDB into `StoreError`."""
    try:
        yield
    except UnicodeDecodeError as error:  # the engine's message quotes a row that is not UTF-8
        raise StoreError(error.object.decode(errors="replace")) from error
    except (RuntimeError, OSError) as error:
        raise StoreError(str(error)) from error
