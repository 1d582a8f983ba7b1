"""Connections of chDB that only read, and the one that stops their queries.

Limits are set first and ``readonly=1`` last; after that, neither limits nor data can change. After an error, a reader
is closed, because a failed query leaves its output to the next query on the same connection.
"""

from pathlib import Path
from typing import Any

import clickhouse_connect
from clickhouse_connect.driver.client import Client

from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.driver_errors import translate_driver_errors
from tallyroom.storage.event_store.backend.embedded.pinned import engine_path
from tallyroom.storage.event_store.backend.settings import build_read_settings
from tallyroom.storage.event_store.backend.sql_text import quote_literal


class EmbeddedReader:
    """Like `SealedReader`; an `EmbeddedCanceller` finds its query by `query_name`, in letters, digits and dashes."""

    def __init__(self, folder: Path, limits: ReadLimits, query_name: str) -> None:
        self.query_name = query_name
        self.limits = limits
        self._client = _open_client(folder)
        for name, value in {**build_read_settings(limits), "log_comment": query_name, "readonly": 1}.items():
            self._client.command(f"SET {name} = {quote_literal(value)}")

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """Like `SealedReader.query`."""
        with translate_driver_errors():
            return self._client.raw_query(sql, parameters=parameters, fmt=format_)

    def close(self) -> None:
        """Like `SealedReader.close`."""
        self._client.close()


class EmbeddedCanceller:
    """Like `Canceller`."""

    def __init__(self, folder: Path) -> None:
        self._client = _open_client(folder)

    def cancel(self, query_name: str) -> None:
        """Like `Canceller.cancel`."""
        with translate_driver_errors():
            sql = "KILL QUERY WHERE Settings['log_comment'] = {mark:String} ASYNC"
            self._client.raw_query(sql, parameters={"mark": query_name})

    def close(self) -> None:
        """Like `Canceller.close`."""
        self._client.close()


def _open_client(folder: Path) -> Client:
    with translate_driver_errors():
        return clickhouse_connect.get_client(interface="chdb", path=engine_path(folder))
