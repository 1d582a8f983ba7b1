"""Creates the directory of a backup, which appears under its name only once it is complete."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tallyroom.core.data_directory import LOCK_FILE, MANIFEST_FILE
from tallyroom.core.errors import TallyroomError
from tallyroom.operations.backup.files import flush_path
from tallyroom.operations.backup.manifest import STORE_FOLDER

LOST_AND_FOUND = "lost+found"  # the only entry of a directory that is the root of a new disk

_BACKUP_NAMES = {"metadata", "spool", STORE_FOLDER, MANIFEST_FILE}


class TargetRefused(TallyroomError):
    """Writing to the target is impossible, or would harm what is already there."""


@contextmanager
def create_backup_folder(target: Path) -> Iterator[Path]:
    """Provide a folder next to `target` that gets its name when the block ends, and is deleted if the block raises.

    Raises `TargetRefused` if `target` is not empty, is a mount point, cannot be created, or is already being written.
    """
    target = target.resolve()  # a link cannot be replaced by renaming, and `..` has no name
    refuse_nonempty(target)
    if target.is_mount():
        raise TargetRefused(f"{target} is a mount point, which cannot be renamed. Choose a directory in it.")
    partial_folder = target.with_name(f"{target.name}.partial")
    lock_descriptor = _create_partial_folder(partial_folder)
    try:
        yield partial_folder
        partial_folder.rename(target)  # also replaces an empty directory
        flush_path(target.parent)
    except BaseException:
        shutil.rmtree(partial_folder, ignore_errors=True)
        raise
    finally:
        os.close(lock_descriptor)


def refuse_inside(folder: Path, other: Path) -> None:
    """Raise `TargetRefused` for a directory inside `other`, where a change to one would affect the other."""
    if folder.resolve().is_relative_to(other.resolve()):
        raise TargetRefused(f"{folder} is inside {other}. Choose a directory elsewhere. Nothing was changed.")


def refuse_nonempty(folder: Path, *, may_have_lock: bool = False) -> None:
    """Raise `TargetRefused` unless `folder` is empty or, with `may_have_lock`, contains only a process's lock."""
    try:
        exempt_names = {LOST_AND_FOUND, LOCK_FILE} if may_have_lock else {LOST_AND_FOUND}
        entry_names = sorted(path.name for path in folder.iterdir() if path.name not in exempt_names)
    except FileNotFoundError:
        return
    except OSError as error:
        raise TargetRefused(f"{folder} cannot be used: {error.strerror}.") from error
    if entry_names:
        raise TargetRefused(f"{folder} is not empty: it contains {entry_names[0]}. Nothing was changed.")


def _create_partial_folder(partial_folder: Path) -> int:
    """Like `_claim_partial_folder`, but leave no empty folder behind if interrupted."""
    try:
        return _claim_partial_folder(partial_folder)
    except TargetRefused:
        raise
    except BaseException:
        with suppress(OSError):
            partial_folder.rmdir()
        raise


def _claim_partial_folder(partial_folder: Path) -> int:
    """Create or empty the folder, and lock it: without a lock, it is the leftover of a killed backup."""
    try:
        partial_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock_descriptor = os.open(partial_folder, os.O_RDONLY)
    except OSError as error:
        raise TargetRefused(f"{partial_folder} cannot be created: {error.strerror}.") from error
    try:
        fcntl.flock(lock_descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock_descriptor)
        raise TargetRefused(f"Another backup is being written to {partial_folder}.") from None
    leftovers = sorted(partial_folder.iterdir())
    if foreign_paths := [path for path in leftovers if path.name.split(".sqlite")[0] not in _BACKUP_NAMES]:
        os.close(lock_descriptor)
        raise TargetRefused(f"{foreign_paths[0]} is in the way: the backup is first written to {partial_folder.name}.")
    for path in leftovers:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return lock_descriptor
