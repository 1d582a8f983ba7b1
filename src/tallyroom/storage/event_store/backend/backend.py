"""What the store asks of ClickHouse, wherever it runs: one connection that writes, others that only read."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from tallyroom.storage.stamp import Stamp

MAX_RESULT_ROWS = 10_000
"""The most rows that the answer to a question may have."""


class ReadLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What one query of a sealed reader may cost.

    Attributes:
        seconds: the longest that it may take.
        memory_bytes: the most memory that it may use.
        max_rows: the most rows that its answer may have.
        max_block_rows: the number of rows that it processes before it can be stopped; ClickHouse decides if None.
    """

    seconds: int
    memory_bytes: int
    max_rows: int
    max_block_rows: int | None = None


class FoundStore(msgspec.Struct, frozen=True):
    """The state in which an event store was found, without changing it.

    Attributes:
        absence: in what way it is absent, such as ``is missing``; empty if it is there.
        damage: what is wrong with it, in a few words; empty if nothing is known to be.
        stamp: its stamp; None until a server of this version has started on it.
    """

    absence: str = ""
    damage: str = ""
    stamp: Stamp | None = None


class WritingConnection(Protocol):
    """A connection that may change the store. After a `StoreError`, the caller closes it and opens another."""

    def insert(self, table: str, columns: Sequence[str], body: bytes, settings: Mapping[str, str | int]) -> None:
        """Insert one block.

        Args:
            table: the table.
            columns: the columns of each row.
            body: lines, each a JSON array in the order of the columns.
            settings: settings of this insert alone.

        Raises:
            IncompletePart: the disk did not take the whole block; the connection stays usable.
            StoreError: nothing was inserted, as far as the store says.
        """

    def query(self, sql: str, parameters: Mapping[str, Any], format_: str = "TabSeparated") -> str:
        """Run one statement and return its output in one of ClickHouse's formats.

        Raises:
            StoreError: the statement failed.
        """

    def drop_incomplete_parts(self) -> None:
        """Take back what earlier inserts left incomplete, so that no query sees it.

        Raises:
            IncompletePart: that is not possible now; the connection stays usable.
        """

    def close(self) -> None:
        """Close the connection."""


class SealedReader(Protocol):
    """A connection that can only read, within limits that it can no longer change.

    Attributes:
        query_name: a unique name by which a `Canceller` finds the reader's query.
        limits: what a query may cost.
    """

    query_name: str
    limits: ReadLimits

    def query(self, sql: str, parameters: dict[str, Any], format_: str = "JSONEachRow") -> bytes:
        """Run a query and return its answer: JSON lines with one object per row, or another of ClickHouse's formats.

        Raises:
            StoreError: the query failed; the caller must close this reader.
        """

    def close(self) -> None:
        """Close the connection."""


class Canceller(Protocol):
    """Stops running queries of sealed readers."""

    def cancel(self, query_name: str) -> None:
        """Stop the query of the reader with this mark; does nothing if it runs none.

        Raises:
            StoreError: the store does not answer.
        """

    def close(self) -> None:
        """Close the connection."""


class Backend(Protocol):
    """One event store, open or not."""

    @property
    def folder(self) -> Path | None:
        """The folder with its data; None if a server has it."""

    @property
    def inserts_late(self) -> bool:
        """Whether a server may still insert a block after its insert has failed."""

    def inspect_store(self) -> FoundStore:
        """Examine the store without changing anything.

        Raises:
            StoreError, OSError: nothing can be said about it now.
        """

    def count_events(self) -> int:
        """Count the events of a store that nobody has open, hidden ones included; 0 if it is absent or damaged."""

    def write_stamp(self, stamp: Stamp) -> None:
        """Replace the stamp, durably.

        Raises:
            StoreError, OSError: the stamp may or may not have been replaced.
        """

    def open_store(self) -> None:
        """Make the store if there is none, and get it ready for connections.

        Raises:
            StoreError: it cannot be used, for example because another process holds it.
        """

    def connect(self) -> WritingConnection:
        """Open a connection that writes; one at a time.

        Raises:
            StoreError: the store cannot be reached.
        """

    def open_reader(self, limits: ReadLimits, query_name: str = "") -> SealedReader:
        """Open a connection that only reads.

        Args:
            limits: what one query may cost.
            query_name: a unique name, in letters, digits and dashes, for a `Canceller`; "" if nobody cancels.

        Raises:
            StoreError: the store cannot be reached.
        """

    def open_canceller(self) -> Canceller:
        """Open a connection that stops queries.

        Raises:
            StoreError: the store cannot be reached.
        """

    def is_astray(self) -> bool:
        """Return whether the store was moved, deleted or replaced since it was opened."""

    def sync_tables(self) -> None:
        """Make new tables durable, which ClickHouse does not do for their folders.

        Raises:
            OSError: the disk failed.
        """
