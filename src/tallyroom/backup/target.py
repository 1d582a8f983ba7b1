"""The directory of a backup: it appears under its name when it is whole, and not before."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tallyroom.backup.files import flush_one
from tallyroom.backup.manifest import STORE_FOLDER
from tallyroom.core.data_directory import MANIFEST_FILE
from tallyroom.core.errors import TallyroomError

FRESH_DISK = "lost+found"
"""What lies in a directory that is a disk of its own and otherwise empty."""

_OURS = {"metadata", "spool", STORE_FOLDER, MANIFEST_FILE}


class TargetRefused(TallyroomError):
    """Nothing can be written there without harming what is there."""


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder beside `target` that takes its name when the block ends, and is deleted when it raises.

    Raises:
        TargetRefused: `target` holds something, is a mount point, cannot be made, or is being written already.
    """
    target = target.resolve()  # a link cannot be renamed over, and `..` has no name
    refuse_full(target)
    if target.is_mount():
        raise TargetRefused(f"{target} is a mount point, which cannot be renamed: name a directory in it.")
    partial = target.with_name(f"{target.name}.partial")
    lock = _made_or_gone(partial)
    try:
        yield partial
        partial.rename(target)  # over an empty directory, too
        flush_one(target.parent)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    finally:
        os.close(lock)


def refuse_inside(folder: Path, other: Path) -> None:
    """Refuse a directory that lies in `other`, so that neither a backup nor its data goes, or changes, with the other.

    Raises:
        TargetRefused: it does.
    """
    if folder.resolve().is_relative_to(other.resolve()):
        raise TargetRefused(f"{folder} lies in {other}: name a directory elsewhere. Nothing was changed.")


def refuse_full(folder: Path) -> None:
    """Refuse a directory that holds anything.

    Raises:
        TargetRefused: it does, or is none.
    """
    try:
        found = sorted(path.name for path in folder.iterdir() if path.name != FRESH_DISK)
    except FileNotFoundError:
        return
    except OSError as error:
        raise TargetRefused(f"{folder} cannot be used: {error.strerror}.") from error
    if found:
        raise TargetRefused(f"{folder} is not empty: it holds {found[0]}. Nothing was changed.")


def _made_or_gone(partial: Path) -> int:
    """As `_make`; who is interrupted in the middle of it leaves no empty folder."""
    try:
        return _make(partial)
    except TargetRefused:
        raise
    except BaseException:
        with suppress(OSError):
            partial.rmdir()
        raise


def _make(partial: Path) -> int:
    """Make the folder anew, and lock it so that what a killed backup left can be told from one that is written."""
    try:
        partial.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(partial, os.O_RDONLY)
    except OSError as error:
        raise TargetRefused(f"{partial} cannot be made: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise TargetRefused(f"Another backup is being written to {partial}.") from None
    left = sorted(partial.iterdir())
    if foreign := [path for path in left if path.name.split(".sqlite")[0] not in _OURS]:
        os.close(lock)
        raise TargetRefused(f"{foreign[0]} is in the way: the backup is first written to {partial.name}.")
    for path in left:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return lock
