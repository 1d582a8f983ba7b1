"""Opens the spool's SQLite file so that a commit is on disk when it returns."""

import sqlite3
from contextlib import closing
from functools import cache
from importlib.resources import files
from pathlib import Path

from tallyroom.core.errors import TallyroomError
from tallyroom.core.ids import RandomBytes
from tallyroom.storage.upgrade_log import OnMigration, ignore_migration

SCHEMA_VERSION = 3


class SpoolTooNew(TallyroomError):
    """A later version of Tallyroom wrote this spool."""


def open_spool_file(path: Path) -> sqlite3.Connection:
    """Like `reopen_spool_file`, but create the file if it is missing."""
    path.touch(mode=0o600)  # it contains users' events; SQLite gives its companion files the same mode
    return reopen_spool_file(path)


def reopen_spool_file(path: Path) -> sqlite3.Connection:
    """Open a connection with explicit transactions and fsynced commits; `sqlite3.OperationalError` if missing."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=10)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    # An SQLite built to overwrite deleted content would write a drained range a second time, and a nearly full disk may
    # have no room for that.
    connection.execute("PRAGMA secure_delete = OFF")
    return connection


def prepare_spool_file(
    connection: sqlite3.Connection, random_bytes: RandomBytes, on_migration: OnMigration = ignore_migration
) -> None:
    """Create missing tables and a missing identity, or upgrade older ones; raises `SpoolTooNew`."""
    previous_version = read_known_version(connection)
    is_new = not connection.execute("PRAGMA table_info(chunk)").fetchall()
    schema_sql = (files("tallyroom.storage.spool") / "schema.sql").read_text(encoding="utf-8")
    _upgrade_schema(connection, schema_sql)
    connection.executescript(schema_sql)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    identity = int.from_bytes(random_bytes(4), "big")
    initial_numbers: list[tuple[str, int | str]] = [("next_seq", 1), ("acked", 0), ("stored", 0)]
    if not is_new:  # in an old file, a missing number was lost, and is derived from the others
        initial_numbers = [(name, "missing") for name, _ in initial_numbers]
    connection.executemany(
        "INSERT OR IGNORE INTO number VALUES (?, ?)",
        [("spool", identity), *initial_numbers, ("erased", 0), ("lost", 0)],
    )
    connection.execute(
        "INSERT OR IGNORE INTO number SELECT 'next_seq_copy', value FROM number WHERE name = 'next_seq'"
        " UNION ALL SELECT 'last_id', coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunk'), 0)"
    )
    if previous_version != SCHEMA_VERSION and not is_new:
        on_migration(previous_version, SCHEMA_VERSION)


def _upgrade_schema(connection: sqlite3.Connection, schema_sql: str) -> None:
    """Add the column for seals and the copies to an older version's file; that version can still write its rows."""
    chunk_columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(chunk)")}
    if _read_views(connection) != _build_current_views(schema_sql):  # from an older version, or changed on the disk
        for name, sql in _read_views(connection):  # the script creates all of them again
            kind = "VIEW" if sql.startswith("CREATE VIEW") else "TRIGGER"
            connection.execute(f'DROP {kind} IF EXISTS "{name}"')
    if chunk_columns and "seal" not in chunk_columns:
        connection.execute("ALTER TABLE chunk ADD COLUMN seal BLOB")


def _read_views(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    sql = "SELECT name, sql FROM sqlite_master WHERE type IN ('view', 'trigger') ORDER BY name"
    return connection.execute(sql).fetchall()


@cache
def _build_current_views(schema_sql: str) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema_sql)
        return _read_views(connection)


def read_known_version(connection: sqlite3.Connection) -> int:
    """Return the schema version of a spool; raises `SpoolTooNew` if a later version wrote the file."""
    version: int
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise SpoolTooNew(
            f"The spool has schema {version}, but this version supports {SCHEMA_VERSION}. Start the version that wrote "
            "it, or a later one."
        )
    return version
