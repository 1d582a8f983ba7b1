"""Connections of chDB that only read, and the one that stops their queries.

A sealed reader is a clickhouse-connect client whose limits are set first and ``readonly=1`` last; from then on, neither
limits nor data can be changed through it. One that raised is closed and never used again, because a failed query leaves
its output to the next query on the same connection.
"""

from typing import Any

import clickhouse_connect
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import Error as DriverError

from tallyroom.store.backend.backend import ReadLimits
from tallyroom.store.backend.settings import literal, reading
from tallyroom.store.errors import StoreError


class EmbeddedReader:
    """Like `SealedReader`.

    Args:
        path: the store, as `engine_path` names it.
        limits: what a query may cost.
        mark: a unique name, in letters, digits and dashes, by which an `EmbeddedCanceller` finds the reader's query.
    """

    def __init__(self, path: str, limits: ReadLimits, mark: str) -> None:
        self.mark = mark
        self.limits = limits
        self._client = _client(path)
        for name, value in {**reading(limits), "log_comment": mark, "readonly": 1}.items():
            self._client.command(f"SET {name} = {literal(value)}")

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """Like `SealedReader.query`."""
        try:
            return self._client.raw_query(sql, parameters=parameters, fmt=format_)
        except (DriverError, OSError) as error:
            raise StoreError(str(error)) from error

    def close(self) -> None:
        """Like `SealedReader.close`."""
        self._client.close()


class EmbeddedCanceller:
    """Like `Canceller`.

    Args:
        path: the store, as `engine_path` names it.
    """

    def __init__(self, path: str) -> None:
        self._client = _client(path)

    def cancel(self, mark: str) -> None:
        """Like `Canceller.cancel`."""
        try:
            self._client.raw_query(
                "KILL QUERY WHERE Settings['log_comment'] = {mark:String} ASYNC", parameters={"mark": mark}
            )
        except (DriverError, OSError) as error:
            raise StoreError(str(error)) from error

    def close(self) -> None:
        """Like `Canceller.close`."""
        self._client.close()


def _client(path: str) -> Client:
    try:
        client: Client = clickhouse_connect.get_client(interface="chdb", path=path)
    except (DriverError, OSError) as error:
        raise StoreError(str(error)) from error
    return client
