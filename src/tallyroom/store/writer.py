"""The single connection that changes the event store.

It is a direct chDB connection. It inserts a block from a file beside the store: streaming the bytes would cost the
same, but chDB would then report success even if it could not write the part. A connection that raised is closed, and
the next statement opens a new one.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chdb
from clickhouse_connect.driver.binding import format_bind_value

from tallyroom.core.whereabouts import Whereabouts
from tallyroom.store.errors import StoreError
from tallyroom.store.new_parts import NewParts
from tallyroom.store.pinned import engine_path, pin
from tallyroom.store.tables import EVENT_COLUMNS, EVENTS, FED_COLUMNS

_WRITER_SETTINGS = (
    "async_insert = 0",  # a successful insert means that the part is on disk
    "max_insert_threads = 1",
    "input_format_parallel_parsing = 0",  # one block per call, so that one token covers it
    "input_format_json_read_objects_as_strings = 1",  # properties arrive as the text that was sent
    "allow_simdjson = 1",  # the other JSON reader misses the nearest double for every eighth number
    "deduplicate_blocks_in_dependent_materialized_views = 1",  # a resent block reaches the label view too
    "exclude_materialize_skip_indexes_on_insert = 'numbers_keys'",  # merges make it, so that an insert costs no more
    "mutations_sync = 1",  # an erasure returns only when it is done
)
_LAST_WAIT = 10.0
_YEARS_AT_ONCE = "SETTINGS max_partitions_per_insert_block = 0 "  # a listing's history spans many monthly partitions
_INSERT = f"INSERT INTO {EVENTS} ({', '.join(EVENT_COLUMNS)})"


class Writer:
    """The single connection that changes the store; threads take turns on it.

    Args:
        path: directory of the store.

    Attributes:
        path: the directory.
        generation: how often, since the start, events were taken away or brought back, as opposed to added.
        on_failure: called with the error of each failed statement, in the thread that ran it.

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
        self._new_parts = NewParts()
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
        """Insert one block of events of one month; inserting twice with the same token inserts it once.

        Args:
            body: lines, each a JSON array in the order of `EVENT_COLUMNS`.
            token: a permanent name for exactly these bytes, in letters, digits and dashes.

        Raises:
            IncompletePart: the disk did not take the whole block; the token is used up.
            StoreError: nothing was inserted, as far as the store says.
        """
        with self._use() as connection, self._new_parts.checked(connection):
            connection.query(f"SET insert_deduplication_token = '{token}'")
            self._insert_block(connection, _INSERT, body)

    def insert_fed(self, table: str, body: bytes) -> None:
        """Insert rows of listings; a row that is inserted twice exists once.

        Args:
            table: a table of `FED_COLUMNS`.
            body: lines, each a JSON array in the order of its columns.

        Raises:
            StoreError: only some of the rows may have been inserted; it is safe to insert all of them again.
        """
        with self._use() as connection, self._new_parts.checked(connection):
            connection.query("SET insert_deduplication_token = ''")
            insert = f"INSERT INTO {table} ({', '.join(FED_COLUMNS[table])})"
            self._insert_block(connection, insert, body, _YEARS_AT_ONCE)

    def _insert_block(self, connection: Any, insert: str, body: bytes, settings: str = "") -> None:
        try:
            self._block_file.write_bytes(body)
            connection.query(f"{insert} FROM INFILE '{self._block_path}' {settings}FORMAT JSONCompactEachRow")
        finally:
            self._block_file.unlink(missing_ok=True)  # an erasure reaches the store, not a file beside it

    def has(  # what leads to one event without a scan
        self, workspace_id: str, environment: str, name: str, timestamp_ms: int, spool: int, seq: int
    ) -> bool:
        """Return whether one event is in the store; a block of one month is either there whole or not at all.

        Raises:
            StoreError: the store does not answer.
        """
        with self._use() as connection:
            self._new_parts.drop_incomplete(connection)
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
        """Write the labels of stored events again; the newest label of each actor stays the newest.

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
        """Fsync every folder under the store's directory: the engine syncs parts, but not the folders of tables.

        A merge may move or delete a part's folder meanwhile, which needs nothing.
        """
        _sync_folder(self.path.parent)
        for path, _, _ in os.walk(self.path, onerror=_unless_gone):
            _sync_folder(path)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other threads from writing while the block runs."""
        with self._turn:
            yield

    @contextmanager
    def taking_away(self) -> Iterator[None]:
        """Like `alone`, for commands that take events away or bring them back; even a failed one may have done so."""
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
            except UnicodeDecodeError as error:  # the engine's message quotes a row that is not UTF-8
                self._throw_away()
                raise StoreError(error.object.decode(errors="replace")) from error
            except (RuntimeError, OSError, chdb.ChdbError) as error:
                self._throw_away()
                failure = StoreError(str(error))
                self.on_failure(failure)
                raise failure from error
            self._refuse_astray()

    def _refuse_astray(self) -> None:
        """Refuse to work if the folder was moved: it gets what is written, but another may have replaced it."""
        if self._whereabouts.astray() is not None:
            raise StoreError("the event store was moved, deleted or replaced")

    def close(self) -> None:
        """Release the directory; a connection that another thread is still using stays open until the process ends."""
        self._closed = True
        if self._turn.acquire(timeout=_LAST_WAIT):
            self._throw_away()
            self._turn.release()

    def _throw_away(self) -> None:
        """Close the connection; the next use opens a new one."""
        connection, self._connection = self._connection, None
        self._new_parts.forget_folders()
        if connection is not None:
            connection.close()


def _sync_folder(path: Path | str) -> None:
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _unless_gone(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
