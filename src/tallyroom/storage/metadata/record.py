"""What the metadata records about the starts of servers, in one form for all databases."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.stamp import (
    Loss,
    MetadataStamp,
    UserAndSecretCounts,
    begin_epoch,
    open_for_writing,
    settle_epoch,
)
from tallyroom.storage.omission import Omission
from tallyroom.storage.stamp import Stamp

SpoolState = Literal["live", "adopted", "lost"]  # in use, delivered by another worker, or given up by the operator


class MovedAway(TallyroomError):
    """The data of several workers has moved to a data directory, which one server uses."""


class RegisteredSpool(NamedTuple):
    """The spool of one of several workers: its identity, and the host and data directory where it was last used."""

    identity: int
    host: str
    path: str
    epoch: int  # when it was last used, 0 before its first
    begun_epoch: int | None  # an epoch that a start was about to begin; None if that start was completed
    state: SpoolState
    acknowledged_seq: int = 0  # the last number that it is known to have acknowledged


class MoveDestination(NamedTuple):
    """The data directory to which several workers' data has moved: host, path, and the identity of its spool."""

    host: str
    path: str
    spool: int


class SharedMetadata(NamedTuple):
    """The metadata that several workers share on a server."""

    stamp: MetadataStamp | None  # None if no server has started on it yet
    counts: UserAndSecretCounts
    spools: Mapping[int, RegisteredSpool]  # all ever used, by identity
    location: tuple[str, str]  # the host and the data directory of the asking process
    moved_to: MoveDestination | None = None  # where the data is now; None while it belongs to the workers

    @property
    def missing_spool(self) -> RegisteredSpool | None:
        """The spool that this data directory had when it was last used, for a directory that has none now."""
        live_spools = (spool for spool in self.spools.values() if spool.state == "live")
        return next((spool for spool in live_spools if spool[1:3] == self.location), None)

    def refuse_moved(self) -> None:
        """Raise `MovedAway` if one server has taken over the metadata."""
        if self.moved_to is not None:
            raise MovedAway(
                f"The data of these workers has moved to {self.moved_to.path} on {self.moved_to.host}. Start a server "
                "there, without the database settings. If `tallyroom migrate-store` was interrupted, run it "
                "again. Nothing was changed."
            )


class NextEpoch(NamedTuple):
    """A start, for the record."""

    last_stamp: Stamp  # of the metadata so far
    losses: Sequence[Loss]  # what is lost with this start
    spool: int  # the identity of the spool in use
    begun_epoch: int | None = None  # the last epoch that an earlier start began, if not all parts have reached it
    is_store_away: bool = False  # True if the event store does not answer, so that it cannot be stamped yet
    store_spools: Collection[int] = ()  # those with data in a shared store; the worker is responsible for unused ones

    @property
    def stamp(self) -> Stamp:
        """The stamp of this start."""
        return Stamp(self.last_stamp.installation, max(self.last_stamp.epoch, self.begun_epoch or 0) + 1)


class AcceptedIdempotencyKey(NamedTuple):
    """An idempotency key that only the spool of a request knows; with the API key and the name of its queue, if any."""

    workspace_id: str
    environment: str
    key: str
    fingerprint: str
    accepted: int
    at_ms: int
    api_key_id: str | None = None
    queue: str | None = None


class MonthlyUsage(NamedTuple):
    """The number of events that a workspace sent in a month, which only a spool knows."""

    workspace_id: str
    month: int
    events: int


class SpoolRecords(NamedTuple):
    """The idempotency keys of a spool, oldest first, and its table `usage`, which other workers have to learn."""

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
        """Keep other processes from starting while the block runs; `TallyroomError` if one takes too long."""

    def read_metadata(self) -> SharedMetadata | None:
        """Return what the metadata holds, in any schema; None for a file in the data directory."""

    def begin_epoch(self, next_epoch: NextEpoch) -> AbstractContextManager[None]:
        """Record that an epoch is about to begin, and after the block has stamped the other parts, that it has begun.

        Raises `TallyroomError` if another process uses the spool or has begun an epoch.
        """

    def settle_epoch(self, epoch: int, spool_id: int, store_spools: Collection[int]) -> None:
        """Record that the store, which was away, has reached an epoch; `spool_id` keeps unused `store_spools`."""

    def list_due_erasures(self, spool_id: int) -> Sequence[Omission]:
        """Return erasures, by other workers or by age, that apply to a spool's queued events."""


class FileStartRecord:
    """Implements `StartRecord` for the SQLite file of a data directory, which only one process uses."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def hold_start_lock(self) -> AbstractContextManager[None]:
        """Like `StartRecord.hold_start_lock`: the process that holds the data directory is alone."""
        return nullcontext()

    def read_metadata(self) -> None:
        """Like `StartRecord.read_metadata`: starts find the file in the data directory."""

    @contextmanager
    def begin_epoch(self, next_epoch: NextEpoch) -> Iterator[None]:
        """Like `StartRecord.begin_epoch`."""
        with open_for_writing(self._path) as connection:
            begin_epoch(connection, next_epoch.last_stamp, next_epoch.stamp.epoch, next_epoch.losses)
            yield
            if not next_epoch.is_store_away:
                settle_epoch(connection, next_epoch.stamp.epoch)

    def settle_epoch(self, epoch: int, _spool_id: int, _store_spools: Collection[int]) -> None:
        """Like `StartRecord.settle_epoch`."""
        with open_for_writing(self._path) as connection:
            settle_epoch(connection, epoch)

    def list_due_erasures(self, _spool_id: int) -> Sequence[Omission]:
        """Like `StartRecord.list_due_erasures`: no other worker erases."""
        return ()
