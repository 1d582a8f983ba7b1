"""What the metadata records of the starts of servers, in the one way that a start needs for all databases."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.stamp import Loss, MetadataStamp, UserAndSecretCounts
from tallyroom.storage.omission import Omission
from tallyroom.storage.stamp import Stamp

SpoolState = Literal["live", "adopted", "lost"]
"""Whether a spool is in use, has been delivered by another worker, or was given up by the operator."""


class MovedAway(TallyroomError):
    """The data of several workers has moved to a data directory, which one server uses."""


class RegisteredSpool(NamedTuple):
    """The spool of one of several workers, as the metadata knows it.

    Attributes:
        identity: the number that each of its events carries.
        host: the machine on which it was last in use.
        path: the data directory with it, on that machine.
        epoch: the epoch in which it was last in use; 0 before its first.
        begun_epoch: the epoch that a start on it was about to begin; None if that start was completed.
        state: what has become of it.
        acknowledged_seq: the number of the last event that it is known to have acknowledged.
    """

    identity: int
    host: str
    path: str
    epoch: int
    begun_epoch: int | None
    state: SpoolState
    acknowledged_seq: int = 0


class MoveDestination(NamedTuple):
    """The data directory to which the data of several workers has moved.

    Attributes:
        host: the machine.
        path: the directory on it.
        spool: the identity of the spool in it.
    """

    host: str
    path: str
    spool: int


class SharedMetadata(NamedTuple):
    """Metadata on a server, as it was found, which several workers share.

    Attributes:
        stamp: its stamp; None if no server has started on it yet.
        counts: what it holds.
        spools: all spools that were ever in use, by their identity.
        location: the host and the data directory of the process that asks.
        moved_to: where the data is now; None as long as it is the workers'.
    """

    stamp: MetadataStamp | None
    counts: UserAndSecretCounts
    spools: Mapping[int, RegisteredSpool]
    location: tuple[str, str]
    moved_to: MoveDestination | None = None

    @property
    def missing_spool(self) -> RegisteredSpool | None:
        """The spool that this data directory had when it was last in use, for a directory that has none now."""
        return next(
            (spool for spool in self.spools.values() if spool[1:3] == self.location and spool.state == "live"), None
        )

    def refuse_moved(self) -> None:
        """Refuse metadata that one server has taken over.

        Raises:
            MovedAway: that is so.
        """
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
        spool: the identity of the spool that is in use from now on.
        begun_epoch: the last epoch that an earlier start was about to begin, if not all parts have reached it.
        is_store_away: whether the event store does not answer, so that it cannot be stamped yet.
        store_spools: the spools of which the event store holds something, if several workers share it; the worker that
            starts answers for those that nobody uses any more.
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
    """What a spool knows, and other workers have to know, too: rows of its tables `idempotency` and `usage`.

    Attributes:
        keys: those of requests whose events are durable.
        usage: what counts for the monthly cap.
    """

    keys: Sequence[AcceptedIdempotencyKey]
    usage: Sequence[MonthlyUsage]


class MovedSpool(NamedTuple):
    """The spool that comes along with the metadata of a file to where several workers share them.

    Attributes:
        identity: the number that each of its events carries.
        stamp: its stamp, and that of the event store.
        records: what other workers have to know from now on.
    """

    identity: int
    stamp: Stamp
    records: SpoolRecords


class StartRecord(Protocol):
    """The record of starts in the metadata."""

    def hold_start_lock(self) -> AbstractContextManager[None]:
        """Wait until no other process starts on this metadata, and keep others from starting while the block runs.

        Raises:
            TallyroomError: the database does not answer, or another process has been starting for too long.
        """

    def read_metadata(self) -> SharedMetadata | None:
        """Return what the metadata holds, in any schema or none; None if it is a file in the data directory.

        Raises:
            TallyroomError: the database does not answer.
        """

    def begin_epoch(self, next_epoch: NextEpoch) -> AbstractContextManager[None]:
        """Record that an epoch is about to begin, and once the block has stamped the other parts, that it has.

        Without the event store, that is recorded of the spool alone.

        Raises:
            TallyroomError: the database does not answer, or another process uses the spool or has begun an epoch.
        """

    def settle_epoch(self, epoch: int, spool_id: int, store_spools: Collection[int]) -> None:
        """Record that the event store, which was away when a server started, has reached an epoch.

        Args:
            epoch: the epoch.
            spool_id: the spool in use, whose worker answers for those that nobody uses any more.
            store_spools: as in `NextEpoch`.

        Raises:
            TallyroomError: the database does not answer.
        """

    def list_due_erasures(self, spool_id: int) -> Sequence[Omission]:
        """Return what other workers, or time, have erased of what waits in a spool; none if there are no others.

        Raises:
            TallyroomError: the database does not answer.
        """
