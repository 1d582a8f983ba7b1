"""A name for a folder that leads to it wherever it is moved, and nowhere once it is deleted.

The engine makes every folder that it misses. A store that is moved or deleted while it is open would be begun anew in
its old place, and what is written there would be missing from the store.
"""

import os
import threading
from pathlib import Path

_DESCRIPTORS = Path("/proc/self/fd")

_held: dict[Path, int] = {}
_turn = threading.Lock()


def pin(folder: Path) -> Path:
    """A name of the folder that has this path now; it stays open until the process ends.

    Where the system has no such names, it is the folder's own path.

    Raises:
        OSError: there is no such folder.
    """
    if not _DESCRIPTORS.is_dir():
        return folder.resolve()
    key = folder.absolute()
    with _turn:
        if key not in _held or not os.path.samestat(os.fstat(_held[key]), key.stat()):
            _held[key] = os.open(key, os.O_RDONLY | os.O_DIRECTORY)
        return _DESCRIPTORS / str(_held[key])


def pinned(folder: Path) -> Path:
    """The name that `pin` gave to the folder that had this path then; whatever has it now.

    Raises:
        OSError: there is no such folder, and there was none.
    """
    held = _held.get(folder.absolute())
    return pin(folder) if held is None else _DESCRIPTORS / str(held)
