"""Makes a backup of a data directory, whether or not its server is running (rules/safety#backup)."""

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
from tallyroom.operations.backup.balance import Balance
from tallyroom.operations.backup.files import copy_file, find_files, flush_folder, hash_file, link_file
from tallyroom.operations.backup.manifest import (
    FORMAT,
    STORE_FOLDER,
    FileEntry,
    Manifest,
    Schemas,
    TableEntry,
    write_manifest,
)
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.snapshot import Snapshot
from tallyroom.operations.backup.store_access import FrozenStore, StoreAccess
from tallyroom.operations.backup.target import create_folder, refuse_full, refuse_inside
from tallyroom.operations.installation.last_backup import LastBackup, write_last_backup
from tallyroom.storage.metadata.migrate import read_file_revision

_MAX_ATTEMPTS = 5


class NoRoom(TallyroomError):
    """The backup would not fit on the disk, or would leave the server too little space."""


@dataclass(frozen=True)
class _BackupState:
    """Unchanging snapshots of spool, metadata and store, all of one moment."""

    store: FrozenStore
    spool: Snapshot
    metadata: Snapshot
    created_ms: int

    @property
    def balance(self) -> Balance:
        return Balance(self.spool.read_counts(), self.store.balance.events, self.store.balance.others)


def make_backup(
    access: StoreAccess,
    data: Path,
    target: Path,
    *,
    clock: Clock,
    reserve_bytes: int,
    progress: Progress,
    copied_ms: int | None = None,
) -> Manifest:
    """Write a backup of `data` to `target`, which appears only once all of it is on disk.

    Args:
        access: the store of `data`.
        data: the data directory.
        target: a directory that does not exist or is empty.
        clock: gives the time of the backup.
        reserve_bytes: the bytes that must stay free on the disk of the data.
        progress: shows the progress.
        copied_ms: `data` is a copy of what was elsewhere at this time. It is on the disk of `target` and will be
            deleted, so the backup takes the files of its store instead of copying them. None if it is not.

    Raises:
        TargetRefused: `target` is not empty, is inside `data`, or cannot be created.
        NoRoom: the backup would not fit.
        Unavailable: no moment was found at which spool and store agree.
        SnapshotDamaged: a database is damaged.
        OSError: a file cannot be read or written; nothing is left at `target`.
    """
    target = target.resolve()
    refuse_full(target)
    refuse_inside(target, data)
    with create_folder(target) as folder, _capture_state(access, data, clock) as state:
        name_by_path = _list_plain_files(data, state.store)
        plain_bytes = sum(path.stat().st_size for path in name_by_path)
        _refuse_without_room(folder, data, state, plain_bytes if copied_ms is None else 0, reserve_bytes)
        progress.begin_step("Copying", plain_bytes + state.spool.byte_count + state.metadata.byte_count)
        manifest = _build_manifest(state, folder, name_by_path, progress, copied_ms)
        write_manifest(folder, manifest)
        flush_folder(folder)
    write_last_backup(data, LastBackup(manifest.created, str(target), manifest.total_bytes))
    return manifest


@contextmanager
def _capture_state(access: StoreAccess, data: Path, clock: Clock) -> Iterator[_BackupState]:
    """Freeze the store, begin the snapshots while the drain is held, then let the drain continue at once."""
    with ExitStack() as stack:
        for _ in range(_MAX_ATTEMPTS):
            store = access.freeze()
            attempt = stack.enter_context(ExitStack())
            attempt.callback(access.thaw)
            created_ms = clock.now_ms()
            # The spool comes first, so that the metadata snapshot includes everything that its events refer to.
            spool = Snapshot(data / SPOOL_FILE)
            attempt.callback(spool.close)
            metadata = Snapshot(data / DATABASE_FILE)
            attempt.callback(metadata.close)
            if _is_consistent(spool, store):
                access.release()
                yield _BackupState(store, spool, metadata, created_ms)
                return
            attempt.close()
    raise Unavailable("Events are being erased again and again. Make the backup later.")


def _is_consistent(spool: Snapshot, store: FrozenStore) -> bool:
    """Return whether nothing was erased or stored between freezing the store and the snapshot."""
    spool_counts, store_counts = spool.read_counts(), store.balance.counts
    return (spool_counts.erased, spool_counts.erasing, spool_counts.stored) == (
        store_counts.erased,
        store_counts.erasing,
        store_counts.stored,
    )


def _list_plain_files(data: Path, store: FrozenStore) -> dict[Path, str]:
    """Return the files that are copied unchanged, with their names in the backup: frozen parts and the key file."""
    key = data / KEY_FILE
    return ({key: KEY_FILE} if key.is_file() else {}) | {
        path: str(Path(STORE_FOLDER, table, path.relative_to(data / folder)))
        for table, folder in store.folders.items()
        if (data / folder).is_dir()
        for path in find_files(data / folder)
    }


def _refuse_without_room(folder: Path, data: Path, state: _BackupState, store_bytes: int, reserve_bytes: int) -> None:
    max_bytes = (
        store_bytes + 2 * state.spool.byte_count + 2 * state.metadata.byte_count
    )  # databases are copied whole, then compacted
    free_bytes = shutil.disk_usage(folder).free
    is_same_disk = folder.stat().st_dev == data.stat().st_dev
    if free_bytes < max_bytes + (reserve_bytes if is_same_disk else 0):
        remark = f", of which the server keeps {reserve_bytes:,} (TALLYROOM_DISK_RESERVE_BYTES)" if is_same_disk else ""
        raise NoRoom(f"The backup takes up to {max_bytes:,} bytes and the disk has {free_bytes:,} free{remark}.")


def _build_manifest(
    state: _BackupState, folder: Path, name_by_path: dict[Path, str], progress: Progress, copied_ms: int | None
) -> Manifest:
    failpoints.hit("backup.copy")
    balance, spool_schema = state.balance, state.spool.read_number("PRAGMA user_version")
    files: list[FileEntry] = []  # databases first: while they are read, their logs cannot shrink
    for name, snapshot in ((SPOOL_FILE, state.spool), (DATABASE_FILE, state.metadata)):
        snapshot.copy_to(folder / name, progress.advance)
        files.append(hash_file(folder, name, lambda _: None))
    transfer_file = copy_file if copied_ms is None else link_file
    files += [transfer_file(path, folder, name, progress.advance) for path, name in name_by_path.items()]
    return Manifest(
        format=FORMAT,
        program=VERSION,
        engine=state.store.engine,
        created=iso_ms(state.created_ms if copied_ms is None else copied_ms),
        schemas=Schemas(read_file_revision(folder / DATABASE_FILE), spool_schema, state.store.schema),
        balance=balance,
        tables={table: count_rows(folder / STORE_FOLDER / table) for table in state.store.folders},
        files=files,
    )


def count_rows(table: Path) -> TableEntry:
    """Count the rows of the parts below `table`, as stated in their `count.txt` files."""
    partitions: dict[str, int] = {}
    for part in sorted(table.iterdir()) if table.is_dir() else ():
        partition = part.name.split("_", maxsplit=1)[0]
        partitions[partition] = partitions.get(partition, 0) + int((part / "count.txt").read_text())
    return TableEntry(sum(partitions.values()), partitions)
