"""`manifest.json`: the contents of a backup, with a hash of every file and a seal on the manifest itself."""

import hashlib
import re
from pathlib import Path
from typing import NoReturn

import msgspec

from tallyroom.core.data_directory import MANIFEST_FILE
from tallyroom.core.errors import TallyroomError
from tallyroom.operations.backup.balance import EventBalance
from tallyroom.storage.event_store.migrate import newest_version
from tallyroom.storage.metadata.migrate import newest_revision
from tallyroom.storage.spool.file import SCHEMA_VERSION

MANIFEST_FORMAT = 2
STORE_FOLDER = "store"

_SAFE_PATH = re.compile(
    rf"metadata\.sqlite|spool\.sqlite|secret\.key|{STORE_FOLDER}(/(?!\.+(/|$))[\w.%@~=+,-]+){{3,8}}"
)


class BackupDamaged(TallyroomError):
    """A backup does not match its manifest; the message names the files."""


class BackupTooNew(TallyroomError):
    """A later version of Tallyroom made the backup."""


class FileEntry(msgspec.Struct, frozen=True):
    """One file: its path within the backup, its size in bytes, and its SHA-256 as hexadecimal text."""

    path: str
    size: int
    sha256: str


class TableEntry(msgspec.Struct, frozen=True):
    """The rows of one table of the store, in total and by partition (for events, the UTC month, as in 202611)."""

    rows: int
    partitions: dict[str, int]


class SchemaVersions(msgspec.Struct, frozen=True):
    """The schema version of each part."""

    metadata: str
    spool: int
    store: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a backup."""

    format: int  # of the backup
    program: str  # the version of Tallyroom that made the backup
    engine: str  # the version of ClickHouse that wrote the parts
    created: str  # the moment whose state of spool, metadata and store the backup contains; ISO 8601
    schemas: SchemaVersions
    balance: EventBalance  # at that moment; the backup contains all events that were acknowledged before it
    tables: dict[str, TableEntry]
    files: list[FileEntry]  # except the manifest
    seal: str = ""  # SHA-256 of the manifest with an empty seal

    @property
    def total_bytes(self) -> int:
        """The total size of all files in bytes."""
        return sum(file.size for file in self.files)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Seal `manifest` and write it into `folder`, accessible only to its owner."""
    path = folder / MANIFEST_FILE
    path.touch(mode=0o600, exist_ok=False)
    path.write_bytes(_encode_sealed(manifest))


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of the backup in `folder`; raise `BackupDamaged` or `BackupTooNew`."""
    path = folder / MANIFEST_FILE
    try:
        content = path.read_bytes()
    except OSError:
        raise BackupDamaged(f"{folder} is not a complete backup: it has no {MANIFEST_FILE}.") from None
    try:
        manifest_version = msgspec.json.decode(content, type=_ManifestVersion)
        if manifest_version.format > MANIFEST_FORMAT:
            _raise_too_new(f"format {manifest_version.format}", f"format {MANIFEST_FORMAT}", manifest_version.program)
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BackupDamaged(f"{path} is damaged: it cannot be read.") from None
    if _encode_sealed(manifest) != content or not all(_SAFE_PATH.fullmatch(file.path) for file in manifest.files):
        raise BackupDamaged(f"{path} is damaged: it was changed after the backup.")
    _refuse_newer(manifest)
    return manifest


class _ManifestVersion(msgspec.Struct):
    format: int
    program: str


def _encode_sealed(manifest: Manifest) -> bytes:
    unsealed = msgspec.structs.replace(manifest, seal="")
    seal = hashlib.sha256(msgspec.json.encode(unsealed)).hexdigest()
    return msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(manifest, seal=seal)), indent=1) + b"\n"


def _refuse_newer(manifest: Manifest) -> None:
    schemas, program_version = manifest.schemas, manifest.program
    if schemas.metadata > newest_revision():
        _raise_too_new(f"metadata schema {schemas.metadata}", newest_revision(), program_version)
    if schemas.spool > SCHEMA_VERSION:
        _raise_too_new(f"spool schema {schemas.spool}", str(SCHEMA_VERSION), program_version)
    if schemas.store > newest_version():
        _raise_too_new(f"event store schema {schemas.store}", str(newest_version()), program_version)


def _raise_too_new(backup_version: str, own_version: str, program_version: str) -> NoReturn:
    raise BackupTooNew(
        f"The backup has {backup_version}, but this version supports {own_version}. Use Tallyroom {program_version}, "
        "which made the backup, or later."
    )
