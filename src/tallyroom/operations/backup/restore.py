"""Makes a data directory from a backup (rules/safety#restore)."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tallyroom.core.data_directory import (
    DATABASE_FILE,
    KEY_FILE,
    SPOOL_FILE,
    STORE_FOLDER,
    UNFINISHED_FILE,
    free_bytes,
    hold_directory,
)
from tallyroom.core.errors import TallyroomError
from tallyroom.core.ids import RandomBytes
from tallyroom.operations.backup.balance import Balance
from tallyroom.operations.backup.files import copy_file
from tallyroom.operations.backup.manifest import STORE_FOLDER as PARTS_FOLDER
from tallyroom.operations.backup.manifest import BackupDamaged, FileEntry, Manifest
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.target import LOST_AND_FOUND, refuse_full, refuse_inside
from tallyroom.operations.backup.verify import verify_backup
from tallyroom.operations.installation.renew import renew_installation
from tallyroom.storage.database_file import find_problem
from tallyroom.storage.event_store.backend.opening import embedded_backend
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.freeze import attach, stop_merges, table_folders
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.part_check import check_parts, count_events_by_spool
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.event_counts import read_numbers
from tallyroom.storage.spool.file import open_spool_file


class RestoreFailed(TallyroomError):
    """The restored data does not match the manifest; it was deleted."""


@dataclass(frozen=True)
class RestoredBackup:
    """The result of a restore: the manifest, and the number of parts that were read again, 0 without `--verify`."""

    manifest: Manifest
    checked_parts: int


def restore_backup(
    folder: Path, data: Path, *, check: bool, progress: Progress, random_bytes: RandomBytes = secrets.token_bytes
) -> RestoredBackup:
    """Check the backup in `folder`, then make `data` from it.

    Args:
        folder: the backup.
        data: a directory that does not exist or is empty.
        check: afterwards, read all restored data and compare the counts.
        progress: shows the progress.
        random_bytes: used to generate the id of the new installation.

    Raises:
        BackupDamaged: the backup does not match its manifest; nothing is left in `data`.
        BackupTooNew: a later version made the backup; nothing was written.
        TargetRefused: `data` is not empty, or is inside the backup; nothing was written.
        RestoreFailed: the restored data is not what it should be; it was deleted.
        OSError: a file cannot be read or written; what was written was deleted.
    """
    refuse_full(data)
    manifest = verify_backup(folder, progress)
    refuse_inside(data, folder)
    _refuse_without_room(data, manifest)
    with hold_directory(data), _empty_on_error(data):
        progress.begin_step("Restoring", manifest.total_bytes)
        _restore_store(folder, data, manifest, progress)
        _restore_files(folder, data, manifest, progress)
        renew_installation(data, random_bytes)
        checked_parts = _verify_data(data, manifest, progress) if check else 0
        os.sync()  # the store renamed the parts without waiting for the disk
    return RestoredBackup(manifest, checked_parts)


@contextmanager
def _empty_on_error(data: Path) -> Iterator[None]:
    """Mark the directory as unfinished while the block runs, and empty it if the block raises."""
    mark = data / UNFINISHED_FILE
    mark.touch()
    try:
        yield
    except BaseException:
        for path in [path for path in data.iterdir() if path.name not in {LOST_AND_FOUND, UNFINISHED_FILE}]:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
        mark.unlink()
        raise
    mark.unlink()


def _restore_store(folder: Path, data: Path, manifest: Manifest, progress: Progress) -> None:
    store = data / STORE_FOLDER
    try:
        with closing(Writer(embedded_backend(data))) as writer:
            migrate(writer, manifest.schemas.store)
            stop_merges(writer)
            folders = table_folders(writer, store)
            for table, entry in manifest.tables.items():
                if table not in folders:
                    raise RestoreFailed(f"The event store has no table {table}, which the backup has.")
                parts = [file for file in manifest.files if file.path.startswith(f"{PARTS_FOLDER}/{table}/")]
                _copy_files(folder, store / folders[table] / "detached", f"{PARTS_FOLDER}/{table}", parts, progress)
                rows = attach(writer, table)
                if rows != entry.rows:
                    raise RestoreFailed(f"{table} has {rows:,} rows instead of {entry.rows:,}.")
    except StoreError as error:
        raise RestoreFailed(f"The event store refuses the backup: {str(error).splitlines()[0]}") from error


def _restore_files(folder: Path, data: Path, manifest: Manifest, progress: Progress) -> None:
    files = [file for file in manifest.files if file.path in {SPOOL_FILE, DATABASE_FILE, KEY_FILE}]
    _copy_files(folder, data, ".", files, progress)


def _copy_files(folder: Path, target: Path, source_prefix: str, files: list[FileEntry], progress: Progress) -> None:
    """Copy files below `source_prefix` of the backup to the same names below `target`, comparing their hashes again."""
    for file in files:
        name = str(Path(file.path).relative_to(source_prefix))
        entry = copy_file(folder / file.path, target, name, progress.advance)
        if entry.sha256 != file.sha256:
            raise BackupDamaged(f"{file.path} changed while it was read.")


def _verify_data(data: Path, manifest: Manifest, progress: Progress) -> int:
    """Read all restored data and compare the counts; return how many parts were read."""
    for name in (SPOOL_FILE, DATABASE_FILE):
        if problem := find_problem(data / name):
            raise RestoreFailed(f"{name} is damaged: {problem}.")
    store = embedded_backend(data)
    with closing(Writer(store)) as writer:
        stop_merges(writer)
        row_count = sum(entry.rows for entry in manifest.tables.values())
        progress.begin_step("Verifying", row_count)
        rows_by_partition: dict[tuple[str, str], int] = {}
        part_count = 0
        for part in check_parts(store):
            if part.problem:
                raise RestoreFailed(f"{part.table}/{part.part} is damaged: {part.problem}")
            key = part.table, part.part.split("_", maxsplit=1)[0]
            rows_by_partition[key] = rows_by_partition.get(key, 0) + part.rows
            part_count += 1
            progress.advance(part.rows)
        _compare_partitions(rows_by_partition, manifest)
        _compare_balance(data, writer, manifest)
    return part_count


def _compare_partitions(rows_by_partition: dict[tuple[str, str], int], manifest: Manifest) -> None:
    """Compare rows by table and partition; the store drops a part without rows, which may have been frozen before."""
    for table, entry in manifest.tables.items():
        actual_rows = {
            partition: rows for (name, partition), rows in rows_by_partition.items() if name == table and rows
        }
        expected_rows = {partition: rows for partition, rows in entry.partitions.items() if rows}
        if actual_rows != expected_rows:
            raise RestoreFailed(f"{table} has {actual_rows} rows by partition instead of {expected_rows}.")


def _compare_balance(data: Path, writer: Writer, manifest: Manifest) -> None:
    with closing(open_spool_file(data / SPOOL_FILE)) as spool:
        counts = read_numbers(spool)
    event_counts = count_events_by_spool(writer)
    balance = Balance(counts, event_counts.pop(counts.spool, 0), sum(event_counts.values()))
    if balance != manifest.balance:
        raise RestoreFailed(f"The counts are {balance} instead of {manifest.balance}.")


def _refuse_without_room(data: Path, manifest: Manifest) -> None:
    if (free := free_bytes(data)) < manifest.total_bytes:
        raise RestoreFailed(f"The backup takes {manifest.total_bytes:,} bytes and the disk has {free:,} free.")
