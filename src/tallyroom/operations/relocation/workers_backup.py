"""Backs up several workers while they run: a copy in a data directory, and an ordinary backup of that copy."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import UNFINISHED_FILE, DataDirectoryInUse, DataDirectoryUnusable, hold_directory
from tallyroom.core.ids import RandomBytes
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.files import make_folder
from tallyroom.operations.backup.local_store_access import open_local_access
from tallyroom.operations.backup.make import make_backup
from tallyroom.operations.backup.manifest import Manifest
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.target import TargetRefused, refuse_inside, refuse_nonempty
from tallyroom.operations.installation.last_backup import LastBackup, write_last_backup
from tallyroom.operations.relocation.workers_copy import CopiedWorkers, copy_workers


def make_workers_backup(
    target: Path,
    settings: Settings,
    clock: Clock,
    progress: Progress,
    *,
    without_absent: bool,
    random_bytes: RandomBytes,
) -> tuple[Manifest, CopiedWorkers]:
    """Write a backup to `target`, a new or empty directory that appears only once all of it is on disk.

    Raises the errors of `copy_workers` and `make_backup`, and `TargetRefused` if something is in the way.
    """
    target = target.resolve()
    refuse_nonempty(target)
    refuse_inside(target, settings.data_dir)
    with _hold_scratch_folder(target.with_name(f"{target.name}.copy")) as copy_dir:
        workers_copy = copy_workers(
            copy_dir, settings, clock, progress, without_absent=without_absent, random_bytes=random_bytes
        )
        with open_local_access(copy_dir, clock, settle_open_claim=False) as access:
            manifest = make_backup(
                access,
                copy_dir,
                target,
                clock=clock,
                reserve_bytes=settings.disk_reserve_bytes,
                progress=progress,
                copied_ms=workers_copy.cut.cut_ms,
            )
    if settings.data_dir.is_dir():
        write_last_backup(settings.data_dir, LastBackup(manifest.created, str(target), manifest.total_bytes))
    return manifest, workers_copy


@contextmanager
def _hold_scratch_folder(copy_dir: Path) -> Iterator[Path]:
    """Provide a data directory that no one else uses, and delete it when the block ends."""
    if copy_dir.exists():
        _delete_leftover(copy_dir)
    make_folder(copy_dir)
    try:
        with hold_directory(copy_dir):
            (copy_dir / UNFINISHED_FILE).touch()
            yield copy_dir
    finally:
        shutil.rmtree(copy_dir, ignore_errors=True)


def _delete_leftover(copy_dir: Path) -> None:
    """Delete the leftover of a killed backup; raise `TargetRefused` if it is in use, or something else."""
    if not (copy_dir / UNFINISHED_FILE).exists():
        refuse_nonempty(copy_dir)
    try:
        with hold_directory(copy_dir):
            pass
    except DataDirectoryInUse:
        raise TargetRefused(f"Another backup is being written to {copy_dir}.") from None
    except DataDirectoryUnusable:
        shutil.rmtree(copy_dir)  # no one uses an unfinished copy
