"""The spool's SQLite file: how it is opened, so that a commit is on the disk when it returns."""

import sqlite3
from importlib.resources import files
from pathlib import Path

from tallyroom.core.ids import RandomBytes

SCHEMA_VERSION = 1


def open_spool_file(path: Path) -> sqlite3.Connection:
    """A connection in which every transaction is explicit and every commit is fsynced."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    return connection


def prepare_spool_file(connection: sqlite3.Connection, random_bytes: RandomBytes) -> None:
    """Make the tables and the spool's identity when they are missing."""
    connection.executescript((files("tallyroom.spool") / "schema.sql").read_text(encoding="utf-8"))
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    identity = int.from_bytes(random_bytes(4), "big")
    connection.executemany(
        "INSERT OR IGNORE INTO number VALUES (?, ?)",
        [("spool", identity), ("next_seq", 1), ("acked", 0), ("stored", 0)],
    )
