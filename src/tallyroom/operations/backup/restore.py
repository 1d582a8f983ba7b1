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
    """The result of a restore: the manifest, and the number of parts that were read again, 0 without `--verify`."""

    manifest: Manifest
    checked_part_count: int


def restore_backup(
    backup_dir: Path,
    data_dir: Path,
    *,
    must_verify: bool,
    progress: Progress,
    random_bytes: RandomBytes = secrets.token_bytes,
) -> RestoredBackup:
    """Check the backup in `backup_dir`, then make `data_dir` from it.

    `data_dir` does not exist or is empty. `must_verify` reads all restored data and compares the counts. `random_bytes`
    generates the id of the new installation.

    Raises:
        BackupDamaged: the backup does not match its manifest; nothing is left in `data_dir`.
        BackupTooNew: a later version made the backup; nothing was written.
        TargetRefused: `data_dir` is not empty, or is inside the backup; nothing was written.
        RestoreFailed: the restored data does not match the manifest; it was deleted.
        OSError: a file cannot be read or written; what was written was deleted.
    """
    refuse_nonempty(data_dir)
    manifest = verify_backup(backup_dir, progress)
    refuse_inside(data_dir, backup_dir)
    _refuse_without_room(data_dir, manifest)
    with hold_directory(data_dir), _empty_on_error(data_dir):
        progress.begin_step("Restoring", manifest.total_bytes)
        _restore_store(backup_dir, data_dir, manifest, progress)
        _restore_files(backup_dir, data_dir, manifest, progress)
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
                part_files = [file for file in manifest.files if file.path.startswith(f"{PARTS_FOLDER}/{table}/")]
                _copy_files(
                    backup_dir,
                    store_folder / folder_by_table[table] / "detached",
                    f"{PARTS_FOLDER}/{table}",
                    part_files,
                    progress,
                )
                row_count = attach_detached_parts(writer, table)
                if row_count != entry.rows:
                    raise RestoreFailed(f"{table} has {row_count:,} rows instead of {entry.rows:,}.")
    except StoreError as error:
        raise RestoreFailed(f"The event store refuses the backup: {str(error).splitlines()[0]}") from error


def _restore_files(backup_dir: Path, data_dir: Path, manifest: Manifest, progress: Progress) -> None:
    files = [file for file in manifest.files if file.path in {SPOOL_FILE, DATABASE_FILE, KEY_FILE}]
    _copy_files(backup_dir, data_dir, ".", files, progress)


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
        row_count = sum(entry.rows for entry in manifest.tables.values())
        progress.begin_step("Verifying", row_count)
        rows_by_table_and_partition: dict[tuple[str, str], int] = {}
        part_count = 0
        for part in check_parts(store):
            if part.problem:
                raise RestoreFailed(f"{part.table}/{part.part} is damaged: {part.problem}")
            table_and_partition = part.table, part.part.split("_", maxsplit=1)[0]
            rows_by_table_and_partition[table_and_partition] = (
                rows_by_table_and_partition.get(table_and_partition, 0) + part.row_count
            )
            part_count += 1
            progress.advance(part.row_count)
        _compare_partitions(rows_by_table_and_partition, manifest)
        _compare_balance(data_dir, writer, manifest)
    return part_count


def _compare_partitions(rows_by_table_and_partition: dict[tuple[str, str], int], manifest: Manifest) -> None:
    """Compare rows by table and partition; the store drops a part without rows, which may have been frozen before."""
    for table, entry in manifest.tables.items():
        actual_rows_by_partition = {
            partition: rows for (name, partition), rows in rows_by_table_and_partition.items() if name == table and rows
        }
        expected_rows_by_partition = {partition: rows for partition, rows in entry.partitions.items() if rows}
        if actual_rows_by_partition != expected_rows_by_partition:
            raise RestoreFailed(
                f"{table} has {actual_rows_by_partition} rows by partition instead of {expected_rows_by_partition}."
            )


def _compare_balance(data_dir: Path, writer: Writer, manifest: Manifest) -> None:
    with closing(open_spool_file(data_dir / SPOOL_FILE)) as connection:
        spool_counts = read_spool_counts(connection)
    event_count_by_spool = count_events_by_spool(writer)
    balance = EventBalance(
        spool_counts, event_count_by_spool.pop(spool_counts.spool, 0), sum(event_count_by_spool.values())
    )
    if balance != manifest.balance:
        raise RestoreFailed(f"The counts are {balance} instead of {manifest.balance}.")


def _refuse_without_room(data_dir: Path, manifest: Manifest) -> None:
    if (free_byte_count := measure_free_bytes(data_dir)) < manifest.total_bytes:
        raise RestoreFailed(
            f"The backup takes {manifest.total_bytes:,} bytes and the disk has {free_byte_count:,} free."
        )
