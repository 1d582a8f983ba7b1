"""Names for folders that follow a folder when it moves, and stop working once it is deleted.

The engine creates missing folders: if an open store were moved, it would start a new one in the old place.
"""

import os
import threading
from pathlib import Path

_DESCRIPTOR_FOLDER = Path("/proc/self/fd")

_descriptor_by_folder: dict[Path, int] = {}
_lock = threading.Lock()


def pin(folder: Path) -> Path:
    """Return a lasting name of this folder, which stays open; on some systems, its own path. Raises `OSError`."""
    if not _DESCRIPTOR_FOLDER.is_dir():
        return folder.resolve()
    absolute_folder = folder.absolute()
    with _lock:
        if absolute_folder not in _descriptor_by_folder or not os.path.samestat(
            os.fstat(_descriptor_by_folder[absolute_folder]), absolute_folder.stat()
        ):
            _descriptor_by_folder[absolute_folder] = os.open(absolute_folder, os.O_RDONLY | os.O_DIRECTORY)
        return _DESCRIPTOR_FOLDER / str(_descriptor_by_folder[absolute_folder])


def pinned_path(folder: Path) -> Path:
    """Return the folder's name from `pin`, even if another folder has the path now; may raise `OSError`."""
    descriptor = _descriptor_by_folder.get(folder.absolute())
    return pin(folder) if descriptor is None else _DESCRIPTOR_FOLDER / str(descriptor)


def engine_path(path: Path) -> str:
    """Return the name by which all connections of a process must open a store; `file:` prevents resolving it."""
    return f"file:{pinned_path(path)}"
