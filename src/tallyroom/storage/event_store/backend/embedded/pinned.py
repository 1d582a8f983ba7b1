"""Names for folders that follow a folder wherever it is moved, and lead nowhere once it is deleted.

The engine creates every folder that it does not find. If a store is moved or deleted while it is open, the engine would
start a new one in the old place, and the store would lack what is written there.
"""

import os
import threading
from pathlib import Path

_DESCRIPTORS = Path("/proc/self/fd")

_pins: dict[Path, int] = {}
_turn = threading.Lock()


def pin(folder: Path) -> Path:
    """Return a lasting name of the folder that has this path now; the folder stays open until the process ends.

    On systems without such names, this is the folder's own path.

    Raises:
        OSError: there is no such folder.
    """
    if not _DESCRIPTORS.is_dir():
        return folder.resolve()
    key = folder.absolute()
    with _turn:
        if key not in _pins or not os.path.samestat(os.fstat(_pins[key]), key.stat()):
            _pins[key] = os.open(key, os.O_RDONLY | os.O_DIRECTORY)
        return _DESCRIPTORS / str(_pins[key])


def pinned(folder: Path) -> Path:
    """Return the name that `pin` gave to the folder with this path, no matter what has that path now.

    Raises:
        OSError: no folder was pinned under this path, and there is none now.
    """
    descriptor = _pins.get(folder.absolute())
    return pin(folder) if descriptor is None else _DESCRIPTORS / str(descriptor)


def engine_path(path: Path) -> str:
    """Return the name by which all connections of a process must open a store; `file:` keeps it from being resolved."""
    return f"file:{pinned(path)}"
