"""The record of starts in the SQLite file of a data directory, which only one process uses."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from tallyroom.storage.metadata.record import NextEpoch
from tallyroom.storage.metadata.stamp import begin_epoch, settle_epoch, writing
from tallyroom.storage.omission import Omission


class FileStartRecord:
    """Implements `StartRecord`.

    Args:
        path: the file, which exists once the metadata is migrated.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def turn(self) -> AbstractContextManager[None]:
        """Like `StartRecord.turn`: whoever holds the data directory is alone."""
        return nullcontext()

    def find(self) -> None:
        """Like `StartRecord.find`: whoever looks at the data directory finds the file."""

    @contextmanager
    def beginning(self, start: NextEpoch) -> Iterator[None]:
        """Like `StartRecord.beginning`."""
        with writing(self._path) as metadata:
            begin_epoch(metadata, start.last, start.stamp.epoch, start.losses)
            yield
            if not start.is_store_away:
                settle_epoch(metadata, start.stamp.epoch)

    def settle(self, epoch: int, _spool: int, _store_spools: Collection[int]) -> None:
        """Like `StartRecord.settle`."""
        with writing(self._path) as metadata:
            settle_epoch(metadata, epoch)

    def due_erasures(self, _spool: int) -> Sequence[Omission]:
        """Like `StartRecord.due_erasures`: whoever erases has the spool."""
        return ()
