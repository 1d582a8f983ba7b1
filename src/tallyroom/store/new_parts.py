"""Finds parts that an insert could not write completely (rules/safety#full-disk).

On a disk that is full, the engine may report success for a part whose smaller files are empty: it serves the part from
memory, and the next time it opens the store it cannot read it. So whatever an insert has made is looked at on the disk.
"""

import os
import re
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

_LOW_BYTES = 256_000_000  # with less than this, every file is read; with more, a look at the sizes is enough
_ONE_BLOCK = re.compile(r"[^_]+_(\d+)_\1_\d+")  # the partition, the first and the last block, the level
_DESCRIPTIONS = (".txt", ".json")


class NewPart(NamedTuple):
    """A part that appeared during an insert."""

    table: str
    folder: Path

    @property
    def name(self) -> str:
        """The part's name, which is its folder's."""
        return self.folder.name


class TableParts:
    """The parts of the tables that inserts write to, as their folders show them.

    Args:
        folders: the folder of each table.
    """

    def __init__(self, folders: dict[str, Path]) -> None:
        self._folders = folders

    def present(self) -> AbstractSet[NewPart]:
        """Return the parts that inserts, as opposed to merges, have made and that are still there."""
        return {
            NewPart(table, path)
            for table, folder in self._folders.items()
            for path in folder.iterdir()
            if _is_inserted(path.name)
        }

    @property
    def is_low(self) -> bool:
        """Whether there is so little room that a part may have been cut off in the middle of a file."""
        found = (os.statvfs(folder) for folder in self._folders.values())
        return any(each.f_bavail * each.f_frsize < _LOW_BYTES for each in found)


def lacks_description(part: NewPart) -> bool:
    """Return whether a file that describes the part is empty; False if a merge has already replaced the part.

    A column's own file may be empty: the lists of events that have none.
    """
    try:
        with os.scandir(part.folder) as files:
            return any(file.stat().st_size == 0 for file in files if file.name.endswith(_DESCRIPTIONS))
    except FileNotFoundError:
        return False


def _is_inserted(name: str) -> bool:
    """Return whether a folder is a part of one block; others are merged, changed or unfinished."""
    return _ONE_BLOCK.fullmatch(name) is not None
