"""Blocks all use of an event store that did not answer when this process started, until it has been examined."""

from pathlib import Path

from tallyroom.core.errors import ServerAway, TallyroomError
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
    """A `Backend` of a store on a server, usable as far as it has been examined; the examination uses `backend`."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.accepts_writes = self.accepts_reads = True
        self._away_error: ServerAway | None = None

    def check_server(self) -> None:
        """Check a store on a server before the start lock is held, so that no other start waits for this.

        If the server does not answer, the next `inspect_store` raises this without asking again; it finds any other
        problem itself.
        """
        if self.backend.folder is not None:
            return
        try:
            self.backend.open_store()
        except TallyroomError as error:
            self._away_error = error if isinstance(error, ServerAway) else None

    def close_gate(self) -> None:
        """Open no more connections; existing ones stay open."""
        self.accepts_writes = self.accepts_reads = False

    @property
    def folder(self) -> Path | None:
        """Like `Backend.folder`."""
        return self.backend.folder

    @property
    def inserts_late(self) -> bool:
        """Like `Backend.inserts_late`."""
        return self.backend.inserts_late

    def inspect_store(self) -> FoundStore:
        """Like `Backend.inspect_store`."""
        away_error, self._away_error = self._away_error, None
        if away_error is not None:
            raise away_error
        return self.backend.inspect_store()

    def count_events(self) -> int:
        """Like `Backend.count_events`."""
        return self.backend.count_events()

    def write_stamp(self, stamp: Stamp) -> None:
        """Like `Backend.write_stamp`."""
        self.backend.write_stamp(stamp)

    def open_store(self) -> None:
        """Like `Backend.open_store`, unless the gate is closed."""
        if self.accepts_writes:
            self.backend.open_store()

    def connect(self) -> WritingConnection:
        """Like `Backend.connect`."""
        _refuse_unless(self.accepts_writes)
        return self.backend.connect()

    def open_reader(self, limits: ReadLimits, query_name: str = "") -> SealedReader:
        """Like `Backend.open_reader`."""
        _refuse_unless(self.accepts_reads)
        return self.backend.open_reader(limits, query_name)

    def open_canceller(self) -> Canceller:
        """Like `Backend.open_canceller`."""
        _refuse_unless(self.accepts_reads)
        return self.backend.open_canceller()

    def is_astray(self) -> bool:
        """Like `Backend.is_astray`."""
        return self.backend.is_astray()

    def sync_tables(self) -> None:
        """Like `Backend.sync_tables`."""
        self.backend.sync_tables()


def _refuse_unless(is_open: bool) -> None:  # noqa: FBT001 # its only argument
    if not is_open:
        raise StoreError("Code: 279. The event store has not answered since this process started.")
