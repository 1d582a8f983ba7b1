"""The record of starts in the SQLite file of a data directory, which only one process uses."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from tallyroom.storage.metadata.record import NextEpoch
from tallyroom.storage.metadata.stamp import begin_epoch, open_for_writing, settle_epoch
from tallyroom.storage.omission import Omission


class FileStartRecord:
    """Implements `StartRecord`."""

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
