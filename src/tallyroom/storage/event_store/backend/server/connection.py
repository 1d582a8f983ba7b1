"""The connection that changes the event store on a server."""

from collections.abc import Mapping, Sequence
from typing import Any

from tallyroom.core.event_server import EventServer
from tallyroom.storage.event_store.backend.driver_errors import driver_errors_told
from tallyroom.storage.event_store.backend.server.client import open_client
from tallyroom.storage.event_store.backend.server.long_values import written_into
from tallyroom.storage.event_store.backend.settings import WRITING, Settings

_SECONDS = 300  # for a deletion, which answers when it is done
_PLAIN = "TabSeparated"
"""What the server answers in unless it is asked for another format, which only a query can be."""


class ServerConnection:
    """Like `WritingConnection`.

    Raises:
        StoreError: the server does not answer, or refuses the user or a setting.
    """

    def __init__(self, server: EventServer) -> None:
        self._client = open_client(server, server.writer, WRITING, _SECONDS)

    def insert(self, table: str, columns: Sequence[str], body: bytes, settings: Settings) -> None:
        """Like `WritingConnection.insert`; an answer that is lost may belong to a block that was inserted."""
        with driver_errors_told():
            self._client.raw_insert(table, columns, body, settings=dict(settings), fmt="JSONCompactEachRow")

    def query(self, sql: str, parameters: Mapping[str, Any], format_: str = "TabSeparated") -> str:
        """Like `WritingConnection.query`."""
        query = written_into(sql, parameters)
        format_asked = None if format_ == _PLAIN else format_
        with driver_errors_told():
            return self._client.raw_query(query.sql, query.values, dict(query.settings), format_asked).decode()

    def settle(self) -> None:
        """Like `WritingConnection.settle`: a server inserts a part whole or not at all."""

    def close(self) -> None:
        """Like `WritingConnection.close`."""
        self._client.close()
