"""The record of starts in the SQLite file of a data directory, which only one process uses."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from tallyroom.core.stamp import Stamp
from tallyroom.db.stamp import Loss, begin_epoch, settle_epoch, writing


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
    def beginning(self, stamp: Stamp, epoch: int, losses: Sequence[Loss], spool: int) -> Iterator[None]:  # noqa: ARG002 # there is one
        """Like `StartRecord.beginning`."""
        with writing(self._path) as metadata:
            begin_epoch(metadata, stamp, epoch, losses)
            yield
            settle_epoch(metadata, epoch)
