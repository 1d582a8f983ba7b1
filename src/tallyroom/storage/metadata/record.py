"""What the metadata records about the starts of servers, in one form for all databases."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.stamp import Loss, MetadataStamp, UserAndSecretCounts
from tallyroom.storage.omission import Omission
from tallyroom.storage.stamp import Stamp

SpoolState = Literal["live", "adopted", "lost"]
"""Whether a spool is in use, was delivered by another worker, or was given up by the operator."""


class MovedAway(TallyroomError):
    """The data of several workers has moved to a data directory, which one server uses."""


class RegisteredSpool(NamedTuple):
    """The spool of one of several workers: its identity, and the host and data directory where it was last used.

    `epoch` is when it was last used, 0 before its first. `begun_epoch` is an epoch that a start was about to begin,
    None if that start was completed. `acknowledged_seq` is the last number that it is known to have acknowledged.
    """

    identity: int
    host: str
    path: str
    epoch: int
    begun_epoch: int | None
    state: SpoolState
    acknowledged_seq: int = 0


class MoveDestination(NamedTuple):
    """The data directory to which several workers' data has moved: host, path, and the identity of its spool."""

    host: str
    path: str
    spool: int


class SharedMetadata(NamedTuple):
    """The metadata that several workers share on a server; `stamp` is None if no server has started on it yet.

    `spools` are all ever used, by identity. `location` is the host and the data directory of the asking process.
    `moved_to` is where the data is now; None while it belongs to the workers.
    """

    stamp: MetadataStamp | None
    counts: UserAndSecretCounts
    spools: Mapping[int, RegisteredSpool]
    location: tuple[str, str]
    moved_to: MoveDestination | None = None

    @property
    def missing_spool(self) -> RegisteredSpool | None:
        """The spool that this data directory had when it was last used, for a directory that has none now."""
        return next(
            (spool for spool in self.spools.values() if spool[1:3] == self.location and spool.state == "live"), None
        )

    def refuse_moved(self) -> None:
        """Raise `MovedAway` if one server has taken over the metadata."""
        if self.moved_to is not None:
            raise MovedAway(
                f"The data of these workers has moved to {self.moved_to.path} on {self.moved_to.host}: start a server "
                "there, without the settings of the databases. If `tallyroom migrate-store` was interrupted, run it "
                "again. Nothing was changed."
            )


class NextEpoch(NamedTuple):
    """A start, for the record.

    Attributes:
        last_stamp: the stamp of the metadata so far.
        losses: what is lost with this start.
        spool: the identity of the spool in use.
        begun_epoch: the last epoch that an earlier start was about to begin, if not all parts have reached it.
        is_store_away: True if the event store does not answer, so that it cannot be stamped yet.
        store_spools: the spools with data in a shared event store; the starting worker answers for unused ones.
    """

    last_stamp: Stamp
    losses: Sequence[Loss]
    spool: int
    begun_epoch: int | None = None
    is_store_away: bool = False
    store_spools: Collection[int] = ()

    @property
    def stamp(self) -> Stamp:
        """The stamp of this start."""
        return Stamp(self.last_stamp.installation, max(self.last_stamp.epoch, self.begun_epoch or 0) + 1)


class AcceptedIdempotencyKey(NamedTuple):
    """An idempotency key that only the spool of a request knows."""

    workspace_id: str
    environment: str
    key: str
    fingerprint: str
    accepted: int
    at_ms: int


class MonthlyUsage(NamedTuple):
    """The number of events that a workspace sent in a month, which only a spool knows."""

    workspace_id: str
    month: int
    events: int


class SpoolRecords(NamedTuple):
    """The rows of a spool's tables `idempotency` and `usage`, which other workers have to learn."""

    keys: Sequence[AcceptedIdempotencyKey]
    usage: Sequence[MonthlyUsage]


class MovedSpool(NamedTuple):
    """A spool that moves to several workers with its metadata; `stamp` is also the event store's."""

    identity: int
    stamp: Stamp
    records: SpoolRecords


class StartRecord(Protocol):
    """The record of starts in the metadata."""

    def hold_start_lock(self) -> AbstractContextManager[None]:
        """Wait until no other process starts on this metadata, and keep others from starting while the block runs.

        Raises `TallyroomError` if the database does not answer, or another process has been starting for too long.
        """

    def read_metadata(self) -> SharedMetadata | None:
        """Return what the metadata holds, in any schema; None for a file in the data directory.

        Raises `TallyroomError`.
        """

    def begin_epoch(self, next_epoch: NextEpoch) -> AbstractContextManager[None]:
        """Record that an epoch is about to begin, and after the block has stamped the other parts, that it has begun.

        If the event store is away, record the begin for the spool alone. Raises `TallyroomError` if the database does
        not answer, or another process uses the spool or has begun an epoch.
        """

    def settle_epoch(self, epoch: int, spool_id: int, store_spools: Collection[int]) -> None:
        """Record that the event store, which was away when a server started, has reached an epoch.

        The worker of `spool_id` answers for unused ones of `store_spools`. Raises `TallyroomError`.
        """

    def list_due_erasures(self, spool_id: int) -> Sequence[Omission]:
        """Return the erasures, by other workers or by age, that apply to events waiting in a spool.

        A single worker has none. Raises `TallyroomError` if the database does not answer.
        """
