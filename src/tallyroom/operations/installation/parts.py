"""The three parts of an installation: the state in which each was found, and counts of its contents."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE, STORE_FOLDER
from tallyroom.core.errors import ServerAway
from tallyroom.storage.database_file import open_read_only
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.metadata import stamp as metadata_stamp
from tallyroom.storage.metadata.record import SharedMetadata
from tallyroom.storage.spool import stamp as spool_stamp
from tallyroom.storage.spool.event_counts import SpoolCounts, read_spool_counts
from tallyroom.storage.stamp import Stamp

PartName = Literal["metadata", "spool", "event store"]

# The path of each part in the data directory.
PATH_BY_PART: dict[PartName, str] = {"metadata": DATABASE_FILE, "spool": SPOOL_FILE, "event store": STORE_FOLDER}


@dataclass(frozen=True)
class FoundPart:
    """One of the three parts of an installation."""

    name: PartName
    absence: str = ""  # how the part is absent, such as ``is missing``; empty if it exists
    damage: str = ""  # in a few words; empty if no damage is known
    stamp: Stamp | None = None  # None until a server of this version has started on the part
    is_on_server: bool = False  # instead of in the data directory
    away_error: ServerAway | None = None  # the error of a server that does not answer; then nothing else is known

    @property
    def is_usable(self) -> bool:
        """Whether the part exists and is undamaged."""
        return not (self.absence or self.damage or self.away_error)

    @property
    def location(self) -> str:
        """Where the part is, for an operator."""
        return "on its server" if self.is_on_server else PATH_BY_PART[self.name]


class InstallationCounts:
    """Counts of the parts' contents, computed on demand; 0 for a part that is absent, damaged or cannot be queried."""

    def __init__(
        self,
        data_dir: Path,
        metadata: FoundPart,
        spool: FoundPart,
        store: Backend | None,
        shared_metadata: SharedMetadata | None,
    ) -> None:
        self._data_dir = data_dir
        self._store = store
        self._shared_metadata = shared_metadata
        self._metadata = metadata
        self._spool = spool

    @cached_property
    def user_count(self) -> int:
        """The number of people who can sign in."""
        shared = self._shared_metadata
        return shared.counts.user_count if shared else self._count_in_metadata(metadata_stamp.count_users)

    @cached_property
    def secret_count(self) -> int:
        """The number of stored secrets that only the right key decrypts."""
        shared = self._shared_metadata
        return shared.counts.secret_count if shared else self._count_in_metadata(metadata_stamp.count_secrets)

    @property
    def acknowledged_count(self) -> int:
        """The number of events that the spool ever acknowledged."""
        return self.spool_counts.acknowledged if self.spool_counts else 0

    @property
    def queued_count(self) -> int:
        """The number of acknowledged events that are queued in the spool."""
        return self.spool_counts.queued if self.spool_counts else 0

    @property
    def expected_count(self) -> int:
        """The number of acknowledged events that the event store must have."""
        return self.spool_counts.expected_in_store if self.spool_counts else 0

    @cached_property
    def event_count(self) -> int:
        """The number of events in the event store, including those from other spools; 0 if it does not answer."""
        return self._store.count_events() if self._store else 0

    def _count_in_metadata(self, count_rows: Callable[[sqlite3.Connection], int]) -> int:
        if not self._metadata.is_usable:
            return 0
        with open_read_only(self._data_dir / DATABASE_FILE) as connection:
            return count_rows(connection)

    @cached_property
    def spool_counts(self) -> SpoolCounts | None:
        """The spool's own counts; None if the spool is absent, damaged, or was never used."""
        if not self._spool.is_usable:
            return None
        with open_read_only(self._data_dir / SPOOL_FILE) as connection:
            return read_spool_counts(connection) if spool_stamp.has_spool_tables(connection) else None
