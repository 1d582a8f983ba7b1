"""Makes a backup of a data directory, with or without a running server (rules/safety#backup)."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import DATABASE_FILE, KEY_FILE, SPOOL_FILE
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.core.times import iso_ms
from tallyroom.core.version import VERSION
from tallyroom.operations.backup.balance import EventBalance
from tallyroom.operations.backup.files import copy_file, find_files, flush_folder, hash_file, link_file
from tallyroom.operations.backup.manifest import (
    MANIFEST_FORMAT,
    STORE_FOLDER,
    FileEntry,
    Manifest,
    SchemaVersions,
    TableEntry,
    write_manifest,
)
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.snapshot import DatabaseSnapshot
from tallyroom.operations.backup.store_access import FrozenStore, StoreAccess
from tallyroom.operations.backup.target import create_backup_folder, refuse_inside, refuse_nonempty
from tallyroom.operations.installation.last_backup import LastBackup, write_last_backup
from tallyroom.storage.metadata.migrate import read_file_revision

_MAX_ATTEMPTS = 5


class NoRoom(TallyroomError):
    """The backup would not fit on the disk, or would leave too little space for the server."""


@dataclass(frozen=True)
class _BackupState:
    """Immutable snapshots of spool, metadata and store, all of one moment."""

    frozen_store: FrozenStore
    spool_snapshot: DatabaseSnapshot
    metadata_snapshot: DatabaseSnapshot
    created_ms: int

    @property
    def balance(self) -> EventBalance:
        store_balance = self.frozen_store.balance
        return EventBalance(self.spool_snapshot.read_spool_counts(), store_balance.events, store_balance.others)


def make_backup(
    access: StoreAccess,
    data_dir: Path,
    target: Path,
    *,
    clock: Clock,
    reserve_bytes: int,
    progress: Progress,
    copied_ms: int | None = None,
) -> Manifest:
    """Write a backup of `data_dir` to `target`, which appears only once all of it is on disk.

    `target` does not exist or is empty. `reserve_bytes` must stay free on the disk of the data. If `data_dir` is a
    temporary copy on the disk of `target`, `copied_ms` is the time of its state, and the backup takes its store's files
    instead of copying them.

    Raises:
        TargetRefused: `target` is not empty, is inside `data_dir`, or cannot be created.
        NoRoom: the backup would not fit.
        Unavailable: no moment was found at which spool and store agree.
        SnapshotDamaged: a database is damaged.
        OSError: a file cannot be read or written; nothing is left at `target`.
    """
    target = target.resolve()
    refuse_nonempty(target)
    refuse_inside(target, data_dir)
    with create_backup_folder(target) as folder, _capture_state(access, data_dir, clock) as backup_state:
        name_by_path = _list_plain_files(data_dir, backup_state.frozen_store)
        plain_bytes = sum(path.stat().st_size for path in name_by_path)
        _refuse_without_room(folder, data_dir, backup_state, plain_bytes if copied_ms is None else 0, reserve_bytes)
        progress.begin_step(
            "Copying", plain_bytes + backup_state.spool_snapshot.byte_count + backup_state.metadata_snapshot.byte_count
        )
        manifest = _copy_files(backup_state, folder, name_by_path, progress, copied_ms)
        write_manifest(folder, manifest)
        flush_folder(folder)
    write_last_backup(data_dir, LastBackup(manifest.created, str(target), manifest.total_bytes))
    return manifest


@contextmanager
def _capture_state(access: StoreAccess, data_dir: Path, clock: Clock) -> Iterator[_BackupState]:
    """Freeze the store, begin the snapshots while the drain is held, then let the drain continue immediately."""
    with ExitStack() as stack:
        for _ in range(_MAX_ATTEMPTS):
            frozen_store = access.freeze()
            attempt_stack = stack.enter_context(ExitStack())
            attempt_stack.callback(access.thaw)
            created_ms = clock.now_ms()
            # The spool comes first, so that the metadata snapshot includes everything that its events refer to.
            spool_snapshot = DatabaseSnapshot(data_dir / SPOOL_FILE)
            attempt_stack.callback(spool_snapshot.close)
            metadata_snapshot = DatabaseSnapshot(data_dir / DATABASE_FILE)
            attempt_stack.callback(metadata_snapshot.close)
            if _is_consistent(spool_snapshot, frozen_store):
                access.release_drain()
                yield _BackupState(frozen_store, spool_snapshot, metadata_snapshot, created_ms)
                return
            attempt_stack.close()
    raise Unavailable("Events are constantly being erased. Make the backup later.")


def _is_consistent(spool_snapshot: DatabaseSnapshot, frozen_store: FrozenStore) -> bool:
    """Return whether nothing was erased or stored between freezing the store and the snapshot."""
    before, after = frozen_store.balance.counts, spool_snapshot.read_spool_counts()
    return (before.erased, before.erasing, before.left_spool) == (after.erased, after.erasing, after.left_spool)


def _list_plain_files(data_dir: Path, frozen_store: FrozenStore) -> dict[Path, str]:
    """Return the files that are copied unchanged, by path, with their names in the backup."""
    key_file = data_dir / KEY_FILE
    return ({key_file: KEY_FILE} if key_file.is_file() else {}) | {
        path: str(Path(STORE_FOLDER, table, path.relative_to(data_dir / folder)))
        for table, folder in frozen_store.folders.items()
        if (data_dir / folder).is_dir()
        for path in find_files(data_dir / folder)
    }


def _refuse_without_room(
    folder: Path, data_dir: Path, backup_state: _BackupState, plain_bytes: int, reserve_bytes: int
) -> None:
    # Databases are copied whole, then compacted.
    database_bytes = backup_state.spool_snapshot.byte_count + backup_state.metadata_snapshot.byte_count
    max_bytes = plain_bytes + 2 * database_bytes
    free_bytes = shutil.disk_usage(folder).free
    is_same_disk = folder.stat().st_dev == data_dir.stat().st_dev
    if free_bytes < max_bytes + (reserve_bytes if is_same_disk else 0):
        remark = (
            f", of which the server reserves {reserve_bytes:,} (TALLYROOM_DISK_RESERVE_BYTES)" if is_same_disk else ""
        )
        raise NoRoom(f"The backup needs up to {max_bytes:,} bytes, and the disk has {free_bytes:,} free{remark}.")


def _copy_files(
    backup_state: _BackupState, folder: Path, name_by_path: dict[Path, str], progress: Progress, copied_ms: int | None
) -> Manifest:
    failpoints.hit("backup.copy")
    balance, spool_schema = backup_state.balance, backup_state.spool_snapshot.read_number("PRAGMA user_version")
    files: list[FileEntry] = []  # databases first: while they are read, their logs cannot shrink
    for name, snapshot in ((SPOOL_FILE, backup_state.spool_snapshot), (DATABASE_FILE, backup_state.metadata_snapshot)):
        snapshot.copy_to(folder / name, progress.advance)
        files.append(hash_file(folder, name, lambda _: None))
    transfer_file = copy_file if copied_ms is None else link_file
    files += [transfer_file(path, folder, name, progress.advance) for path, name in name_by_path.items()]
    return Manifest(
        format=MANIFEST_FORMAT,
        program=VERSION,
        engine=backup_state.frozen_store.engine,
        created=iso_ms(backup_state.created_ms if copied_ms is None else copied_ms),
        schemas=SchemaVersions(
            read_file_revision(folder / DATABASE_FILE), spool_schema, backup_state.frozen_store.schema
        ),
        balance=balance,
        tables={table: count_rows(folder / STORE_FOLDER / table) for table in backup_state.frozen_store.folders},
        files=files,
    )


def count_rows(table_folder: Path) -> TableEntry:
    """Count the rows of the parts below `table_folder`, as stated in their `count.txt` files."""
    rows_by_partition: dict[str, int] = {}
    for part in sorted(table_folder.iterdir()) if table_folder.is_dir() else ():
        partition = part.name.split("_", maxsplit=1)[0]
        rows_by_partition[partition] = rows_by_partition.get(partition, 0) + int((part / "count.txt").read_text())
    return TableEntry(sum(rows_by_partition.values()), rows_by_partition)
