"""Moves what must not be used into a dated folder of the data directory. Nothing is deleted."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import CONTROL_SOCKET, LOCK_FILE, DataDirectoryUnusable

_FOLDER_PREFIX = "set-aside-"
_EXEMPT_NAMES = {LOCK_FILE, CONTROL_SOCKET, "lost+found"}


def quarantine_entries(data_dir: Path, entry_names: Iterable[str], clock: Clock) -> Path | None:
    """Move entries of the data directory into a new folder, databases together with their logs, and return the folder.

    Return None if there was nothing but empty folders. Raises `DataDirectoryUnusable` if only some could be moved.
    """
    candidates = {
        path
        for entry_name in entry_names
        for path in (data_dir / entry_name, data_dir / f"{entry_name}-wal", data_dir / f"{entry_name}-shm")
    }
    paths = sorted(path for path in candidates if path.exists() and not _is_empty_folder(path))
    return _move_entries(data_dir, paths, clock) if paths else None


def quarantine_all(data_dir: Path, clock: Clock) -> Path | None:
    """Like `quarantine_entries`, but move everything except what was set aside before."""
    names = sorted(path.name for path in data_dir.iterdir() if path.name not in _EXEMPT_NAMES)
    paths = [data_dir / name for name in names if not name.startswith(_FOLDER_PREFIX)]
    return _move_entries(data_dir, paths, clock) if paths else None


def _move_entries(data_dir: Path, paths: list[Path], clock: Clock) -> Path:
    folder = _create_folder(data_dir, clock)
    for path in paths:
        try:
            path.rename(folder / path.name)
        except OSError as error:
            raise DataDirectoryUnusable(f"{path} cannot be set aside in {folder}: {error.strerror}.") from error
    return folder


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _create_folder(data_dir: Path, clock: Clock) -> Path:
    timestamp = f"{datetime.fromtimestamp(clock.now_ms() / 1000, UTC):%Y-%m-%dT%H%M%SZ}"
    number = 1
    while True:
        folder = data_dir / (f"{_FOLDER_PREFIX}{timestamp}" if number == 1 else f"{_FOLDER_PREFIX}{timestamp}-{number}")
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            number += 1
        except OSError as error:
            raise DataDirectoryUnusable(f"{folder} cannot be created: {error.strerror}.") from error
        else:
            return folder
