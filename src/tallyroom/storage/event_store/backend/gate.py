"""Keeps everybody from an event store that did not answer when this process started, until it has been examined."""

from pathlib import Path

from tallyroom.storage.event_store.backend.backend import (
    Backend,
    Canceller,
    FoundStore,
    ReadLimits,
    SealedReader,
    WritingConnection,
)
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.stamp import Stamp


class StoreGate:
    """An event store on a server that may be used as far as it has been examined; implements `Backend`.

    Args:
        backend: the store itself, which the examination uses.

    Attributes:
        takes_writes: whether connections that write are opened.
        takes_questions: whether those that read are.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.takes_writes = self.takes_questions = True

    def shut(self) -> None:
        """Open no connections from now on; those that are open stay."""
        self.takes_writes = self.takes_questions = False

    @property
    def folder(self) -> Path | None:
        """Like `Backend.folder`."""
        return self.backend.folder

    @property
    def inserts_late(self) -> bool:
        """Like `Backend.inserts_late`."""
        return self.backend.inserts_late

    def find(self) -> FoundStore:
        """Like `Backend.find`."""
        return self.backend.find()

    def count_found(self) -> int:
        """Like `Backend.count_found`."""
        return self.backend.count_found()

    def stamp(self, stamp: Stamp) -> None:
        """Like `Backend.stamp`."""
        self.backend.stamp(stamp)

    def open(self) -> None:
        """Like `Backend.open`, unless the gate is shut."""
        if self.takes_writes:
            self.backend.open()

    def connect(self) -> WritingConnection:
        """Like `Backend.connect`."""
        _refuse_unless(self.takes_writes)
        return self.backend.connect()

    def sealed_reader(self, limits: ReadLimits, mark: str = "") -> SealedReader:
        """Like `Backend.sealed_reader`."""
        _refuse_unless(self.takes_questions)
        return self.backend.sealed_reader(limits, mark)

    def canceller(self) -> Canceller:
        """Like `Backend.canceller`."""
        _refuse_unless(self.takes_questions)
        return self.backend.canceller()

    def is_astray(self) -> bool:
        """Like `Backend.is_astray`."""
        return self.backend.is_astray()

    def sync(self) -> None:
        """Like `Backend.sync`."""
        self.backend.sync()


def _refuse_unless(is_open: bool) -> None:  # noqa: FBT001 # its only argument
    if not is_open:
        raise StoreError("Code: 279. The event store has not answered since this process started.")
