"""Finds parts that an insert could not write completely (rules/safety#full-disk).

On a full disk, the engine may report success for a part that it has only in memory, so each insert is checked.
"""

import os
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tallyroom.storage.event_store.errors import IncompletePart, StoreError

_LOW_SPACE_BYTES = 256_000_000  # with less free space, every file is read; with more, checking the sizes is enough
_INSERTED_PART_PATTERN = re.compile(r"[^_]+_(\d+)_\1_\d+")  # the partition, the first and the last block, the level
_DESCRIPTION_SUFFIXES = (".txt", ".json")
_NO_SUCH_PART_CODE = 232
_LIST_FOLDERS = (
    "SELECT name, data_paths[1] FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'"
)


class NewPart(NamedTuple):
    """A part that appeared during an insert."""

    table: str
    folder: Path

    @property
    def name(self) -> str:
        """The part's name, which is also its folder's."""
        return self.folder.name


class PartFolders:
    """The parts of the tables that inserts write to, as their folders show them."""

    def __init__(self, folder_by_table: dict[str, Path]) -> None:
        self._folder_by_table = folder_by_table

    def list_names(self) -> dict[str, set[str]]:
        """Return the names of everything in the folder of each table."""
        return {
            table: set(os.listdir(folder))  # noqa: PTH208 # a path for each of hundreds of parts costs 1 ms an insert
            for table, folder in self._folder_by_table.items()
        }

    def list_new_parts(self, earlier_names: Mapping[str, AbstractSet[str]]) -> list[NewPart]:
        """Return the parts made since `list_names` by inserts, as opposed to merges."""
        return [
            NewPart(table, self._folder_by_table[table] / name)
            for table, names in self.list_names().items()
            for name in names - earlier_names[table]
            if _is_inserted(name)
        ]

    @property
    def is_space_low(self) -> bool:
        """Whether there is so little room that a part may have been cut off in the middle of a file."""
        file_systems = (os.statvfs(folder) for folder in self._folder_by_table.values())
        return any(file_system.f_bavail * file_system.f_frsize < _LOW_SPACE_BYTES for file_system in file_systems)


class NewParts:
    """Finds and drops the parts that the disk did not accept as a whole."""

    def __init__(self) -> None:
        self._incomplete_parts: list[NewPart] = []
        self._part_folders: PartFolders | None = None

    @contextmanager
    def checking_insert(self, connection: Any) -> Iterator[None]:
        """Check the parts that the block makes, and drop incomplete ones; raises `IncompletePart` if there were any."""
        self.drop_incomplete(connection)
        part_folders = self._part_folders = self._part_folders or _find_part_folders(connection)
        earlier_names = part_folders.list_names()
        try:
            yield
        finally:
            is_space_low = part_folders.is_space_low
            incomplete_parts = (
                part
                for part in part_folders.list_new_parts(earlier_names)
                if lacks_description(part) or (is_space_low and _is_damaged(connection, part))
            )
            self._incomplete_parts.extend(incomplete_parts)
        if self._incomplete_parts:
            self.drop_incomplete(connection)
            raise IncompletePart

    def drop_incomplete(self, connection: Any) -> None:
        """Drop incomplete parts that no merge has rewritten; raises `IncompletePart`, for example on a full disk."""
        while self._incomplete_parts:
            part = self._incomplete_parts[-1]
            try:
                connection.query(f"ALTER TABLE `{part.table}` DROP PART '{part.name}'")
            except RuntimeError as error:
                if StoreError(str(error)).code != _NO_SUCH_PART_CODE:
                    raise IncompletePart from error
            self._incomplete_parts.pop()

    def forget_folders(self) -> None:
        """Ask for the folders of the tables again at the next insert, which has another connection."""
        self._part_folders = None


def lacks_description(part: NewPart) -> bool:
    """Return whether a describing file is empty, unlike columns of empty lists; False if a merge replaced the part."""
    try:
        with os.scandir(part.folder) as files:
            return any(file.stat().st_size == 0 for file in files if file.name.endswith(_DESCRIPTION_SUFFIXES))
    except FileNotFoundError:
        return False


def _is_inserted(name: str) -> bool:
    """Return whether a folder is a part of one block; others are merged, mutated or unfinished."""
    return _INSERTED_PART_PATTERN.fullmatch(name) is not None


def _find_part_folders(connection: Any) -> PartFolders:
    lines = str(connection.query(_LIST_FOLDERS, "TabSeparated")).splitlines()
    return PartFolders({name: Path(path) for name, path in (line.split("\t") for line in lines)})


def _is_damaged(connection: Any, part: NewPart) -> bool:
    """Return whether a part's files differ from their checksums; False if a merge has already replaced the part."""
    try:
        answer = connection.query(f"CHECK TABLE `{part.table}` PART '{part.name}'", "TabSeparated")
    except RuntimeError as error:
        return StoreError(str(error)).code != _NO_SUCH_PART_CODE
    return str(answer).split("\t")[1:2] == ["0"]
