"""The interface of the store to ClickHouse, wherever it runs: one connection writes, the others only read."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from tallyroom.storage.stamp import Stamp

MAX_RESULT_ROWS = 10_000
MAY_SPILL = "may_spill"
"""A parameter that no SQL names: groups that take much memory continue on the disk, at about half the speed."""


class ReadLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The cost limits of one query of a sealed reader."""

    seconds: int
    memory_bytes: int
    max_rows: int
    max_block_rows: int | None = None  # how many rows are processed before it can be stopped; None: ClickHouse decides
    spill_bytes: int = 0  # of memory, from which on its groups continue on the disk; 0: they never do


class FoundStore(msgspec.Struct, frozen=True):
    """The state of an event store, found without changing it."""

    absence: str = ""  # such as ``is missing``; "" if it exists
    damage: str = ""  # "" if all is well
    stamp: Stamp | None = None  # None until a server of this version has started on it


class WritingConnection(Protocol):
    """A connection that may change the store. After a `StoreError`, the caller closes it and opens another."""

    def insert(self, table: str, columns: Sequence[str], body: bytes, settings: Mapping[str, str | int]) -> None:
        """Insert one block of lines, each a JSON array in the order of `columns`. `settings` apply only here.

        After `IncompletePart`, the connection stays usable; after another `StoreError`, nothing should be inserted.
        """

    def query(self, sql: str, parameters: Mapping[str, Any], format_: str = "TabSeparated") -> str:
        """Run one statement and return its output in one of ClickHouse's formats; raises `StoreError`."""

    def drop_incomplete_parts(self) -> None:
        """Drop incomplete parts of earlier inserts; raises `IncompletePart` if that fails, but stays usable."""

    def close(self) -> None:
        """Close the connection."""


class SealedReader(Protocol):
    """A connection that can only read, within fixed limits; a `Canceller` finds its query by the `query_name`."""

    query_name: str
    limits: ReadLimits
    read_row_count: int  # how many rows of tables the last query read

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """Run a query and return its answer in a format of ClickHouse; after a `StoreError`, close this reader."""

    def close(self) -> None:
        """Close the connection."""


class Canceller(Protocol):
    """Stops running queries of sealed readers."""

    def cancel(self, query_name: str) -> None:
        """Stop the query of the reader with this name, if any; raises `StoreError` if the store does not answer."""

    def close(self) -> None:
        """Close the connection."""


class Backend(Protocol):
    """One event store, open or not."""

    @property
    def folder(self) -> Path | None:
        """The folder with its data; None if a server has it."""

    @property
    def inserts_late(self) -> bool:
        """Whether a server may still insert a block after the insert has failed."""

    def inspect_store(self) -> FoundStore:
        """Examine the store without changing anything; raises `StoreError` or `OSError` if that is not possible now."""

    def count_events(self) -> int:
        """Count the events, including hidden ones, of a store that no process has open; 0 if absent or damaged."""

    def write_stamp(self, stamp: Stamp) -> None:
        """Replace the stamp, durably. After a `StoreError` or `OSError`, it may or may not have been replaced."""

    def open_store(self) -> None:
        """Create the store if necessary, and prepare it; raises `StoreError`, for example if another process has it."""

    def connect(self) -> WritingConnection:
        """Open a connection that writes; one at a time. Raises `StoreError` if the store cannot be reached."""

    def open_reader(self, limits: ReadLimits, query_name: str = "") -> SealedReader:
        """Open a connection that only reads; `query_name` has letters, digits and dashes, or is ""."""

    def open_canceller(self) -> Canceller:
        """Open a connection that stops queries; raises `StoreError` if the store cannot be reached."""

    def is_astray(self) -> bool:
        """Return whether the store was moved, deleted or replaced since it was opened."""

    def sync_tables(self) -> None:
        """Make new tables durable, because ClickHouse does not sync their folders; raises `OSError`."""
