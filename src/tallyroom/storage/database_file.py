"""Reads a SQLite file without changing a byte of it or creating files next to it.

An ordinary connection moves the write-ahead log into the file when it closes, or creates files for such a log.
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
    """Open a read-only connection; raises `sqlite3.Error`. A database without a log is not in use: no locks needed."""
    log_path = path.with_name(f"{path.name}-wal")
    lock_option = "" if log_path.exists() else "&immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{lock_option}", uri=True)) as connection:
        yield connection


def find_problem(path: Path, *, quick: bool = False) -> str:
    """Run SQLite's check on a file, and return its findings, or ""; `quick` skips comparing indexes and tables."""
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
    """Return whether the file itself is at fault; a message that cannot be decoded quotes damaged text."""
    if isinstance(error, UnicodeDecodeError):
        return True
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & _PRIMARY_CODE in _DAMAGE_CODES
