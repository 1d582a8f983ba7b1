"""Finds out what a data directory contains, without opening anything for writing, changing or creating anything."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from tallyroom.core.data_directory import (
    DATABASE_FILE,
    INSTALLATION_FILE,
    KEY_FILE,
    LAST_BACKUP_FILE,
    SPOOL_FILE,
    STORE_FOLDER,
)
from tallyroom.core.database_file import find_problem, is_damage, reading
from tallyroom.core.ids import RandomBytes
from tallyroom.core.stamp import Stamp
from tallyroom.db import stamp as metadata_stamp
from tallyroom.db.record import SharedMetadata
from tallyroom.db.stamp import MetadataStamp
from tallyroom.spool import stamp as spool_stamp
from tallyroom.spool.file import refuse_newer
from tallyroom.spool.numbers import SpoolNumbers, read_numbers
from tallyroom.store.backend.backend import Backend
from tallyroom.store.backend.opening import embedded_backend

Name = Literal["metadata", "spool", "event store"]

PATHS: dict[Name, str] = {"metadata": DATABASE_FILE, "spool": SPOOL_FILE, "event store": STORE_FOLDER}
"""The path of each part in the data directory."""

_ID_BYTES = 16
_TRACES = (KEY_FILE, LAST_BACKUP_FILE, INSTALLATION_FILE, f"{DATABASE_FILE}-wal", f"{SPOOL_FILE}-wal")
_MISSING = "is missing"


@dataclass(frozen=True)
class FoundPart:
    """One of the three parts of an installation.

    Attributes:
        name: the name of the part.
        absent: in what way the part is absent, such as ``is missing``; empty if it is there.
        damage: what is wrong with the part, in a few words; empty if nothing is known to be.
        stamp: the stamp of the part; None until a server of this version has started on it.
        served: whether it is on a server of its own instead of in the data directory.
    """

    name: Name
    absent: str = ""
    damage: str = ""
    stamp: Stamp | None = None
    served: bool = False

    @property
    def usable(self) -> bool:
        """Whether the part is there and undamaged."""
        return not (self.absent or self.damage)

    @property
    def where(self) -> str:
        """Where the part is, for an operator."""
        return "on its server" if self.served else PATHS[self.name]


class Counts:
    """Counts of what the parts hold, computed on demand; 0 for a part that is absent or damaged.

    Args:
        data: the data directory.
        metadata: the state of the metadata.
        spool: the state of the spool.
        store: the event store.
        shared: the metadata, if it is not in the data directory.
    """

    def __init__(
        self, data: Path, metadata: FoundPart, spool: FoundPart, store: Backend, shared: SharedMetadata | None
    ) -> None:
        self._data = data
        self._store = store
        self._shared = shared
        self._metadata = metadata
        self._spool = spool

    @cached_property
    def users(self) -> int:
        """The number of people who can sign in."""
        shared = self._shared
        return shared.holdings.users if shared else self._in_metadata(metadata_stamp.count_users)

    @cached_property
    def secrets(self) -> int:
        """The number of stored secrets that only the right key decrypts."""
        shared = self._shared
        return shared.holdings.secrets if shared else self._in_metadata(metadata_stamp.count_secrets)

    @property
    def acknowledged(self) -> int:
        """The number of events that the spool ever acknowledged."""
        return self.numbers.acknowledged if self.numbers else 0

    @property
    def queued(self) -> int:
        """The number of these that wait in the spool."""
        return self.numbers.queued if self.numbers else 0

    @property
    def expected(self) -> int:
        """The number of these that the event store must hold."""
        return self.numbers.expected if self.numbers else 0

    @cached_property
    def events(self) -> int:
        """The number of events in the event store, including those from other spools."""
        return self._store.count_found()

    def _in_metadata(self, count: Callable[[sqlite3.Connection], int]) -> int:
        if not self._metadata.usable:
            return 0
        with reading(self._data / DATABASE_FILE) as connection:
            return count(connection)

    @cached_property
    def numbers(self) -> SpoolNumbers | None:
        """The spool's own counts; None if the spool is absent, damaged, or was never used."""
        if not self._spool.usable:
            return None
        with reading(self._data / SPOOL_FILE) as connection:
            return read_numbers(connection) if spool_stamp.has_numbers(connection) else None


