"""What callers see of the metadata database: short transactions, look-ups, and a cheap answer to "did it change?"."""

from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal

from tallyroom.core.peers import NoPeers, Peers
from tallyroom.storage.metadata.transaction import Session, Transaction

__all__ = ["ChangeKind", "Database", "QueryValue", "Session", "SoleWork"]

ChangeKind = Literal["access", "listing", "removals"]
"""What changed: who may do what (keys, tokens, members, plans, environments), a listing with its bots, or which events
answers may have (hidden, shown, erased)."""

SoleWork = Literal["outbox"]
"""What one worker at a time does: to move what was fed to listings into the event store."""

QueryValue = str | bytes | int
"""What a question mark of a look-up stands for."""


class Database(ABC):
    """The metadata of one installation, in SQLite or in PostgreSQL; several processes may open it.

    A query of `look_up`, `look_up_all` and `scan` is SQL that both understand, with question marks for its values.
    """

    @abstractmethod
    def session(self, *, write: bool) -> Transaction:
        """Return one transaction for `async with`: it commits when the block ends and rolls back when the block raises.

        Args:
            write: take the write lock at once; without it, the block sees one unchanging state and cannot write.

        Raises:
            Unavailable: others kept the write lock for 5 seconds, the disk refused the commit, or the database server
                does not answer.
            Astray: the file was moved, deleted or replaced; nothing was kept.
        """

    @abstractmethod
    async def look_up(self, query: str, *values: QueryValue) -> tuple[Any, ...] | None:
        """Return the one row of a look-up by a unique index, without a transaction.

        Raises:
            Unavailable: the database server does not answer.
            Astray: the file was moved, deleted or replaced.
        """

    @abstractmethod
    async def look_up_all(self, query: str, *values: QueryValue) -> list[tuple[Any, ...]]:
        """Like `look_up`, but return all rows of a look-up by an index; a thousand take about a millisecond."""

    @abstractmethod
    async def scan(self, query: str, *values: QueryValue) -> list[tuple[Any, ...]]:
        """Like `look_up_all`, for look-ups of many thousands of rows: few run at once, and the others wait.

        Raises:
            Unavailable: too many others are waiting, or the database server does not answer.
            Astray: the file was moved, deleted or replaced.
        """

    @abstractmethod
    def change_version(self, change_kind: ChangeKind) -> int:
        """Return a number that changes whenever anybody has committed a change of this kind, and perhaps more often.

        This costs a few microseconds at most, so a cache can ask before each use instead of guessing with a time to
        live.
        """

    def cluster_change_version(self, change_kind: ChangeKind) -> int | None:  # noqa: ARG002 # who shares a database tells
        """Return the number by which all workers call the last change of this kind.

        None if this process may not have heard of it, or shares the database with nobody.
        """
        return None

    @abstractmethod
    def hold_work_lock(self, work: SoleWork) -> AbstractAsyncContextManager[bool]:
        """Keep all other workers from some work while a block runs; the block gets False if another does it just now.

        A worker that hangs for a minute or longer may lose it, so the work must bear to be repeated.

        Raises:
            Unavailable: the database server does not answer.
        """

    @abstractmethod
    async def announce_removal(self) -> None:
        """Let all workers know of a change of the kind `removals`, which is in the event store; return when they do.

        Raises:
            Unavailable: not every worker may know of it.
        """

    @property
    def peers(self) -> Peers:
        """The other workers that serve the installation from this database."""
        return NoPeers()

    @abstractmethod
    async def join_workers(self) -> None:
        """Wait until this process is one of the workers, or until it is clear that it cannot be for now."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""
