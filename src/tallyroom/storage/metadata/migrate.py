"""Makes sure that the metadata database has the newest schema."""

import sqlite3
from importlib.resources import files
from pathlib import Path
from time import sleep

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.models import Model
from tallyroom.storage.metadata.sqlite import begin_write, prepare_connection
from tallyroom.storage.upgrade_log import OnMigration, ignore_migration

_LEDGER_TABLE = "alembic_version"
_MAX_TRIES, _TRY_SECONDS = 100, 0.01


def migrate(path: Path, on_migration: OnMigration = ignore_migration) -> None:
    """Create the database at `path` or upgrade it, in one transaction; do nothing if it is up to date.

    A new file gets the schema of the models, which a test compares with the migrations, so that only an upgrade loads
    Alembic: 0.3 s and 30 MB. Raises `TallyroomError` if a newer version wrote the file or it is not a database,
    `sqlite3.OperationalError` if it cannot be written now.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)  # it contains password hashes; SQLite gives its companion files the same mode
    engine = create_file_engine(path)
    try:
        with engine.begin() as connection:
            previous_revision = _migrate(connection, path)
    except DatabaseError as error:
        if isinstance(error.orig, sqlite3.OperationalError):  # the disk or another process is at fault, not the file
            raise error.orig from error
        raise TallyroomError(f"{path} cannot be opened as a database: {error.orig}.") from error
    engine.dispose()
    if previous_revision is not None:
        on_migration(previous_revision, newest_revision())


def _migrate(connection: Connection, path: Path) -> str | None:
    """Return the previous revision; None if there was nothing to upgrade."""
    revision = read_revision(connection)
    if revision is None:
        _create_schema(connection)
    elif revision != newest_revision():
        from tallyroom.storage.metadata.upgrade import upgrade  # noqa: PLC0415 # loads Alembic, which is rarely needed

        upgrade(connection, str(path))
        return revision
    return None


def check_schema(path: Path) -> None:
    """Raise `TallyroomError` unless the database at `path` has this program's schema; change nothing."""
    if not path.exists():
        raise TallyroomError(f"There is no {path}. Pass the data directory with --data, or start the server once.")
    try:
        revision = read_file_revision(path)
    except DatabaseError as error:
        raise TallyroomError(f"{path} cannot be opened as a database: {error.orig}.") from error
    if revision != newest_revision():
        raise build_schema_error(str(path), revision)


def build_schema_error(database_name: str, revision: str | None) -> TallyroomError:
    """Build the error for a database with the schema of another version; `revision` is None if it has none."""
    return TallyroomError(
        f"{database_name} has {f'the schema {revision}' if revision else 'no schema'}, but this program needs "
        f"{newest_revision()}. Use the server's version, or start a server of this version, which upgrades an older "
        "schema."
    )


def newest_revision() -> str:
    """Return the revision that this program needs; the files of revisions are named after them, in order."""
    folder = files("tallyroom.storage.metadata") / "migrations" / "versions"
    return max(entry.name.removesuffix(".py") for entry in folder.iterdir() if entry.name.endswith(".py"))


def read_file_revision(path: Path) -> str:
    """Return the revision recorded in the database at `path`; "" before the first migration."""
    engine = create_engine(f"sqlite:///{path.absolute()}", poolclass=NullPool)
    with engine.connect() as connection:
        return read_revision(connection) or ""


def create_file_engine(path: Path) -> Engine:
    """Return an engine whose transactions hold the write lock from the beginning."""
    engine = create_engine(f"sqlite:///{path.absolute()}", poolclass=NullPool)
    event.listen(engine, "connect", _prepare_with_retries)
    event.listen(engine, "begin", begin_write)
    return engine


def _prepare_with_retries(connection: DBAPIConnection, pool_entry: ConnectionPoolEntry) -> None:
    """Prepare a connection; SQLite refuses concurrent switches to the write-ahead log despite the busy timeout."""
    for try_count in range(1, _MAX_TRIES + 1):
        try:
            prepare_connection(connection, pool_entry)
        except sqlite3.OperationalError as error:
            if try_count == _MAX_TRIES or "locked" not in str(error):
                raise
            sleep(_TRY_SECONDS)
        else:
            return


def read_revision(connection: Connection) -> str | None:
    """Return the revision that a database records; None for a new one, "" before the first migration."""
    if not inspect(connection).has_table(_LEDGER_TABLE):
        return None
    return connection.exec_driver_sql(f"SELECT version_num FROM {_LEDGER_TABLE}").scalar() or ""  # noqa: S608 # a constant


def _create_schema(connection: Connection) -> None:
    Model.metadata.create_all(connection)
    connection.exec_driver_sql(
        f"CREATE TABLE {_LEDGER_TABLE} (version_num VARCHAR(32) NOT NULL CONSTRAINT {_LEDGER_TABLE}_pkc PRIMARY KEY)"
    )
    connection.exec_driver_sql(f"INSERT INTO {_LEDGER_TABLE} VALUES (?)", (newest_revision(),))  # noqa: S608 # as above
