"""What only the process with the open event store can do: freeze it, count it, check it."""

from collections.abc import Iterator
from typing import Protocol

import msgspec

from tallyroom.operations.backup.balance import EventBalance
from tallyroom.storage.event_store.part_check import CheckedPart


class FrozenStore(msgspec.Struct, frozen=True):
    """The frozen state of the store between two ranges.

    Attributes:
        folders: for each table, the folder of its frozen parts below the data directory; it may not exist.
        balance: the events at that moment.
        schema: the schema version of the store.
        engine: the version of ClickHouse.
    """

    folders: dict[str, str]
    balance: EventBalance
    schema: int
    engine: str


class StoreCondition(msgspec.Struct, frozen=True):
    """The condition of the process that has the store open.

    Attributes:
        program: its version of Tallyroom.
        engine: its version of ClickHouse.
        process: its process id.
        failing: the reason why the store accepts no events; "" if it accepts them.
        parts: the number of parts that a check would read.
        damage: what is missing from the store, one line each.
        unfinished_deletions: the number of deletions that the store has not finished.
        reasons: why events became dead letters, with the number of events for each reason.
    """

    program: str
    engine: str
    process: int
    store_schema: int
    spool_schema: int
    failing: str
    parts: int
    damage: list[str]
    unfinished_deletions: int
    reasons: list[tuple[str, int]]
    balance: EventBalance


class StoreAccess(Protocol):
    """The event store of one data directory, in this process or in the running server."""

    def freeze(self) -> FrozenStore:
        """Freeze the store and hold the drain until `release_drain`; ingest continues.

        Raises:
            Conflict: another backup is being made.
            Unavailable: the store does not accept the current range, so spool and store do not agree.
            StoreError: the store failed.
        """
        ...

    def release_drain(self) -> None:
        """Let the drain continue; everything read from the spool before this agrees with the frozen store.

        Raises:
            Unavailable: the drain has already continued, because this call came too late.
        """
        ...

    def thaw(self) -> None:
        """Delete the frozen parts, and end the freeze in any state."""
        ...

    def read_condition(self) -> StoreCondition:
        """Count the events and describe the condition of the store."""
        ...

    def check_parts(self) -> Iterator[CheckedPart]:
        """Read every part of the store against its checksums."""
        ...
