"""One transaction in a PostgreSQL database and one in a SQLite file, while one of them is copied to the other."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tallyroom.cluster.postgresql.database import begin_read, begin_write
from tallyroom.cluster.postgresql.migrate import run_with_connection
from tallyroom.cluster.postgresql.server import is_transient
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.migrate import create_file_engine

T = TypeVar("T")


def run_beside_file(dsn: str, file: Path, work: Callable[[Connection, Connection], T], *, as_of_now: bool = False) -> T:
    """Return what `work` does with a connection to the database and one to the file; both have the newest schema.

    Each is in a transaction that keeps all others from writing. When `work` is done, that of the file is committed
    first.

    Args:
        dsn: the database.
        file: the file.
        work: what is done.
        as_of_now: read the database as it is now, and keep nobody from writing there meanwhile.

    Raises:
        TallyroomError: the server does not answer, or one of them does not take what the other has.
    """
    return run_with_connection(dsn, partial(_run_both, file=file, work=work, as_of_now=as_of_now))


def _run_both(server: Connection, *, file: Path, work: Callable[[Connection, Connection], T], as_of_now: bool) -> T:
    begin_transaction = begin_write
    if as_of_now:
        server, begin_transaction = server.execution_options(isolation_level="REPEATABLE READ"), begin_read
    engine = create_file_engine(file)
    try:
        with server.begin():
            begin_transaction(server)
            with engine.begin() as file_connection:
                result = work(server, file_connection)
    except DBAPIError as error:
        if is_transient(error):
            raise
        raise TallyroomError(f"The metadata cannot be copied, one database does not take it: {error.orig}") from error
    finally:
        engine.dispose()
    return result
