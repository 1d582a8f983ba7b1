"""One transaction in a PostgreSQL database and one in a SQLite file, while one is copied to the other."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tallyroom.cluster.postgresql.database import take_snapshot, take_write_lock
from tallyroom.cluster.postgresql.migrate import run_with_connection
from tallyroom.cluster.postgresql.server import is_transient
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.migrate import create_file_engine

T = TypeVar("T")


def run_in_paired_transaction(
    dsn: str, file: Path, work: Callable[[Connection, Connection], T], *, is_snapshot: bool = False
) -> T:
    """Return what `work` returns for a connection to the database and one to the file; the file is committed first.

    Each transaction blocks other writers, except that with `is_snapshot` the database is only read.
    """
    return run_with_connection(dsn, partial(_run_with_file, file=file, work=work, is_snapshot=is_snapshot))


def _run_with_file(
    server_connection: Connection, *, file: Path, work: Callable[[Connection, Connection], T], is_snapshot: bool
) -> T:
    prepare_transaction = take_write_lock
    if is_snapshot:
        server_connection = server_connection.execution_options(isolation_level="REPEATABLE READ")
        prepare_transaction = take_snapshot
    engine = create_file_engine(file)
    try:
        with server_connection.begin():
            prepare_transaction(server_connection)
            with engine.begin() as file_connection:
                result = work(server_connection, file_connection)
    except DBAPIError as error:
        if is_transient(error):
            raise
        raise TallyroomError(f"Copying the metadata failed: {error.orig}") from error
    finally:
        engine.dispose()
    return result
