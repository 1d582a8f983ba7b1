"""The event store in a folder of this machine, which only one process may open."""

from pathlib import Path

from tallyroom.storage.event_store.backend.backend import FoundStore, ReadLimits
from tallyroom.storage.event_store.backend.embedded import folder as store_folder
from tallyroom.storage.event_store.backend.embedded.connection import EmbeddedConnection
from tallyroom.storage.event_store.backend.embedded.new_parts import NewParts
from tallyroom.storage.event_store.backend.embedded.pinned import pin
from tallyroom.storage.event_store.backend.embedded.sealed_reader import EmbeddedCanceller, EmbeddedReader
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.file_identity import FileIdentities
from tallyroom.storage.stamp import Stamp


class EmbeddedBackend:
    """The engine chDB on a folder, which `open_store` creates if it does not exist."""

    inserts_late = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._block_file = folder.with_name(f"{folder.name}.insert")
        self._file_identities = FileIdentities()
        self._new_parts = NewParts()

    def inspect_store(self) -> FoundStore:
        """Like `Backend.inspect_store`."""
        return store_folder.find_store(self.folder)

    def count_events(self) -> int:
        """Like `Backend.count_events`; exact while no process has the store open."""
        return store_folder.count_events(self.folder)

    def write_stamp(self, stamp: Stamp) -> None:
        """Like `Backend.write_stamp`."""
        store_folder.write_stamp(self.folder, stamp)

    def open_store(self) -> None:
        """Like `Backend.open_store`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            pin(self.folder)
            self._block_file = pin(self.folder.parent) / self._block_file.name
        except OSError as error:
            raise StoreError(str(error)) from error
        self._file_identities = FileIdentities(self.folder)

    def connect(self) -> EmbeddedConnection:
        """Like `Backend.connect`."""
        self._new_parts.forget_folders()
        return EmbeddedConnection(self.folder, self._block_file, self._new_parts)

    def open_reader(self, limits: ReadLimits, query_name: str = "") -> EmbeddedReader:
        """Like `Backend.open_reader`."""
        return EmbeddedReader(self.folder, limits, query_name)

    def open_canceller(self) -> EmbeddedCanceller:
        """Like `Backend.open_canceller`."""
        return EmbeddedCanceller(self.folder)

    def is_astray(self) -> bool:
        """Like `Backend.is_astray`: writes follow a moved folder, but another may have replaced it."""
        return self._file_identities.find_astray() is not None

    def sync_tables(self) -> None:
        """Like `Backend.sync_tables`."""
        store_folder.sync_folders(self.folder)
