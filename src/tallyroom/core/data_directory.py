"""The data directory: the names of its files, and the lock that reserves it for one process."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from tallyroom.core.atomic_file import write_whole
from tallyroom.core.errors import TallyroomError

DATABASE_FILE = "metadata.sqlite"
SPOOL_FILE = "spool.sqlite"
STORE_FOLDER = "events"
KEY_FILE = "secret.key"
LOCK_FILE = "server.lock"
CONTROL_SOCKET = "control.sock"
LAST_BACKUP_FILE = "last-backup.json"
WORKERS_FOLDER = "workers"
"""Has a data directory for each worker of this host, if there are several."""

INSTALLATION_FILE = "installation.json"
"""Exists from the first start on, so that a directory whose parts are all gone is not mistaken for a new one."""

UNFINISHED_FILE = "restore.unfinished"
MANIFEST_FILE = "manifest.json"
"""Marks a backup, which looks much like a data directory but must not be used as one, because that would change it."""

MOVED_FILE = "moved.json"
"""Marks a directory whose data is on servers now (`tallyroom migrate-store`); it says where its spool is."""

MOVING_FILE = "move.unfinished"
"""Marks a directory to which data moves from servers (`tallyroom migrate-store`); it says of which installation."""

_FULL_BYTES = 2 * 1024**2  # the event store cannot write at all with less than half of this free


class DataDirectoryInUse(TallyroomError):
    """Another server holds the data directory, which was left unchanged."""


class DataDirectoryUnusable(TallyroomError):
    """The data directory, or a file in it, cannot be opened."""


class OfWorkers(DataDirectoryUnusable):
    """The directory alone says nothing: it is that of several workers, or of one of them.

    Args:
        text: says so.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.advice = "Set TALLYROOM_DB_DSN and the other settings as the workers have them."
        super().__init__(f"{text} {self.advice} Nothing was changed.")


@contextmanager
def hold(data: Path, *, moving: bool = False) -> Iterator[TextIO]:
    """Lock the directory, created if missing, for this process; the system unlocks it however the process ends.

    Args:
        data: the directory.
        moving: allow a directory whose data has moved to servers, or to which data moves from there.

    Yields:
        The lock; a process that inherits it holds the directory, too.

    Raises:
        DataDirectoryInUse: another process holds the directory.
        DataDirectoryUnusable: the directory cannot be used, is a backup, has moved, or is the result of a restore or a
            move that did not finish.
    """
    refuse_backup(data)
    if not moving:
        refuse_moved(data)
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)  # people's events and password hashes
        lock = (data / LOCK_FILE).open("a+")
    except OSError as error:
        raise unusable(data, error) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataDirectoryInUse(
                f"Another Tallyroom server (process {holder(data)}) uses {data}: stop it, or start this one with "
                "--data on another directory. Nothing was changed."
            ) from None
        if (data / UNFINISHED_FILE).exists():
            raise DataDirectoryUnusable(f"A restore into {data} did not finish: empty the directory and restore again.")
        _sign(lock, data)
        yield lock


def _sign(lock: TextIO, data: Path) -> None:
    try:
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
    except OSError as error:
        with suppress(OSError):
            lock.close()  # closing flushes, which would raise the same error again
        raise unusable(data, error) from error


def unusable(data: Path, error: Exception) -> DataDirectoryUnusable:
    """Build the refusal for an error of the system, a database or the event store; a full disk is named as such."""
    reason = f"{error}\n".splitlines()[0].rstrip(".")
    if (free := free_bytes(data)) < _FULL_BYTES and not isinstance(error, FileNotFoundError):
        return DataDirectoryUnusable(
            f"The disk of the data directory {data} is full, with {free:,} bytes free ({reason}): make room and start "
            "again. Nothing is lost."
        )
    return DataDirectoryUnusable(f"The data directory {data} cannot be used: {reason}.")


def free_bytes(path: Path) -> int:
    """Return the free bytes on the disk where `path` is, or would be."""
    return shutil.disk_usage(
        next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())
    ).free


def refuse_backup(data: Path) -> None:
    """Refuse a directory that is a backup.

    Raises:
        DataDirectoryUnusable: the directory is a backup.
    """
    if (data / MANIFEST_FILE).exists():
        raise DataDirectoryUnusable(
            f"{data} is a backup: create a data directory from it with `tallyroom restore {data} --data DIR`."
        )


def refuse_moved(data: Path) -> None:
    """Refuse a directory whose data has moved to servers, or to which data from there has not moved completely.

    Raises:
        DataDirectoryUnusable: that is so.
    """
    if (data / MOVING_FILE).exists():
        raise DataDirectoryUnusable(
            f"The move of the data of several workers to {data} did not finish: run `tallyroom migrate-store --to "
            f"{data}` again. Nothing was changed."
        )
    try:
        spool = json.loads((data / MOVED_FILE).read_bytes())["spool"]
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError, LookupError, TypeError):
        spool = "the data directory of the workers"
    raise DataDirectoryUnusable(
        f"The data of {data} has moved to servers, and its spool to {spool}: start the workers there. If "
        "`tallyroom migrate-store` was interrupted, run it again. Nothing was changed."
    )


def refuse_of_workers(data: Path) -> None:
    """Refuse a directory of several workers, or of one of them: it has only what has not reached their servers yet.

    Raises:
        OfWorkers: it is such a directory.
    """
    if (data / WORKERS_FOLDER).is_dir():
        raise OfWorkers(f"{data} has the spools of several workers, whose data is on servers.")
    if data.absolute().parent.name == WORKERS_FOLDER and not (data / DATABASE_FILE).exists():
        raise OfWorkers(f"{data} has the spool of one of several workers, whose data is on servers.")


def mark_moved(data: Path, spool: Path) -> None:
    """Mark a directory whose data has moved, durably.

    Args:
        data: the directory.
        spool: the directory that has its spool now.

    Raises:
        OSError: the mark cannot be written.
    """
    write_whole(data / MOVED_FILE, json.dumps({"spool": str(spool.absolute())}).encode())


def mark_moving(data: Path, installation: str) -> None:
    """Mark a directory to which data begins to move, durably.

    Args:
        data: the directory.
        installation: the id of the installation that moves.

    Raises:
        OSError: the mark cannot be written.
    """
    write_whole(data / MOVING_FILE, json.dumps({"installation": installation}).encode())


def moving_into(data: Path) -> str | None:
    """Return the id of the installation that moves to a directory; "" if the mark cannot be read, None without one.

    Raises:
        OSError: nobody can tell.
    """
    try:
        return str(json.loads((data / MOVING_FILE).read_bytes())["installation"])
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, LookupError, TypeError):
        return ""


def holder(data: Path) -> str:
    """Return the process id that the last holder of the directory left, or ``unknown``."""
    try:
        return (data / LOCK_FILE).read_text().strip() or "unknown"
    except OSError:
        return "unknown"
