"""The event store's stamp, and what can be said of the store before anybody opens it, which would change it.

The stamp is a file among those of the engine, so that it goes, comes back and is copied with them.
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
    """The file is there and is none."""


def read_stamp(store: Path) -> Stamp | None:
    """The stamp of the store in the folder `store`; None where no server of this version has started yet.

    Raises:
        StampUnreadable: it is damaged.
    """
    try:
        return msgspec.json.decode((store / _STAMP_FILE).read_bytes(), type=Stamp)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise StampUnreadable("it is a file and no folder") from error
    except msgspec.DecodeError as error:
        raise StampUnreadable(f"{_STAMP_FILE} is damaged") from error


def write_stamp(store: Path, stamp: Stamp) -> None:
    """Replace the stamp, on the disk."""
    write_whole(store / _STAMP_FILE, msgspec.json.encode(stamp))


def has_tables(store: Path) -> bool:
    """Whether the table of events is there, with its definition, with or without events."""
    return (store / _TABLE).is_dir() and (store / _DATABASE / f"{EVENTS}.sql").is_file()


def has_links(store: Path) -> bool:
    """Whether the links are there that a copy replaces by what they lead to, when it follows them."""
    return (store / _TABLE).is_symlink() and (store / _DATABASE).is_symlink()


def count_events(store: Path) -> int:
    """How many events the parts of a store say they hold, hidden ones included; exact while nobody has it open."""
    return sum(_rows(store / _TABLE))


class _Part(NamedTuple):
    """A part, and what its name says."""

    folder: Path
    partition: int
    first: int
    last: int
    level: int
    mutation: int

    @property
    def widest_first(self) -> tuple[int, ...]:
        """Sorts a part before those that were merged into it."""
        return self.partition, self.first, -self.last, -self.level, -self.mutation

    def covers(self, other: "_Part") -> bool:
        """Whether all of the other, which comes later, was merged into this."""
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
