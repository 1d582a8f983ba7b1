"""The folder of an event store: its stamp, among the engine's files, and what it shows without being opened."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from tallyroom.core.atomic_file import write_atomically
from tallyroom.storage.event_store.backend.backend import FoundStore
from tallyroom.storage.event_store.tables import EVENTS
from tallyroom.storage.stamp import Stamp

_STAMP_FILE = "installation.json"
_EVENTS_FOLDER = Path("data", "default", EVENTS)  # the engine's link to the folder of the table
_DEFINITIONS_FOLDER = Path("metadata", "default")  # and its link to the tables' definitions
_PART_NAME_PATTERN = re.compile(r"(\d+)_(\d+)_(\d+)_(\d+)(?:_(\d+))?")


def find_store(store_folder: Path) -> FoundStore:
    """Examine a folder, which need not exist."""
    if not store_folder.exists():
        return FoundStore(absence="is missing")
    if not store_folder.is_dir():
        return FoundStore(damage="it is a file instead of a folder")
    if not _has_tables(store_folder):
        return FoundStore(absence="has no tables" if any(store_folder.iterdir()) else "is empty")
    if not _has_links(store_folder):
        return FoundStore(damage="its links were replaced by copies (copy it with `cp -a`)")
    return _read_stamp(store_folder / _STAMP_FILE)


def write_stamp(store_folder: Path, stamp: Stamp) -> None:
    """Replace the stamp, durably."""
    write_atomically(store_folder / _STAMP_FILE, msgspec.json.encode(stamp))


def sync_folders(store_folder: Path) -> None:
    """Fsync all folders below and above `store_folder`, because the engine syncs parts only; skip missing ones."""
    _sync_folder(store_folder.parent)
    for path, _, _ in os.walk(store_folder, onerror=_raise_unless_missing):
        _sync_folder(path)


def _read_stamp(file: Path) -> FoundStore:
    try:
        return FoundStore(stamp=msgspec.json.decode(file.read_bytes(), type=Stamp))
    except FileNotFoundError:
        return FoundStore()
    except msgspec.DecodeError:
        return FoundStore(damage=f"{file.name} is damaged")


def _has_tables(store_folder: Path) -> bool:
    return (store_folder / _EVENTS_FOLDER).is_dir() and (store_folder / _DEFINITIONS_FOLDER / f"{EVENTS}.sql").is_file()


def _has_links(store_folder: Path) -> bool:
    """Return whether the engine's symbolic links exist; a copy that follows links has folders instead."""
    return (store_folder / _EVENTS_FOLDER).is_symlink() and (store_folder / _DEFINITIONS_FOLDER).is_symlink()


def count_events(store_folder: Path) -> int:
    """Count the events of a store by its parts, including hidden ones; exact while no process has the store open."""
    return sum(_read_row_counts(store_folder / _EVENTS_FOLDER))


class _Part(NamedTuple):
    folder: Path
    partition: int
    first_block: int
    last_block: int
    level: int
    mutation: int

    @property
    def sort_key(self) -> tuple[int, ...]:
        """Sorts a part before the parts that were merged into it."""
        return self.partition, self.first_block, -self.last_block, -self.level, -self.mutation

    def covers(self, other: "_Part") -> bool:
        return self.partition == other.partition and other.last_block <= self.last_block


def _read_row_counts(table_folder: Path) -> Iterator[int]:
    covering_part: _Part | None = None
    for part in sorted(_list_parts(table_folder), key=lambda part: part.sort_key):
        if covering_part is None or not covering_part.covers(part):
            covering_part = part
            with suppress(OSError, ValueError):  # merged meanwhile, or a part that the engine will detach
                yield int((part.folder / "count.txt").read_text())


def _list_parts(table_folder: Path) -> Iterator[_Part]:
    with suppress(FileNotFoundError, NotADirectoryError):
        for folder in table_folder.iterdir():
            if match := _PART_NAME_PATTERN.fullmatch(folder.name):
                yield _Part(folder, *(int(number or 0) for number in match.groups()))


def _sync_folder(path: Path | str) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _raise_unless_missing(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
