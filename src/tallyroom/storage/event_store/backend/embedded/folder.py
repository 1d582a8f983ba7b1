"""The folder of an event store: its stamp, and what can be learned without opening it, which would change it.

The stamp is a file among those of the engine, so that it is moved, restored and copied together with them.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from tallyroom.core.atomic_file import write_whole
from tallyroom.storage.event_store.backend.backend import FoundStore
from tallyroom.storage.event_store.tables import EVENTS
from tallyroom.storage.stamp import Stamp

_STAMP_FILE = "installation.json"
_TABLE = Path("data", "default", EVENTS)  # where the engine links to the folder of the table
_DATABASE = Path("metadata", "default")  # and here to that of the tables' definitions
_NAME = re.compile(r"(\d+)_(\d+)_(\d+)_(\d+)(?:_(\d+))?")


def find_store(store: Path) -> FoundStore:
    """Examine the folder `store`, which need not exist."""
    if not store.exists():
        return FoundStore(absent="is missing")
    if not store.is_dir():
        return FoundStore(damage="it is a file instead of a folder")
    if not _has_tables(store):
        return FoundStore(absent="has no tables" if any(store.iterdir()) else "is empty")
    if not _has_links(store):
        return FoundStore(damage="its links were replaced by copies (copy it with `cp -a`)")
    return _stamped(store / _STAMP_FILE)


def write_stamp(store: Path, stamp: Stamp) -> None:
    """Replace the stamp, durably."""
    write_whole(store / _STAMP_FILE, msgspec.json.encode(stamp))


def sync_folders(store: Path) -> None:
    """Fsync every folder below and above `store`: the engine syncs parts, but not the folders of tables.

    A merge may move or delete a part's folder meanwhile, which needs nothing.
    """
    _sync_folder(store.parent)
    for path, _, _ in os.walk(store, onerror=_unless_gone):
        _sync_folder(path)


def _stamped(file: Path) -> FoundStore:
    try:
        return FoundStore(stamp=msgspec.json.decode(file.read_bytes(), type=Stamp))
    except FileNotFoundError:
        return FoundStore()
    except msgspec.DecodeError:
        return FoundStore(damage=f"{file.name} is damaged")


def _has_tables(store: Path) -> bool:
    """Return whether the table of events exists with its definition, empty or not."""
    return (store / _TABLE).is_dir() and (store / _DATABASE / f"{EVENTS}.sql").is_file()


def _has_links(store: Path) -> bool:
    """Return whether the engine's symbolic links exist; a copy that follows links has folders in their place."""
    return (store / _TABLE).is_symlink() and (store / _DATABASE).is_symlink()


def count_events(store: Path) -> int:
    """Count the events of a store by its parts, hidden ones included; exact while nobody has the store open."""
    return sum(_rows(store / _TABLE))


class _Part(NamedTuple):
    """A part, with what its name says."""

    folder: Path
    partition: int
    first: int
    last: int
    level: int
    mutation: int

    @property
    def widest_first(self) -> tuple[int, ...]:
        """A key that sorts a part before the parts that were merged into it."""
        return self.partition, self.first, -self.last, -self.level, -self.mutation

    def covers(self, other: "_Part") -> bool:
        """Return whether another part, which sorts after this one, was merged into this one."""
        return self.partition == other.partition and other.last <= self.last


def _rows(table: Path) -> Iterator[int]:
    newest: _Part | None = None
    for part in sorted(_parts(table), key=lambda part: part.widest_first):
        if newest is None or not newest.covers(part):
            newest = part
            with suppress(OSError, ValueError):  # merged meanwhile, or a part that the engine will put aside
                yield int((part.folder / "count.txt").read_text())


def _parts(table: Path) -> Iterator[_Part]:
    with suppress(FileNotFoundError, NotADirectoryError):
        for folder in table.iterdir():
            if name := _NAME.fullmatch(folder.name):
                yield _Part(folder, *(int(number or 0) for number in name.groups()))


def _sync_folder(path: Path | str) -> None:
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _unless_gone(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
