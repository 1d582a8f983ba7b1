"""The interface of the metadata database: short transactions, look-ups, and a cheap answer to "did it change?"."""

from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal

from tallyroom.core.peers import NoPeers, Peers
from tallyroom.storage.metadata.transaction import Session, Transaction

__all__ = ["ChangeKind", "Database", "QueryValue", "Session", "SoleWork"]

# What changed: access (keys, tokens, members, plans, environments), a listing with its bots, or which events answers
# may have (hidden, shown, erased).
ChangeKind = Literal["access", "listing", "removals"]
SoleWork = Literal["outbox"]  # work for one worker at a time: moving fed data of listings into the event store

QueryValue = str | bytes | int


class Database(ABC):
    """The metadata of one installation; each query is SQL for both databases, with question marks for values."""

    @abstractmethod
    def session(self, *, write: bool) -> Transaction:
        """Return one transaction for `async with`: it commits when the block ends and rolls back when the block raises.

        `write` takes the write lock at once; otherwise, the block sees one unchanging state. Raises `Unavailable` if
        the lock was taken for 5 seconds or the disk or server refused, `Astray` if the file was moved or replaced.
        """

    @abstractmethod
    async def look_up(self, query: str, *values: QueryValue) -> tuple[Any, ...] | None:
        """Return the row of a look-up by a unique index, without a transaction; raises `Unavailable` or `Astray`."""

    @abstractmethod
    async def look_up_all(self, query: str, *values: QueryValue) -> list[tuple[Any, ...]]:
        """Like `look_up`, but return all rows of a look-up by an index; a thousand take about a millisecond."""

    @abstractmethod
    async def scan(self, query: str, *values: QueryValue) -> list[tuple[Any, ...]]:
        """Like `look_up_all`, for many thousands of rows, few scans at once; raises `Unavailable` if too many wait."""

    @abstractmethod
    def change_version(self, change_kind: ChangeKind) -> int:
        """Return a number that changes with each change of this kind, in microseconds, so that caches can ask often."""

    def cluster_change_version(self, change_kind: ChangeKind) -> int | None:  # noqa: ARG002 # for subclasses that share a database
        """Return all workers' number of the last change of this kind; None if unknown here, or for a single worker."""
        return None

    @abstractmethod
    def hold_work_lock(self, work: SoleWork) -> AbstractAsyncContextManager[bool]:
        """Keep other workers from some work during a block, which gets False if one does it; raises `Unavailable`.

        A worker that hangs for a minute or longer may lose the lock, so the work must be repeatable.
        """

    @abstractmethod
    async def announce_removal(self) -> None:
        """Tell all workers of a `removals` change, and wait until they know; raises `Unavailable` if some may not."""

    @property
    def peers(self) -> Peers:
        """The other workers of the installation."""
        return NoPeers()

    @abstractmethod
    async def join_workers(self) -> None:
        """Wait until this process is one of the workers, or until it is clear that it cannot be for now."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""
