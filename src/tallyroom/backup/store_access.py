"""What only the one process that has the event store open can do: freeze it, count it, check it."""

from collections.abc import Iterator
from typing import Protocol

import msgspec

from tallyroom.backup.balance import Balance
from tallyroom.store.check import CheckedPart


class Frozen(msgspec.Struct, frozen=True):
    """The store as it stood between two ranges.

    Attributes:
        folders: for each table the folder of its frozen parts below the data directory; missing when it has none.
        balance: events at that moment.
        schema: of the store.
        engine: version of ClickHouse.
    """

    folders: dict[str, str]
    balance: Balance
    schema: int
    engine: str


class Condition(msgspec.Struct, frozen=True):
    """How the process that has the store open is.

    Attributes:
        program: its version of Tallyroom.
        engine: its version of ClickHouse.
        process: its id.
        store_schema: of the event store.
        spool_schema: of the spool.
        failing: why the store takes nothing, "" when it does.
        parts: how many parts a check would read.
        damage: what is gone of the store, in a line each.
        unfinished_deletions: deletions that the store has not finished.
        reasons: why events were put aside, and how many for each reason.
        balance: events now.
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
    balance: Balance


class StoreAccess(Protocol):
    """The event store of one data directory, in this process or in the running server."""

    def freeze(self) -> Frozen:
        """Freeze the store and hold the drain until `release`; ingest goes on.

        Raises:
            Conflict: another backup is being made.
            Unavailable: the store does not take the range under way, so that spool and store do not agree.
            StoreError: the store failed.
        """
        ...

    def release(self) -> None:
        """Let the drain go on; what was read of the spool until now agrees with the frozen store.

        Raises:
            Unavailable: it has gone on already, because this came too late.
        """
        ...

    def thaw(self) -> None:
        """Give up the frozen parts, in whatever state the freezing is."""
        ...

    def condition(self) -> Condition:
        """Count and describe."""
        ...

    def check(self) -> Iterator[CheckedPart]:
        """Read every part of the store against its checksums."""
        ...
