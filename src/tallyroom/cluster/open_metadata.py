"""Opens the metadata where the settings say that it is: in a file of the data directory, or on a PostgreSQL server."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING

from tallyroom.cluster.survey import Survey
from tallyroom.core.errors import TallyroomError
from tallyroom.core.peers import Worker
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.file_record import FileStartRecord
from tallyroom.storage.metadata.migrate import check_schema, migrate
from tallyroom.storage.metadata.record import MovedSpool, SpoolRecords, StartRecord
from tallyroom.storage.metadata.sqlite import SqliteDatabase
from tallyroom.storage.stamp import Stamp
from tallyroom.storage.upgrade_log import OnMigration, ignore_migration

if TYPE_CHECKING:
    from tallyroom.cluster.postgresql.hand_over import MetadataOfWorkers


def migrate_metadata(path: Path, dsn: str, on_migration: OnMigration = ignore_migration) -> None:
    """Bring the metadata up to date, as `migrate` does.

    Args:
        path: the file.
        dsn: the PostgreSQL database; "" if the file has the metadata.
        on_migration: called after an upgrade.

    Raises:
        TallyroomError: a newer version of the program wrote it, it is not such a database, or it does not answer.
    """
    if not dsn:
        migrate(path, on_migration)
        return
    _require_driver()
    from tallyroom.cluster.postgresql.migrate import migrate as migrate_postgresql  # noqa: PLC0415 # needs the driver

    migrate_postgresql(dsn, on_migration)


def check_metadata(path: Path, dsn: str) -> None:
    """Check that the metadata has the schema of this program, for a command that runs beside a server.

    Args:
        path: as for `migrate_metadata`.
        dsn: as there.

    Raises:
        TallyroomError: there is no such database, it has another schema, it does not answer, or the data of its workers
            has moved to a data directory.
    """
    if not dsn:
        check_schema(path)
        return
    _require_driver()
    from tallyroom.cluster.postgresql.migrate import check_schema as check_postgresql  # noqa: PLC0415 # needs the driver

    check_postgresql(dsn)
    if (metadata := start_record(path, dsn).read_metadata()) is not None:
        metadata.refuse_moved()


def open_metadata(path: Path, dsn: str, worker: Worker | None = None) -> Database:
    """Open the metadata after `migrate_metadata`.

    Args:
        path: as there.
        dsn: as there.
        worker: this process among those that serve the installation from a server; None if it serves nobody.
    """
    if not dsn:
        return SqliteDatabase(path)
    from tallyroom.cluster.postgresql.database import PostgresqlDatabase  # noqa: PLC0415 # needs the driver

    return PostgresqlDatabase(dsn, worker)


def start_record(path: Path, dsn: str) -> StartRecord:
    """Return the record of starts in the metadata, which need not exist yet.

    Args:
        path: the file.
        dsn: the PostgreSQL database; "" if the file has the metadata.
    """
    if not dsn:
        return FileStartRecord(path)
    _require_driver()
    from tallyroom.cluster.postgresql.start_record import PostgresqlStartRecord  # noqa: PLC0415 # needs the driver

    return PostgresqlStartRecord(dsn, *_find_location(path))


def take_over_metadata(
    source: Path, path: Path, dsn: str, moved_spool: MovedSpool, before_commit: Callable[[], None]
) -> int:
    """Copy the metadata of a file into a PostgreSQL database; see `postgresql.take_over`.

    Args:
        source: the file.
        path: where the file would be in the data directory of the worker that has the spool from now on.
        dsn: the database.
        moved_spool: the one that comes along.
        before_commit: called when all is verified; if it raises, nothing is kept.
    """
    from tallyroom.cluster.postgresql import take_over as copying  # noqa: PLC0415 # needs the driver

    return copying.take_over_metadata(source, dsn, _find_location(path), moved_spool, before_commit)


def read_survey(dsn: str, get_now_ms: Callable[[], int]) -> Survey:
    """Read what a PostgreSQL database knows of all workers; see `postgresql.survey`.

    Args:
        dsn: the database, whose schema is the newest.
        get_now_ms: the clock of this machine.
    """
    from tallyroom.cluster.postgresql import survey as surveying  # noqa: PLC0415 # needs the driver

    return surveying.read_survey(dsn, get_now_ms)


def open_metadata_of_workers(dsn: str) -> "MetadataOfWorkers":
    """Return the metadata of several workers, for one that takes them over."""
    _require_driver()
    from tallyroom.cluster.postgresql.hand_over import MetadataOfWorkers  # noqa: PLC0415 # needs the driver

    return MetadataOfWorkers(dsn)


def copy_metadata_snapshot(
    dsn: str, file: Path, stamp: Stamp, accepts_snapshot: Callable[[], bool]
) -> SpoolRecords | None:
    """Copy the metadata of running workers into a file; see `postgresql.copy_as_of`."""
    from tallyroom.cluster.postgresql import copy_as_of as copying  # noqa: PLC0415 # needs the driver

    return copying.copy_metadata_snapshot(dsn, file, stamp, accepts_snapshot)


async def end_lease(dsn: str, spool_id: int, worker_id: str) -> None:
    """End the lease of a worker that has ended; see `worker_registry.end_lease`."""
    from tallyroom.cluster.postgresql import worker_registry  # noqa: PLC0415 # needs the driver

    await worker_registry.end_lease(dsn, spool_id, worker_id)


def _find_location(path: Path) -> tuple[str, str]:
    """Return this machine and the data directory, as the record of starts has them."""
    return gethostname(), str(path.parent.absolute())


def _require_driver() -> None:
    if find_spec("asyncpg") is None:
        raise TallyroomError("Metadata in PostgreSQL needs the extra `cluster` of this package, which has asyncpg.")
