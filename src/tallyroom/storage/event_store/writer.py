"""The single connection that changes the event store.

The statement after an error opens a new connection before it closes the old one, because an engine in this process ends
with its last connection, and leaves files open each time.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tallyroom.storage.event_store.backend.backend import Backend, WritingConnection
from tallyroom.storage.event_store.backend.settings import MANY_MONTHS_SETTINGS, build_token_settings
from tallyroom.storage.event_store.errors import IncompletePart, StoreError
from tallyroom.storage.event_store.number_texts import add_number_texts
from tallyroom.storage.event_store.tables import EVENTS, LISTING_COLUMNS

_CLOSE_SECONDS = 10.0


class Writer:
    """The single connection that changes the store; threads take turns on it. Raises `StoreError`."""

    def __init__(self, backend: Backend, *, connects_now: bool = True) -> None:
        self.removal_generation = 0  # how often events were removed or shown again since the start
        self.on_failure: Callable[[StoreError], None] = lambda _: None  # for failed statements, in their threads
        self.backend = backend
        self._lock = threading.RLock()
        self._is_closed = False
        backend.open_store()
        self._connection: WritingConnection | None = backend.connect() if connects_now else None
        self._failed_connection: WritingConnection | None = None

    def insert_events(self, body: bytes, token: str) -> None:
        """Insert one block of events of one month; inserting twice with the same token inserts it once.

        `body` has lines, each a JSON array in the order of `EVENT_COLUMNS`. `token` is a permanent name for exactly
        these bytes, in letters, digits and dashes. After `IncompletePart`, the disk did not accept the whole block, and
        the token is used up; after another `StoreError`, nothing was inserted, as far as the store says.
        """
        block = add_number_texts(body)
        with self._use_connection() as connection:
            connection.insert(EVENTS, block.columns, block.body, build_token_settings(token))

    def insert_listing_rows(self, table: str, body: bytes) -> None:
        """Insert JSON arrays in the order of `LISTING_COLUMNS`, one a line; a row inserted twice exists once."""
        with self._use_connection() as connection:
            connection.insert(table, LISTING_COLUMNS[table], body, {**build_token_settings(""), **MANY_MONTHS_SETTINGS})

    def insert_rows(self, table: str, columns: Sequence[str], body: bytes, token: str) -> None:
        """Insert JSON arrays in the order of `columns`, one a line; `token` is as for `insert_events`, if used."""
        with self._use_connection() as connection:
            connection.insert(table, columns, body, {**build_token_settings(token), **MANY_MONTHS_SETTINGS})

    def has_event(  # the columns that find one event without a scan
        self, workspace_id: str, environment: str, name: str, timestamp_ms: int, spool: int, seq: int
    ) -> bool:
        """Return whether one event is in the store; a block of one month is either there whole or not at all."""
        with self._use_connection() as connection:
            connection.drop_incomplete_parts()
        event_count = self.command(
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
        return int(event_count) > 0

    def derive_labels(self, spool: int, first_seq: int, last_seq: int) -> None:
        """Write the labels of stored events again; an actor's newest label stays the newest. Raises `StoreError`."""
        self.command(
            "INSERT INTO actor_labels SETTINGS deduplicate_insert_select = 'disable'"
            " SELECT workspace_id, environment, actor,"
            " max((events.timestamp, events.received_at, spool, seq, actor_label))"
            f" FROM {EVENTS} WHERE spool = {{spool:UInt32}} AND seq BETWEEN {{first:UInt64}} AND {{last:UInt64}}"
            " AND actor != '' AND actor_label != '' GROUP BY workspace_id, environment, actor",
            {"spool": spool, "first": first_seq, "last": last_seq},
        )

    def command(self, sql: str, parameters: dict[str, Any] | None = None, format_: str = "TabSeparated") -> str:
        """Run one statement and return its output as text; raises `StoreError`."""
        with self._use_connection() as connection:
            return connection.query(sql, parameters or {}, format_)

    @contextmanager
    def hold_lock(self) -> Iterator[None]:
        """Keep other threads from writing while the block runs."""
        with self._lock:
            yield

    @contextmanager
    def removing_events(self) -> Iterator[None]:
        """Like `hold_lock`, for commands that remove events or show them again, even if they fail."""
        with self.hold_lock():
            try:
                yield
            finally:
                self.removal_generation += 1

    @contextmanager
    def _use_connection(self) -> Iterator[WritingConnection]:
        with self._lock:
            if self._is_closed:
                raise StoreError("the event store is closed")
            self._refuse_astray()
            if self._connection is None:
                self._connection = self.backend.connect()
                self._close_failed()
            try:
                yield self._connection
            except IncompletePart:
                raise
            except StoreError as error:
                self._connection, self._failed_connection = None, self._connection
                self.on_failure(error)
                raise
            self._refuse_astray()

    def _refuse_astray(self) -> None:
        if self.backend.is_astray():
            raise StoreError("the event store was moved, deleted or replaced")

    def close(self) -> None:
        """Release the store; a connection that another thread is still using stays open until the process ends."""
        self._is_closed = True
        if self._lock.acquire(timeout=_CLOSE_SECONDS):
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()
            self._close_failed()
            self._lock.release()

    def _close_failed(self) -> None:
        connection, self._failed_connection = self._failed_connection, None
        if connection is not None:
            connection.close()
