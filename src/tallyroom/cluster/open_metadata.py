"""Opens the metadata, in a file of the data directory or on a PostgreSQL server, as the settings say."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING

from tallyroom.cluster.survey import Survey
from tallyroom.core.errors import TallyroomError
from tallyroom.core.peers import Worker
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.migrate import check_schema, migrate
from tallyroom.storage.metadata.record import FileStartRecord, MovedSpool, SpoolRecords, StartRecord
from tallyroom.storage.metadata.sqlite import SqliteDatabase
from tallyroom.storage.stamp import Stamp
from tallyroom.storage.upgrade_log import OnMigration, ignore_migration

if TYPE_CHECKING:
    from tallyroom.cluster.postgresql.hand_over import MetadataOfWorkers


def migrate_metadata(path: Path, dsn: str, on_migration: OnMigration = ignore_migration) -> None:
    """Bring the metadata up to date: in the file at `path`, or at `dsn` if that is not "". See `migrate`."""
    if not dsn:
        migrate(path, on_migration)
        return
    _require_driver()
    from tallyroom.cluster.postgresql.migrate import migrate as migrate_postgresql  # noqa: PLC0415 # needs the driver

    migrate_postgresql(dsn, on_migration)


def check_metadata(path: Path, dsn: str) -> None:
    """Raise `TallyroomError` unless the metadata is usable and has this program's schema; a server may be running."""
    if not dsn:
        check_schema(path)
        return
    _require_driver()
    from tallyroom.cluster.postgresql.migrate import check_schema as check_postgresql  # noqa: PLC0415 # needs the driver

    check_postgresql(dsn)
    if (metadata := start_record(path, dsn).read_metadata()) is not None:
        metadata.refuse_moved()


def open_metadata(path: Path, dsn: str, worker: Worker | None = None) -> Database:
    """Open the metadata after `migrate_metadata`; `worker` is None if this process does not serve the installation."""
    if not dsn:
        return SqliteDatabase(path)
    from tallyroom.cluster.postgresql.database import PostgresqlDatabase  # noqa: PLC0415 # needs the driver

    return PostgresqlDatabase(dsn, worker)


def start_record(path: Path, dsn: str) -> StartRecord:
    """Return the record of starts in the metadata, which need not exist yet."""
    if not dsn:
        return FileStartRecord(path)
    _require_driver()
    from tallyroom.cluster.postgresql.start_record import PostgresqlStartRecord  # noqa: PLC0415 # needs the driver

    return PostgresqlStartRecord(dsn, *_find_location(path))


def take_over_metadata(
    source: Path, path: Path, dsn: str, moved_spool: MovedSpool, before_commit: Callable[[], None]
) -> int:
    """Copy the metadata of the `source` file into PostgreSQL; `path` is where the new data directory would have it."""
    from tallyroom.cluster.postgresql import take_over as copying  # noqa: PLC0415 # needs the driver

    return copying.take_over_metadata(source, dsn, _find_location(path), moved_spool, before_commit)


def read_survey(dsn: str, get_now_ms: Callable[[], int]) -> Survey:
    """Read what a PostgreSQL database records about all workers; see `postgresql.survey`."""
    from tallyroom.cluster.postgresql import survey as surveying  # noqa: PLC0415 # needs the driver

    return surveying.read_survey(dsn, get_now_ms)


def open_metadata_of_workers(dsn: str) -> "MetadataOfWorkers":
    """Return the metadata of several workers, for a single worker that takes over from them."""
    _require_driver()
    from tallyroom.cluster.postgresql.hand_over import MetadataOfWorkers  # noqa: PLC0415 # needs the driver

    return MetadataOfWorkers(dsn)


def copy_metadata_snapshot(
    dsn: str, file: Path, stamp: Stamp, accepts_snapshot: Callable[[], bool]
) -> SpoolRecords | None:
    """Copy the metadata of running workers into a file; see `postgresql.hand_over`."""
    from tallyroom.cluster.postgresql import hand_over as copying  # noqa: PLC0415 # needs the driver

    return copying.copy_metadata_snapshot(dsn, file, stamp, accepts_snapshot)


def _find_location(path: Path) -> tuple[str, str]:
    """Return this host and the data directory, as in the record of starts."""
    return gethostname(), str(path.parent.absolute())


def _require_driver() -> None:
    if find_spec("asyncpg") is None:
        raise TallyroomError("Metadata in PostgreSQL needs asyncpg. Install Tallyroom with the `cluster` extra.")
