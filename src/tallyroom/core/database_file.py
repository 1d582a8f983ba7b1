"""A SQLite file looked at as it lies there: the look changes no byte of it.

An ordinary connection would do both. The last one to close a database that a kill left behind moves its write-ahead log
into the file, and even a reader makes the files that a write-ahead log needs.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_HEADING = "*** in database main ***"  # above the lines of what it finds
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PRIMARY_CODE = 0xFF  # SQLite's extended codes have it in their lowest byte


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads the database at `path`; others may use it meanwhile.

    A file without a write-ahead log is read without locks: while anybody uses a database of ours, it has one.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    log = path.with_name(f"{path.name}-wal")
    locks = "" if log.exists() else "&immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{locks}", uri=True)) as connection:
        yield connection


def find_problem(path: Path, *, quick: bool = False) -> str:
    """What SQLite's own check finds wrong with a file, in a few words; empty when nothing is.

    Args:
        path: the database; it may be in use.
        quick: leave out whether indexes and tables agree, which takes most of the time.
    """
    check = "quick_check" if quick else "integrity_check"
    try:
        with reading(path) as connection:
            found: list[tuple[str]] = connection.execute(f"PRAGMA {check}(3)").fetchall()
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                return "it is empty"  # which SQLite takes for a sound database
    except sqlite3.Error as error:
        return str(error)
    if found == [("ok",)]:
        return ""
    return " ".join("; ".join(line for (line,) in found).removeprefix(_HEADING).split())


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is at fault, and not the disk, another process or a right that is missing."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & _PRIMARY_CODE in _DAMAGED