@dataclass(frozen=True)
class FoundInstallation:
    """The state in which a data directory was found.

    Attributes:
        data: the directory.
        metadata: the state of the metadata.
        spool: the state of the spool.
        store: the state of the event store.
        begun: the epoch that an interrupted start was about to begin; None if every start was completed.
        traces: other files that show that a server has run here.
        counts: the counts of what the parts hold.
        shared: the metadata, if it is on a server, which knows the spools of all workers; None if the only spool is
            that of this directory.
    """

    data: Path
    metadata: FoundPart
    spool: FoundPart
    store: FoundPart
    begun: int | None
    traces: list[str]
    counts: Counts
    shared: SharedMetadata | None

    @property
    def parts(self) -> tuple[FoundPart, FoundPart, FoundPart]:
        """All three parts."""
        return self.metadata, self.spool, self.store


def look(
    data: Path, *, check: bool, shared: SharedMetadata | None = None, store: Backend | None = None
) -> FoundInstallation:
    """Examine the directory `data`, which need not exist.

    Args:
        data: the directory; a server may be running on it.
        check: let SQLite check the two databases for damage, which reads them completely.
        shared: the metadata, if it is not in the directory.
        store: the event store; the one in the directory if None.

    Raises:
        StoreError: the event store, on a server, does not answer.
        SpoolTooNew: a later version wrote the spool.
        sqlite3.Error, OSError: something cannot be read, although it may be undamaged.
    """
    metadata, begun = _stamped(shared.stamp, served=True) if shared else _metadata(data / DATABASE_FILE, check=check)
    spool = _spool(data / SPOOL_FILE, check=check)
    backend = store or embedded_backend(data)
    traces = [name for name in _TRACES if (data / name).exists()]
    counts = Counts(data, metadata, spool, backend, shared)
    return FoundInstallation(data, metadata, spool, _store(backend), begun, traces, counts, shared)


def has_something(data: Path) -> bool:
    """Return whether any of the three parts exists in `data`, in whatever state."""
    return any((data / path).exists() for path in PATHS.values())


def new_id(random_bytes: RandomBytes) -> str:
    """Return an id for a new installation."""
    return random_bytes(_ID_BYTES).hex()


def _metadata(path: Path, *, check: bool) -> tuple[FoundPart, int | None]:
    if absent := _absent(path):
        return FoundPart("metadata", absent=absent), None
    if damage := _damage(path, check=check):
        return FoundPart("metadata", damage=damage), None
    with reading(path) as connection:
        return _stamped(metadata_stamp.read_stamp(connection))


def _stamped(stamp: MetadataStamp | None, *, served: bool = False) -> tuple[FoundPart, int | None]:
    if stamp is None:
        return FoundPart("metadata", served=served), None
    return FoundPart("metadata", stamp=Stamp(stamp.installation, stamp.epoch), served=served), stamp.begun


def _spool(path: Path, *, check: bool) -> FoundPart:
    if absent := _absent(path):
        return FoundPart("spool", absent=absent)
    if damage := _damage(path, check=check):
        return FoundPart("spool", damage=damage)
    with reading(path) as connection:
        refuse_newer(connection)
        damage = "" if spool_stamp.has_identity(connection) else "its identity is missing"
        return FoundPart("spool", damage=damage, stamp=spool_stamp.read_stamp(connection))


def _store(backend: Backend) -> FoundPart:
    found = backend.find()
    served = backend.folder is None
    return FoundPart("event store", absent=found.absent, damage=found.damage, stamp=found.stamp, served=served)


def _absent(path: Path) -> str:
    """Return in what way a database is absent, "" if it is there; SQLite would take an empty file for a new one."""
    if not path.exists():
        return _MISSING
    return "" if path.stat().st_size else "is empty"


def _damage(path: Path, *, check: bool) -> str:
    if path.is_dir():
        return "it is a folder instead of a file"
    try:
        with reading(path) as connection:
            empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if is_damage(error):
            return str(error)
        raise
    return find_problem(path, quick=True) if check and not empty else ""
