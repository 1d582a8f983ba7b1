"""What only the process with the open event store can do: freeze it, count it, check it."""

from collections.abc import Iterator
from typing import Protocol

import msgspec

from tallyroom.operations.backup.balance import EventBalance
from tallyroom.storage.event_store.part_check import CheckedPart


class FrozenStore(msgspec.Struct, frozen=True):
    """The frozen state of the store between two ranges."""

    folders: dict[str, str]  # for each table, the folder of its frozen parts below the data directory; it may not exist
    balance: EventBalance
    schema: int
    engine: str  # the version of ClickHouse


class StoreCondition(msgspec.Struct, frozen=True):
    """The condition of the process that has the store open."""

    program: str  # its version of Tallyroom
    engine: str  # its version of ClickHouse
    process: int  # its process id
    store_schema: int
    spool_schema: int
    failing: str  # why the store accepts no events; "" if it accepts them
    parts: int  # how many a check would read
    damage: list[str]  # what is missing from the store, one line each
    unfinished_deletions: int
    reasons: list[tuple[str, int]]  # why events became dead letters, with the number of events
    balance: EventBalance
    property_columns: list[str] = []  # the key and the map of each
    unfilled_months: int = 0  # in how many months a property column is not filled
    unfilled_number_months: int = 0  # how many have numbers whose exact values questions cannot tell apart yet


class StoreAccess(Protocol):
    """The event store of one data directory, in this process or in the running server."""

    def freeze(self) -> FrozenStore:
        """Freeze the store and hold the drain until `release_drain`; ingest continues.

        Raises:
            Conflict: another backup is being made.
            Unavailable: the store does not accept the current range, so spool and store do not agree.
            StoreError: the store failed.
        """

    def release_drain(self) -> None:
        """Let the drain continue; what was read from the spool before agrees with the store. Else `Unavailable`."""

    def thaw(self) -> None:
        """Delete the frozen parts, and end the freeze in any state."""

    def read_condition(self) -> StoreCondition:
        """Count the events and describe the condition of the store."""

    def check_parts(self) -> Iterator[CheckedPart]:
        """Read every part of the store against its checksums."""
