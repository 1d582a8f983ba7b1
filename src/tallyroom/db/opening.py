"""Opens the metadata where the settings say that it is: in a file of the data directory, or on a PostgreSQL server."""

from importlib.util import find_spec
from pathlib import Path

from tallyroom.core.errors import TallyroomError
from tallyroom.core.peers import Worker
from tallyroom.db.connection import Database
from tallyroom.db.migrate import migrate
from tallyroom.db.sqlite import SqliteDatabase
from tallyroom.db.stamp import Holdings


def migrate_metadata(path: Path, dsn: str) -> None:
    """Bring the metadata up to date, as `migrate` does.

    Args:
        path: the file, which has the stamp of the installation in any case.
        dsn: the PostgreSQL database that has everything else; "" if the file has it.

    Raises:
        TallyroomError: a newer version of the program wrote it, it is not such a database, or it does not answer.
    """
    migrate(path)
    if dsn:
        _require_driver()
        from tallyroom.db.postgresql.migrate import migrate as migrate_postgresql  # noqa: PLC0415 # needs the driver

        migrate_postgresql(dsn)


def open_metadata(path: Path, dsn: str, worker: Worker | None = None) -> Database:
    """Open the metadata after `migrate_metadata`.

    Args:
        path: as there.
        dsn: as there.
        worker: this process among those that serve the installation from a server; None if it serves nobody.
    """
    if not dsn:
        return SqliteDatabase(path)
    from tallyroom.db.postgresql.database import PostgresqlDatabase  # noqa: PLC0415 # needs the driver

    return PostgresqlDatabase(dsn, worker)


def count_holdings(dsn: str) -> Holdings | None:
    """Count what the metadata holds besides the stamp, before it is opened; None if the file holds it, too.

    Raises:
        TallyroomError: the database does not answer.
    """
    if not dsn:
        return None
    _require_driver()
    from tallyroom.db.postgresql.migrate import count  # noqa: PLC0415 # needs the driver

    return count(dsn)


def _require_driver() -> None:
    if find_spec("asyncpg") is None:
        raise TallyroomError("Metadata in PostgreSQL needs the extra `cluster` of this package, which has asyncpg.")
