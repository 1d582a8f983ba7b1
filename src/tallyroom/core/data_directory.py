"""The data directory: the names of its files, and the lock that reserves it for one process."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from tallyroom.core.atomic_file import write_atomically
from tallyroom.core.errors import TallyroomError

DATABASE_FILE = "metadata.sqlite"
SPOOL_FILE = "spool.sqlite"
STORE_FOLDER = "events"
KEY_FILE = "secret.key"
LOCK_FILE = "server.lock"
CONTROL_SOCKET = "control.sock"
LAST_BACKUP_FILE = "last-backup.json"
WORKERS_FOLDER = "workers"  # has a data directory for each worker of this host, if there are several
INSTALLATION_FILE = "installation.json"
"""Exists from the first start, so that a directory that has lost all its parts is not mistaken for a new one."""

UNFINISHED_FILE = "restore.unfinished"
MANIFEST_FILE = "manifest.json"
"""Marks a backup, which looks like a data directory but must not be used as one, because that would change it."""

MOVED_FILE = "moved.json"
"""Marks a directory whose data is now on servers (`tallyroom migrate-store`), and names the new place of its spool."""

MOVING_FILE = "move.unfinished"
"""Marks a directory to which data moves from servers (`tallyroom migrate-store`), and names the installation."""

_DISK_FULL_BYTES = 2 * 1024**2  # the event store cannot write at all with less than half of this free


class DataDirectoryInUse(TallyroomError):
    """Another server holds the data directory, which was left unchanged."""


class DataDirectoryUnusable(TallyroomError):
    """The data directory, or a file in it, cannot be opened."""


class WorkersDirectory(DataDirectoryUnusable):
    """The directory is of several workers, or of one of them, so it is not complete by itself."""

    def __init__(self, finding: str) -> None:
        self.finding = finding
        self.advice = "Set TALLYROOM_DB_DSN and the other settings to the workers' values."
        super().__init__(f"{finding} {self.advice} Nothing was changed.")


@contextmanager
def hold_directory(directory: Path, *, is_moving: bool = False) -> Iterator[TextIO]:
    """Lock the directory, created if missing, for this process and those that inherit the yielded lock.

    `is_moving` allows a directory whose data moves to or from servers. Raises `DataDirectoryInUse`, or
    `DataDirectoryUnusable` for a backup, a moved directory, or an unfinished restore or move.
    """
    refuse_backup(directory)
    if not is_moving:
        refuse_moved(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)  # users' events and password hashes
        lock_file = (directory / LOCK_FILE).open("a+")
    except OSError as error:
        raise build_unusable_error(directory, error) from error
    with lock_file:
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataDirectoryInUse(
                f"Another Tallyroom server (process {read_holder_id(directory)}) is using {directory}: stop it, or "
                "start this one with --data on another directory. Nothing was changed."
            ) from None
        if (directory / UNFINISHED_FILE).exists():
            raise DataDirectoryUnusable(
                f"A restore into {directory} did not finish: empty the directory and restore again."
            )
        _write_process_id(lock_file, directory)
        yield lock_file


def _write_process_id(lock_file: TextIO, directory: Path) -> None:
    try:
        lock_file.truncate(0)
        lock_file.write(str(os.getpid()))
        lock_file.flush()
    except OSError as error:
        with suppress(OSError):
            lock_file.close()  # closing flushes, which would raise the same error again
        raise build_unusable_error(directory, error) from error


def build_unusable_error(directory: Path, error: Exception) -> DataDirectoryUnusable:
    """Build the error for an error of the system, a database or the event store; a full disk is named as such."""
    reason = f"{error}\n".splitlines()[0].rstrip(".")
    if (free_bytes := measure_free_bytes(directory)) < _DISK_FULL_BYTES and not isinstance(error, FileNotFoundError):
        return DataDirectoryUnusable(
            f"The disk of the data directory {directory} is full, with {free_bytes:,} bytes free ({reason}): free some "
            "space and start again. Nothing is lost."
        )
    return DataDirectoryUnusable(f"The data directory {directory} cannot be used: {reason}.")


def measure_free_bytes(path: Path) -> int:
    """Return the free bytes on the disk where `path` is, or would be."""
    return shutil.disk_usage(
        next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())
    ).free


def refuse_backup(directory: Path) -> None:
    """Raise `DataDirectoryUnusable` if the directory is a backup."""
    if (directory / MANIFEST_FILE).exists():
        raise DataDirectoryUnusable(
            f"{directory} is a backup: create a data directory from it with `tallyroom restore {directory} --data DIR`."
        )


def refuse_moved(directory: Path) -> None:
    """Raise `DataDirectoryUnusable` if the data has moved to servers, or has not completely moved here from servers."""
    if (directory / MOVING_FILE).exists():
        raise DataDirectoryUnusable(
            f"Moving the workers' data to {directory} did not finish: run `tallyroom migrate-store --to "
            f"{directory}` again. Nothing was changed."
        )
    try:
        spool_location = json.loads((directory / MOVED_FILE).read_bytes())["spool"]
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError, LookupError, TypeError):
        spool_location = "the data directory of the workers"
    raise DataDirectoryUnusable(
        f"The data of {directory} has moved to servers, and its spool to {spool_location}: start the workers there. If "
        "`tallyroom migrate-store` was interrupted, run it again. Nothing was changed."
    )


def refuse_workers_directory(directory: Path) -> None:
    """Raise `WorkersDirectory` for a directory of workers: it has only events that have not reached the servers."""
    if (directory / WORKERS_FOLDER).is_dir():
        raise WorkersDirectory(f"{directory} has the spools of several workers, whose data is on servers.")
    if directory.absolute().parent.name == WORKERS_FOLDER and not (directory / DATABASE_FILE).exists():
        raise WorkersDirectory(f"{directory} has the spool of one of several workers, whose data is on servers.")


def mark_moved(directory: Path, spool_directory: Path) -> None:
    """Mark a directory, durably, whose data has moved and whose spool is now in `spool_directory`; raises `OSError`."""
    write_atomically(directory / MOVED_FILE, json.dumps({"spool": str(spool_directory.absolute())}).encode())


def mark_moving(directory: Path, installation_id: str) -> None:
    """Mark a directory, durably, to which an installation's data begins to move; may raise `OSError`."""
    write_atomically(directory / MOVING_FILE, json.dumps({"installation": installation_id}).encode())


def read_moving_installation(directory: Path) -> str | None:
    """Return the installation that moves here; "" for a malformed mark, None without one. May raise `OSError`."""
    try:
        return str(json.loads((directory / MOVING_FILE).read_bytes())["installation"])
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, LookupError, TypeError):
        return ""


def read_holder_id(directory: Path) -> str:
    """Return the process ID that the last holder of the directory left, or ``unknown``."""
    try:
        return (directory / LOCK_FILE).read_text().strip() or "unknown"
    except OSError:
        return "unknown"
