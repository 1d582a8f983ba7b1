"""Connections of chDB that only read, and the one that stops their queries.

Limits are set first and ``readonly=1`` last; after that, neither limits nor data can change. After an error, a reader
is closed, because a failed query leaves its output to the next query on the same connection.
"""

from pathlib import Path
from typing import Any

from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.embedded.connection import translate_engine_errors
from tallyroom.storage.event_store.backend.embedded.pinned import engine_path
from tallyroom.storage.event_store.backend.engine import open_engine
from tallyroom.storage.event_store.backend.parameter_text import format_parameter
from tallyroom.storage.event_store.backend.settings import build_read_settings
from tallyroom.storage.event_store.backend.sql_text import quote_literal


class EmbeddedReader:
    """Like `SealedReader`; an `EmbeddedCanceller` finds its query by `query_name`, in letters, digits and dashes."""

    def __init__(self, folder: Path, limits: ReadLimits, query_name: str) -> None:
        self.query_name = query_name
        self.limits = limits
        self.read_row_count = 0
        with translate_engine_errors():
            self._connection = open_engine(engine_path(folder))
            for name, value in {**build_read_settings(limits), "log_comment": query_name, "readonly": 1}.items():
                self._connection.query(f"SET {name} = {quote_literal(value)}")

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """Like `SealedReader.query`."""
        formatted_parameters = {name: format_parameter(value) for name, value in parameters.items()}
        with translate_engine_errors():
            answer = self._connection.query(sql, format_, params=formatted_parameters)
            self.read_row_count = answer.storage_rows_read()
            return bytes(answer.bytes() or b"")

    def close(self) -> None:
        """Like `SealedReader.close`."""
        self._connection.close()


class EmbeddedCanceller:
    """Like `Canceller`."""

    def __init__(self, folder: Path) -> None:
        with translate_engine_errors():
            self._connection = open_engine(engine_path(folder))

    def cancel(self, query_name: str) -> None:
        """Like `Canceller.cancel`."""
        with translate_engine_errors():
            sql = "KILL QUERY WHERE Settings['log_comment'] = {mark:String} ASYNC"
            self._connection.query(sql, params={"mark": query_name})

    def close(self) -> None:
        """Like `Canceller.close`."""
        self._connection.close()
