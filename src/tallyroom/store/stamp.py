"""The event store's stamp, and what can be said of the store before anybody opens it, which would change it.

The stamp is a file among those of the engine, so that it goes, comes back and is copied with them.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from tallyroom.core.stamp import Stamp
from tallyroom.core.whole_file import write_whole
from tallyroom.store.tables import EVENTS

_STAMP_FILE = "installation.json"
_TABLE = Path("data", "default", EVENTS)  # where the engine links to the folder of the table
_PART = re.compile(r"\d+_\d+_\d+_\d+(_\d+)?")


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
    except msgspec.DecodeError as error:
        raise StampUnreadable(f"{_STAMP_FILE} is damaged") from error


def write_stamp(store: Path, stamp: Stamp) -> None:
    """Replace the stamp, on the disk."""
    write_whole(store / _STAMP_FILE, msgspec.json.encode(stamp))


def has_tables(store: Path) -> bool:
    """Whether the table of events is there, with or without events."""
    return (store / _TABLE).is_dir()


def count_events(store: Path) -> int:
    """How many events the parts of a store say they hold, hidden ones included; exact while nobody has it open."""
    return sum(_rows(store / _TABLE))


def _rows(table: Path) -> Iterator[int]:
    with suppress(FileNotFoundError):
        for part in table.iterdir():
            if _PART.fullmatch(part.name):
                with suppress(
                    FileNotFoundError, ValueError
                ):  # merged meanwhile, or a part that the engine will put aside
                    yield int((part / "count.txt").read_text())
