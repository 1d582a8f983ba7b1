"""The event store's stamp, and what can be learned about the store without opening it, which would change it.

The stamp is a file among those of the engine, so that it is moved, restored and copied together with them.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from tallyroom.core.stamp import Stamp
from tallyroom.core.whole_file import write_whole
from tallyroom.store.tables import EVENTS

_STAMP_FILE = "installation.json"
_TABLE = Path("data", "default", EVENTS)  # where the engine links to the folder of the table
_DATABASE = Path("metadata", "default")  # and here to that of the tables' definitions
_NAME = re.compile(r"(\d+)_(\d+)_(\d+)_(\d+)(?:_(\d+))?")


class StampUnreadable(Exception):
    """The stamp file exists but is not a valid stamp."""


def read_stamp(store: Path) -> Stamp | None:
    """Return the stamp of the store in the folder `store`; None if no server of this version has started yet.

    Raises:
        StampUnreadable: the stamp is damaged.
    """
    try:
        return msgspec.json.decode((store / _STAMP_FILE).read_bytes(), type=Stamp)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise StampUnreadable("it is a file instead of a folder") from error
    except msgspec.DecodeError as error:
        raise StampUnreadable(f"{_STAMP_FILE} is damaged") from error


def write_stamp(store: Path, stamp: Stamp) -> None:
    """Replace the stamp, durably."""
    write_whole(store / _STAMP_FILE, msgspec.json.encode(stamp))


def has_tables(store: Path) -> bool:
    """Return whether the table of events exists with its definition, empty or not."""
    return (store / _TABLE).is_dir() and (store / _DATABASE / f"{EVENTS}.sql").is_file()


def has_links(store: Path) -> bool:
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
