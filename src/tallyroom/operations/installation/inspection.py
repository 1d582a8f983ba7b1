"""Inspects the contents of a data directory, without opening anything for writing, changing or creating anything."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from tallyroom.core.data_directory import DATABASE_FILE, INSTALLATION_FILE, KEY_FILE, LAST_BACKUP_FILE, SPOOL_FILE
from tallyroom.core.errors import ServerAway
from tallyroom.core.ids import RandomBytes
from tallyroom.operations.installation.parts import PATH_BY_PART, FoundPart, InstallationCounts
from tallyroom.storage.database_file import find_problem, is_damage, open_read_only
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.backend.opening import embedded_backend
from tallyroom.storage.metadata import stamp as metadata_stamp
from tallyroom.storage.metadata.record import SharedMetadata
from tallyroom.storage.metadata.stamp import MetadataStamp
from tallyroom.storage.spool import stamp as spool_stamp
from tallyroom.storage.spool.file import read_known_version
from tallyroom.storage.stamp import Stamp

_ID_BYTES = 16
_TRACE_NAMES = (KEY_FILE, LAST_BACKUP_FILE, INSTALLATION_FILE, f"{DATABASE_FILE}-wal", f"{SPOOL_FILE}-wal")


@dataclass(frozen=True)
class FoundInstallation:
    """The state in which a data directory was found."""

    data_dir: Path
    metadata: FoundPart
    spool: FoundPart
    store: FoundPart
    begun_epoch: int | None  # the last epoch that a start began but not all parts have reached; None if all have
    trace_names: list[str]  # other files that show that a server has run here
    counts: InstallationCounts
    shared_metadata: SharedMetadata | None  # the metadata if it is on a server, with the spools of all workers

    @property
    def parts(self) -> tuple[FoundPart, FoundPart, FoundPart]:
        """All three parts."""
        return self.metadata, self.spool, self.store


def inspect_installation(
    data_dir: Path,
    *,
    must_check_damage: bool,
    shared_metadata: SharedMetadata | None = None,
    store: Backend | None = None,
    may_be_away: bool = False,
) -> FoundInstallation:
    """Examine `data_dir`, which need not exist; a server may be running on it.

    `must_check_damage` reads both databases completely. `shared_metadata` and `store` are those outside the directory.
    If the store's server does not answer, `may_be_away` reports that in the result instead of raising. Also raises
    `SpoolTooNew`, and `StoreError`, `sqlite3.Error` or `OSError` if something cannot be read that may be undamaged.
    """
    metadata, begun_epoch = (
        _build_metadata_part(shared_metadata.stamp, is_on_server=True)
        if shared_metadata
        else _inspect_metadata(data_dir / DATABASE_FILE, must_check_damage=must_check_damage)
    )
    spool = _inspect_spool(data_dir / SPOOL_FILE, must_check_damage=must_check_damage)
    backend = store or embedded_backend(data_dir)
    trace_names = [name for name in _TRACE_NAMES if (data_dir / name).exists()]
    found_store = _inspect_store(backend, may_be_away=may_be_away)
    counts = InstallationCounts(data_dir, metadata, spool, None if found_store.away_error else backend, shared_metadata)
    return FoundInstallation(data_dir, metadata, spool, found_store, begun_epoch, trace_names, counts, shared_metadata)


def has_any_part(data_dir: Path) -> bool:
    """Return whether any of the three parts exists in `data_dir`, in any state."""
    return any((data_dir / path).exists() for path in PATH_BY_PART.values())


def generate_installation_id(random_bytes: RandomBytes) -> str:
    """Return an id for a new installation."""
    return random_bytes(_ID_BYTES).hex()


def _inspect_metadata(path: Path, *, must_check_damage: bool) -> tuple[FoundPart, int | None]:
    if absence := _describe_absence(path):
        return FoundPart("metadata", absence=absence), None
    if damage := _describe_damage(path, must_check_damage=must_check_damage):
        return FoundPart("metadata", damage=damage), None
    with open_read_only(path) as connection:
        return _build_metadata_part(metadata_stamp.read_stamp(connection))


def _build_metadata_part(stamp: MetadataStamp | None, *, is_on_server: bool = False) -> tuple[FoundPart, int | None]:
    if stamp is None:
        return FoundPart("metadata", is_on_server=is_on_server), None
    part = FoundPart("metadata", stamp=Stamp(stamp.installation, stamp.epoch), is_on_server=is_on_server)
    return part, stamp.begun_epoch


def _inspect_spool(path: Path, *, must_check_damage: bool) -> FoundPart:
    if absence := _describe_absence(path):
        return FoundPart("spool", absence=absence)
    if damage := _describe_damage(path, must_check_damage=must_check_damage):
        return FoundPart("spool", damage=damage)
    with open_read_only(path) as connection:
        read_known_version(connection)
        damage = "" if spool_stamp.has_identity(connection) else "its identity is missing"
        return FoundPart("spool", damage=damage, stamp=spool_stamp.read_stamp(connection))


def _inspect_store(backend: Backend, *, may_be_away: bool) -> FoundPart:
    is_on_server = backend.folder is None
    try:
        store = backend.inspect_store()
    except ServerAway as error:
        if not may_be_away:
            raise
        return FoundPart("event store", is_on_server=is_on_server, away_error=error)
    return FoundPart("event store", store.absence, store.damage, store.stamp, is_on_server)


def _describe_absence(path: Path) -> str:
    """Return how a database is absent, "" if it exists; SQLite would use an empty file as a new database."""
    if not path.exists():
        return "is missing"
    return "" if path.stat().st_size else "is empty"


def _describe_damage(path: Path, *, must_check_damage: bool) -> str:
    if path.is_dir():
        return "it is a folder instead of a file"
    try:
        with open_read_only(path) as connection:
            is_empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if is_damage(error):
            return str(error)
        raise
    return find_problem(path, quick=True) if must_check_damage and not is_empty else ""
