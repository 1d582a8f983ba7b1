"""The one place that opens connections to ClickHouse; no other file imports a driver.

Two kinds exist. The *writer* is one direct chDB connection, which inserts a block from a file beside the store: handing
over the bytes as a stream costs the same, but then chDB reports success when the part could not be written. A
*sealed reader* is a clickhouse-connect client whose limits are set first and ``readonly=1`` last: after that, neither
limits nor data can be changed through it. A connection that raised is closed and never used again, because a failed
query leaves its output to the next one on the same connection.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chdb
import clickhouse_connect
from clickhouse_connect.driver.binding import format_bind_value
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import Error as DriverError

from tallyroom.core.whereabouts import Whereabouts
from tallyroom.store.errors import StoreError
from tallyroom.store.pinned import pin, pinned
from tallyroom.store.tables import EVENT_COLUMNS, EVENTS, FED_COLUMNS

_WRITER_SETTINGS = (
    "async_insert = 0",  # an answer means that the part is on disk
    "max_insert_threads = 1",
    "input_format_parallel_parsing = 0",  # one block a call, so that one token covers it
    "input_format_json_read_objects_as_strings = 1",  # properties arrive as the text that was sent
    "allow_simdjson = 1",  # the other JSON reader misses the nearest double for every eighth number
    "deduplicate_blocks_in_dependent_materialized_views = 1",  # a resent block reaches the label view too
    "mutations_sync = 1",  # an erasure answers when it is done
)
_LAST_WAIT = 10.0
_YEARS_AT_ONCE = "SETTINGS max_partitions_per_insert_block = 0 "  # a listing's history has a part for each month
_INSERT = f"INSERT INTO {EVENTS} ({', '.join(EVENT_COLUMNS)})"


class Writer:
    """The single connection that changes the store; threads take turns on it.

    Args:
        path: directory of the store.

    Attributes:
        path: the directory.
        generation: how often since the start events were taken away or brought back, rather than added.
        on_failure: hears of each statement that fails, in the thread that asked for it.

    Raises:
        StoreError: the directory cannot be opened, for example because another process holds it.
    """

    def __init__(self, path: Path) -> None:
        self.generation = 0
        self.on_failure: Callable[[StoreError], None] = lambda _: None
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            pin(path)
            self._block_file = pin(path.parent) / f"{path.name}.insert"
        except OSError as error:
            raise StoreError(str(error)) from error
        self._block_path = str(self._block_file).replace("\\", "\\\\").replace("'", "\\'")
        self._whereabouts = Whereabouts(path)
        self._turn = threading.RLock()
        self._closed = False
        self._connection = self._open()
        self._block_file.unlink(missing_ok=True)  # a power cut may have left it

    def _open(self) -> Any:
        try:
            connection = chdb.connect(engine_path(self.path))
            for setting in _WRITER_SETTINGS:
                connection.query(f"SET {setting}")
        except (RuntimeError, OSError, chdb.ChdbError) as error:
            raise StoreError(str(error)) from error
        return connection

    def insert(self, body: bytes, token: str) -> None:
        """Insert one block of events of one month; the same token twice inserts once.

        Args:
            body: lines, each a JSON array in the order of `EVENT_COLUMNS`.
            token: letters, digits and dashes that name these very bytes for ever.

        Raises:
            StoreError: nothing was inserted, as far as the store says.
        """
        with self._use() as connection:
            connection.query(f"SET insert_deduplication_token = '{token}'")
            self._insert_block(connection, _INSERT, body)

    def insert_fed(self, table: str, body: bytes) -> None:
        """Insert rows of listings; the same rows twice are there once.

        Args:
            table: a table of `FED_COLUMNS`.
            body: lines, each a JSON array in the order of its columns.

        Raises:
            StoreError: some rows may be there and others not; all of them can be inserted again.
        """
        with self._use() as connection:
            connection.query("SET insert_deduplication_token = ''")
            insert = f"INSERT INTO {table} ({', '.join(FED_COLUMNS[table])})"
            self._insert_block(connection, insert, body, _YEARS_AT_ONCE)

    def _insert_block(self, connection: Any, insert: str, body: bytes, settings: str = "") -> None:
        self._block_file.write_bytes(body)
        try:
            connection.query(f"{insert} FROM INFILE '{self._block_path}' {settings}FORMAT JSONCompactEachRow")
        finally:
            self._block_file.unlink()  # an erasure reaches the store, not a file beside it

    def has(  # what leads to one event without a scan
        self, workspace_id: str, environment: str, name: str, timestamp_ms: int, spool: int, seq: int
    ) -> bool:
        """Whether one event is in the store; a block of one month is there whole or not at all.

        Raises:
            StoreError: the store does not say.
        """
        found = self.command(
            f"SELECT count() FROM {EVENTS} WHERE workspace_id = {{workspace_id:UUID}}"
            " AND environment = {environment:String} AND name = {name:String}"
            " AND timestamp = fromUnixTimestamp64Milli({timestamp_ms:Int64}, 'UTC')"
            " AND toDate(timestamp) = toDate(fromUnixTimestamp64Milli({timestamp_ms:Int64}, 'UTC'))"
            " AND spool = {spool:UInt32} AND seq = {seq:UInt64}",
            {
                "workspace_id": workspace_id,
                "environment": environment,
                "name": name,
                "timestamp_ms": timestamp_ms,
                "spool": spool,
                "seq": seq,
            },
        )
        return int(found) > 0

    def derive_labels(self, spool: int, first_seq: int, last_seq: int) -> None:
        """Write the labels of stored events again; of each actor the newest stays the newest.

        Raises:
            StoreError: nothing was written.
        """
        self.command(
            "INSERT INTO actor_labels SETTINGS deduplicate_insert_select = 'disable'"
            " SELECT workspace_id, environment, actor,"
            " max((events.timestamp, events.received_at, spool, seq, actor_label))"
            f" FROM {EVENTS} WHERE spool = {{spool:UInt32}} AND seq BETWEEN {{first:UInt64}} AND {{last:UInt64}}"
            " AND actor != '' AND actor_label != '' GROUP BY workspace_id, environment, actor",
            {"spool": spool, "first": first_seq, "last": last_seq},
        )

    def command(self, sql: str, parameters: dict[str, Any] | None = None, format_: str = "TabSeparated") -> str:
        """Run one statement and return its output as text.

        Raises:
            StoreError: the statement failed.
        """
        with self._use() as connection:
            bound = {name: format_bind_value(value) for name, value in (parameters or {}).items()}
            return str(connection.query(sql, format_, params=bound))

    def sync_folders(self) -> None:
        """Put every name under the store's directory on the disk: the engine syncs parts, not the folders of tables."""
        for path in (self.path.parent, self.path, *self.path.rglob("*")):
            if path.is_dir():
                folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other threads from writing between several commands."""
        with self._turn:
            yield

    @contextmanager
    def taking_away(self) -> Iterator[None]:
        """As `alone`, for commands that take events away or bring them back; one that fails may have done so, too."""
        with self.alone():
            try:
                yield
            finally:
                self.generation += 1

    @contextmanager
    def _use(self) -> Iterator[Any]:
        with self._turn:
            if self._closed:
                raise StoreError("the event store is closed")
            self._refuse_astray()
            if self._connection is None:
                self._connection = self._open()
            try:
                yield self._connection
            except UnicodeDecodeError as error:  # the engine's message, where it quotes a row that is no UTF-8
                self._throw_away()
                raise StoreError(error.object.decode(errors="replace")) from error
            except (RuntimeError, OSError, chdb.ChdbError) as error:
                self._throw_away()
                failure = StoreError(str(error))
                self.on_failure(failure)
                raise failure from error
            self._refuse_astray()

    def _refuse_astray(self) -> None:
        """A folder that was moved has what is written, but another may have taken its place for good."""
        if self._whereabouts.astray() is not None:
            raise StoreError("the event store was moved, deleted or replaced")

    def close(self) -> None:
        """Give the directory back; a connection that another thread still uses is left to the end of the process."""
        self._closed = True
        if self._turn.acquire(timeout=_LAST_WAIT):
            self._throw_away()
            self._turn.release()

    def _throw_away(self) -> None:
        """Close the connection; the next use opens a new one, as often as that takes."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class SealedReader:
    """One connection that can only read, within limits that it can no longer change.

    Args:
        path: directory of the store.
        seconds: most time that one query may take.
        memory_bytes: most memory that one query may take.
        rows: most rows that one answer may have.
        mark: letters, digits and dashes that a `Canceller` finds the reader's query by; no other reader has it.
        block_rows: how many rows a query looks at before it can be stopped; the engine decides when None.
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
            "output_format_json_escape_forward_slashes = 0",  # a text comes out as a person would write it
            "output_format_parquet_write_page_index = 0",  # a row group of an export is too small to look inside
            "output_format_parquet_write_bloom_filter = 0",
            *_blocks_of(block_rows),
            "readonly = 1",
        ):
            self._client.command(f"SET {setting}")

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """The answer, as JSON lines with one object a row unless another format of the engine is asked for.

        Raises:
            StoreError: the query failed; the caller closes this reader.
        """
        try:
            return self._client.raw_query(sql, parameters=parameters, fmt=format_)
        except (DriverError, OSError) as error:
            raise StoreError(str(error)) from error

    def close(self) -> None:
        """Give the connection back to the engine."""
        self._client.close()


class Canceller:
    """Stops queries of sealed readers in their course.

    Args:
        path: directory of the store.
    """

    def __init__(self, path: Path) -> None:
        self._client = _client(path)

    def cancel(self, mark: str) -> None:
        """Stop the query that the reader with this mark runs; nothing happens when it runs none.

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


def engine_path(path: Path) -> str:
    """What all connections of a process have to call a store by; without `file:` a driver resolves the name."""
    return f"file:{pinned(path)}"


def _blocks_of(rows: int | None) -> tuple[str, ...]:
    """Settings for blocks of so many rows.

    While blocks may be of a size in bytes, too, or remembered as without a match, none is smaller than a granule.
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
