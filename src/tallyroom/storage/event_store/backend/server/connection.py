"""The connection that changes the event store on a server."""

from collections.abc import Mapping, Sequence
from typing import Any

from clickhouse_connect.driver.client import Client

from tallyroom.core.event_server import EventServer
from tallyroom.storage.event_store.backend.driver_errors import translate_driver_errors
from tallyroom.storage.event_store.backend.server.client import open_client
from tallyroom.storage.event_store.backend.server.long_values import inline_long_values
from tallyroom.storage.event_store.backend.settings import WRITE_SETTINGS, EngineSettings

_TIMEOUT_SECONDS = 300  # for deletions, which answer when they are done
_DEFAULT_FORMAT = "TabSeparated"  # of the server; only a query can ask for another


class ServerConnection:
    """Like `WritingConnection`, on a client that connections share.

    Raises `StoreError` if the server does not answer, or refuses the user or a setting.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

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
        """Like `WritingConnection.close`: other connections may use the client."""


def open_writing_client(server: EventServer) -> Client:
    """Open a client for the user that may change the store; it reads all settings of the server."""
    return open_client(server, server.writer, WRITE_SETTINGS, _TIMEOUT_SECONDS)
