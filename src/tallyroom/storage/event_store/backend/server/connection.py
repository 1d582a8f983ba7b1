"""The connection that changes the event store on a server."""

from collections.abc import Mapping, Sequence
from typing import Any

from tallyroom.core.event_server import EventServer
from tallyroom.storage.event_store.backend.driver_errors import translate_driver_errors
from tallyroom.storage.event_store.backend.server.client import open_client
from tallyroom.storage.event_store.backend.server.long_values import inline_long_values
from tallyroom.storage.event_store.backend.settings import WRITE_SETTINGS, EngineSettings

_TIMEOUT_SECONDS = 300  # for deletions, which answer when they are done
_DEFAULT_FORMAT = "TabSeparated"  # of the server; only a query can ask for another


class ServerConnection:
    """Like `WritingConnection`; raises `StoreError` if the server does not answer, or refuses the user or a setting."""

    def __init__(self, server: EventServer) -> None:
        self._client = open_client(server, server.writer, WRITE_SETTINGS, _TIMEOUT_SECONDS)

    def insert(self, table: str, columns: Sequence[str], body: bytes, settings: EngineSettings) -> None:
        """Like `WritingConnection.insert`; after a lost answer, the block may have been inserted."""
        with translate_driver_errors():
            self._client.raw_insert(table, columns, body, settings=dict(settings), fmt="JSONCompactEachRow")

    def query(self, sql: str, parameters: Mapping[str, Any], format_: str = "TabSeparated") -> str:
        """Like `WritingConnection.query`."""
        query = inline_long_values(sql, parameters)
        request_format = None if format_ == _DEFAULT_FORMAT else format_
        with translate_driver_errors():
            return self._client.raw_query(query.sql, query.values, dict(query.settings), request_format).decode()

    def drop_incomplete_parts(self) -> None:
        """Like `WritingConnection.drop_incomplete_parts`: a server inserts a part whole or not at all."""

    def close(self) -> None:
        """Like `WritingConnection.close`."""
        self._client.close()
