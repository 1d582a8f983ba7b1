"""Connections to a server that only read, and the one that stops their queries.

Each question carries the limits and ``readonly=1``; the user that asks has no right to change anything either, so that
neither a mistake here nor one there is enough.
"""

from typing import Any

from tallyroom.core.event_server import EventServer
from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.driver_errors import driver_errors_told
from tallyroom.storage.event_store.backend.server.client import open_client
from tallyroom.storage.event_store.backend.server.long_values import written_into
from tallyroom.storage.event_store.backend.settings import reading

_GRACE_SECONDS = 2  # how much longer than the limit of a query its answer may take to begin
_CANCEL_SECONDS = 5


class ServerReader:
    """Like `SealedReader`.

    Args:
        server: the server.
        limits: what a query may cost.
        mark: a unique name, which is the id of the reader's query.

    Raises:
        StoreError: the server does not answer, or refuses the user or a limit.
    """

    def __init__(self, server: EventServer, limits: ReadLimits, mark: str) -> None:
        self.mark = mark
        self.limits = limits
        settings = {**reading(limits), "readonly": 1}
        self._client = open_client(server, server.reader, settings, limits.seconds + _GRACE_SECONDS)

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """Like `SealedReader.query`; the server sends an answer when it is complete, or the error alone."""
        query = written_into(sql, parameters)
        settings = {**query.settings, **({"query_id": self.mark} if self.mark else {})}
        with driver_errors_told():
            return self._client.raw_query(query.sql, query.values, settings, format_)

    def close(self) -> None:
        """Like `SealedReader.close`."""
        self._client.close()


class ServerCanceller:
    """Like `Canceller`; a user may stop their own queries.

    Raises:
        StoreError: the server does not answer.
    """

    def __init__(self, server: EventServer) -> None:
        self._client = open_client(server, server.reader, {}, _CANCEL_SECONDS)

    def cancel(self, mark: str) -> None:
        """Like `Canceller.cancel`."""
        with driver_errors_told():
            self._client.raw_query("KILL QUERY WHERE query_id = {mark:String} ASYNC", {"mark": mark})

    def close(self) -> None:
        """Like `Canceller.close`."""
        self._client.close()
