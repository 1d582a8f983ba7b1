"""Reads a SQLite file without changing a byte of it or creating files beside it.

An ordinary connection would do both: the last one to close a database that a kill left behind moves its write-ahead log
into the file, and even a reader creates the files that a write-ahead log needs.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_HEADING = "*** in database main ***"  # precedes the lines of findings
_DAMAGE_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PRIMARY_CODE = 0xFF  # SQLite's extended codes have it in their lowest byte


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection to the database at `path`, which others may be using.

    A file without a write-ahead log is read without locks: while one of our databases is in use, it has such a log.

    Raises:
        sqlite3.Error: the database cannot be opened.
    """
    log_path = path.with_name(f"{path.name}-wal")
    lock_option = "" if log_path.exists() else "&immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{lock_option}", uri=True)) as connection:
        yield connection


def find_problem(path: Path, *, quick: bool = False) -> str:
    """Run SQLite's own check on a file, and return what is wrong in a few words; empty if nothing is.

    Args:
        path: the database; it may be in use.
        quick: skip checking whether indexes and tables agree, which takes most of the time.
    """
    check_pragma = "quick_check" if quick else "integrity_check"
    try:
        with open_read_only(path) as connection:
            finding_rows: list[tuple[str]] = connection.execute(f"PRAGMA {check_pragma}(3)").fetchall()
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                return "it is empty"  # SQLite considers an empty file a sound database
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return str(error)
    if finding_rows == [("ok",)]:
        return ""
    return " ".join("; ".join(line for (line,) in finding_rows).removeprefix(_HEADING).split())


def is_damage(error: sqlite3.Error | UnicodeDecodeError) -> bool:
    """Return whether the file itself is at fault, rather than the disk, another process or missing permissions.

    A message of SQLite's that cannot be decoded quotes what is damaged.
    """
    if isinstance(error, UnicodeDecodeError):
        return True
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & _PRIMARY_CODE in _DAMAGE_CODES
