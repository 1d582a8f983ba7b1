"""Connections that only read, and the one that stops their queries.

A sealed reader is a clickhouse-connect client whose limits are set first and ``readonly=1`` last; from then on, neither
limits nor data can be changed through it. One that raised is closed and never used again, because a failed query leaves
its output to the next query on the same connection.
"""

from pathlib import Path
from typing import Any

import clickhouse_connect
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import Error as DriverError

from tallyroom.store.errors import StoreError
from tallyroom.store.pinned import engine_path


class SealedReader:
    """One connection that can only read, within limits that it can no longer change.

    Args:
        path: directory of the store.
        seconds: the longest that one query may take.
        memory_bytes: the most memory that one query may use.
        rows: the most rows that one answer may have.
        mark: a unique name, in letters, digits and dashes, by which a `Canceller` finds the reader's query.
        block_rows: the number of rows that a query processes before it can be stopped; the engine decides if None.
    """

    def __init__(  # limits, each by its name
        self, path: Path, *, seconds: int, memory_bytes: int, rows: int, mark: str = "", block_rows: int | None = None
    ) -> None:
        self.mark = mark
        self.block_rows = block_rows
        self._client = _client(path)
        for setting in (
            f"max_execution_time = {seconds}",
            f"max_memory_usage = {memory_bytes}",
            f"max_result_rows = {rows}",
            "result_overflow_mode = 'throw'",
            "max_threads = 1",
            f"log_comment = '{mark}'",
            "output_format_json_quote_64bit_integers = 0",
            "output_format_json_quote_denormals = 0",
            "output_format_json_escape_forward_slashes = 0",  # text comes out the way people write it
            "output_format_parquet_write_page_index = 0",  # an export's row groups are too small to need an index
            "output_format_parquet_write_bloom_filter = 0",
            *_blocks_of(block_rows),
            "readonly = 1",
        ):
            self._client.command(f"SET {setting}")

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """Run a query and return its answer: JSON lines with one object per row, or another format of the engine.

        Raises:
            StoreError: the query failed; the caller must close this reader.
        """
        try:
            return self._client.raw_query(sql, parameters=parameters, fmt=format_)
        except (DriverError, OSError) as error:
            raise StoreError(str(error)) from error

    def close(self) -> None:
        """Give the connection back to the engine."""
        self._client.close()


class Canceller:
    """Stops running queries of sealed readers.

    Args:
        path: directory of the store.
    """

    def __init__(self, path: Path) -> None:
        self._client = _client(path)

    def cancel(self, mark: str) -> None:
        """Stop the query of the reader with this mark; does nothing if it runs none.

        Raises:
            StoreError: the engine does not answer.
        """
        try:
            self._client.raw_query(
                "KILL QUERY WHERE Settings['log_comment'] = {mark:String} ASYNC", parameters={"mark": mark}
            )
        except (DriverError, OSError) as error:
            raise StoreError(str(error)) from error

    def close(self) -> None:
        """Give the connection back to the engine."""
        self._client.close()


def _blocks_of(rows: int | None) -> tuple[str, ...]:
    """Return the settings for blocks of at most `rows` rows.

    The engine must neither choose block sizes by bytes nor remember blocks without a match: either way, no block would
    be smaller than a granule.
    """
    if rows is None:
        return ()
    return f"max_block_size = {rows}", "preferred_block_size_bytes = 0", "use_query_condition_cache = 0"


def _client(path: Path) -> Client:
    try:
        client: Client = clickhouse_connect.get_client(interface="chdb", path=engine_path(path))
    except (DriverError, OSError) as error:
        raise StoreError(str(error)) from error
    return client
