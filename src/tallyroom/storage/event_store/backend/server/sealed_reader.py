"""Connections to a server that only read, by ``readonly=1`` and by their user, and the one that stops their queries."""

from typing import Any

from tallyroom.core.event_server import EventServer
from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.driver_errors import translate_driver_errors
from tallyroom.storage.event_store.backend.server.client import last_read_row_count, open_client
from tallyroom.storage.event_store.backend.server.long_values import inline_long_values
from tallyroom.storage.event_store.backend.settings import build_read_settings

_GRACE_SECONDS = 2  # how long an answer may be late after the query's own limit
_CANCEL_SECONDS = 5


class ServerReader:
    """Like `SealedReader`, with `query_name` as the ID of its query; raises `StoreError`."""

    def __init__(self, server: EventServer, limits: ReadLimits, query_name: str) -> None:
        self.query_name = query_name
        self.limits = limits
        self.read_row_count = 0
        settings = {**build_read_settings(limits), "readonly": 1}
        self._client = open_client(server, server.reader, settings, limits.seconds + _GRACE_SECONDS)

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """Like `SealedReader.query`; the server sends either a complete answer or an error."""
        query = inline_long_values(sql, parameters)
        settings = {**query.settings, **({"query_id": self.query_name} if self.query_name else {})}
        with translate_driver_errors():
            answer = self._client.raw_query(query.sql, query.values, settings, format_)
        self.read_row_count = last_read_row_count()
        return answer

    def close(self) -> None:
        """Like `SealedReader.close`."""
        self._client.close()


class ServerCanceller:
    """Like `Canceller`; a user may stop their own queries. Raises `StoreError` if the server does not answer."""

    def __init__(self, server: EventServer) -> None:
        self._client = open_client(server, server.reader, {}, _CANCEL_SECONDS)

    def cancel(self, query_name: str) -> None:
        """Like `Canceller.cancel`."""
        with translate_driver_errors():
            self._client.raw_query("KILL QUERY WHERE query_id = {mark:String} ASYNC", {"mark": query_name})

    def close(self) -> None:
        """Like `Canceller.close`."""
        self._client.close()
