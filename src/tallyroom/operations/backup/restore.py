"""Makes a data directory from a backup (rules/safety#restore)."""

import os
import secrets
import shutil
from collections import Counter
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
    hold_directory,
    measure_free_bytes,
)
from tallyroom.core.errors import TallyroomError
from tallyroom.core.ids import RandomBytes
from tallyroom.operations.backup.balance import EventBalance
from tallyroom.operations.backup.files import copy_file
from tallyroom.operations.backup.manifest import STORE_FOLDER as PARTS_FOLDER
from tallyroom.operations.backup.manifest import BackupDamaged, FileEntry, Manifest
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.target import LOST_AND_FOUND, refuse_inside, refuse_nonempty
from tallyroom.operations.backup.verify import verify_backup
from tallyroom.operations.installation.renew import renew_installation
from tallyroom.storage.database_file import find_problem
from tallyroom.storage.event_store.backend.opening import embedded_backend
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.freeze import attach_detached_parts, find_table_folders, stop_merges
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.part_check import check_parts, count_events_by_spool
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.file import open_spool_file


class RestoreFailed(TallyroomError):
    """The restored data does not match the manifest; it was deleted."""


@dataclass(frozen=True)
class RestoredBackup:
    """The result of a restore."""

    manifest: Manifest
    checked_part_count: int  # parts that were read again; 0 without `--verify`


def restore_backup(
    backup_dir: Path,
    data_dir: Path,
    *,
    must_verify: bool,
    progress: Progress,
    random_bytes: RandomBytes = secrets.token_bytes,
) -> RestoredBackup:
    """Check the backup in `backup_dir`, then make `data_dir`, which does not exist or is empty, from it.

    `must_verify` reads all restored data and compares the counts. After an error, nothing is left in `data_dir`.

    Raises:
        BackupDamaged, BackupTooNew, TargetRefused: nothing was written, or `backup_dir` changed meanwhile.
        RestoreFailed: the restored data does not match the manifest.
        OSError: a file cannot be read or written.
    """
    refuse_nonempty(data_dir)
    manifest = verify_backup(backup_dir, progress)
    refuse_inside(data_dir, backup_dir)
    _refuse_without_room(data_dir, manifest)
    with hold_directory(data_dir), _empty_on_error(data_dir):
        progress.begin_step("Restoring", manifest.total_bytes)
        _restore_store(backup_dir, data_dir, manifest, progress)
        files = [file for file in manifest.files if file.path in {SPOOL_FILE, DATABASE_FILE, KEY_FILE}]
        _copy_files(backup_dir, data_dir, ".", files, progress)
        renew_installation(data_dir, random_bytes)
        checked_part_count = _verify_data(data_dir, manifest, progress) if must_verify else 0
        os.sync()  # the store renamed the parts without waiting for the disk
    return RestoredBackup(manifest, checked_part_count)


@contextmanager
def _empty_on_error(data_dir: Path) -> Iterator[None]:
    """Mark the directory as unfinished while the block runs, and empty it if the block raises."""
    unfinished_mark = data_dir / UNFINISHED_FILE
    unfinished_mark.touch()
    try:
        yield
    except BaseException:
        for path in [path for path in data_dir.iterdir() if path.name not in {LOST_AND_FOUND, UNFINISHED_FILE}]:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
        unfinished_mark.unlink()
        raise
    unfinished_mark.unlink()


def _restore_store(backup_dir: Path, data_dir: Path, manifest: Manifest, progress: Progress) -> None:
    store_folder = data_dir / STORE_FOLDER
    try:
        with closing(Writer(embedded_backend(data_dir))) as writer:
            migrate(writer, manifest.schemas.store)
            stop_merges(writer)
            folder_by_table = find_table_folders(writer, store_folder)
            for table, entry in manifest.tables.items():
                if table not in folder_by_table:
                    raise RestoreFailed(f"The event store has no table {table}, which the backup has.")
                source = f"{PARTS_FOLDER}/{table}"
                part_files = [file for file in manifest.files if file.path.startswith(f"{source}/")]
                target_folder = store_folder / folder_by_table[table] / "detached"
                _copy_files(backup_dir, target_folder, source, part_files, progress)
                row_count = attach_detached_parts(writer, table)
                if row_count != entry.rows:
                    raise RestoreFailed(f"{table} has {row_count:,} rows instead of {entry.rows:,}.")
    except StoreError as error:
        raise RestoreFailed(f"The event store refuses the backup: {str(error).splitlines()[0]}") from error


def _copy_files(
    backup_dir: Path, target_folder: Path, source_prefix: str, files: list[FileEntry], progress: Progress
) -> None:
    """Copy files below `source_prefix` of the backup to the same names in a folder, and compare their hashes again."""
    for file in files:
        relative_path = str(Path(file.path).relative_to(source_prefix))
        entry = copy_file(backup_dir / file.path, target_folder, relative_path, progress.advance)
        if entry.sha256 != file.sha256:
            raise BackupDamaged(f"{file.path} changed while it was read.")


def _verify_data(data_dir: Path, manifest: Manifest, progress: Progress) -> int:
    """Read all restored data and compare the counts; return the number of parts."""
    for name in (SPOOL_FILE, DATABASE_FILE):
        if problem := find_problem(data_dir / name):
            raise RestoreFailed(f"{name} is damaged: {problem}.")
    store = embedded_backend(data_dir)
    with closing(Writer(store)) as writer:
        stop_merges(writer)
        progress.begin_step("Verifying", sum(entry.rows for entry in manifest.tables.values()))
        row_counts: Counter[tuple[str, str]] = Counter()  # by table and partition
        part_count = 0
        for part in check_parts(store):
            if part.problem:
                raise RestoreFailed(f"{part.table}/{part.part} is damaged: {part.problem}")
            row_counts[part.table, part.part.split("_", maxsplit=1)[0]] += part.row_count
            part_count += 1
            progress.advance(part.row_count)
        _compare_partitions(row_counts, manifest)
        _compare_balance(data_dir, writer, manifest)
    return part_count


def _compare_partitions(row_counts: Counter[tuple[str, str]], manifest: Manifest) -> None:
    """Compare rows by table and partition; the store drops a part without rows, which may have been frozen before."""
    for table, entry in manifest.tables.items():
        actual_rows = {partition: rows for (name, partition), rows in row_counts.items() if name == table and rows}
        expected_rows = {partition: rows for partition, rows in entry.partitions.items() if rows}
        if actual_rows != expected_rows:
            raise RestoreFailed(f"{table} has {actual_rows} rows by partition instead of {expected_rows}.")


def _compare_balance(data_dir: Path, writer: Writer, manifest: Manifest) -> None:
    with closing(open_spool_file(data_dir / SPOOL_FILE)) as connection:
        spool_counts = read_spool_counts(connection)
    event_counts = count_events_by_spool(writer)
    balance = EventBalance(spool_counts, event_counts.pop(spool_counts.spool, 0), sum(event_counts.values()))
    if balance != manifest.balance:
        raise RestoreFailed(f"The counts are {balance} instead of {manifest.balance}.")


def _refuse_without_room(data_dir: Path, manifest: Manifest) -> None:
    needed, free = manifest.total_bytes, measure_free_bytes(data_dir)
    if free < needed:
        raise RestoreFailed(f"The backup needs {needed:,} bytes, and the disk has {free:,} free.")
