"""One transaction in a PostgreSQL database and one in a SQLite file, while one of them is copied to the other."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tallyroom.cluster.postgresql.database import begin_read, begin_write
from tallyroom.cluster.postgresql.migrate import run_on
from tallyroom.cluster.postgresql.server import may_pass
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.migrate import file_engine

T = TypeVar("T")


def beside_file(dsn: str, file: Path, work: Callable[[Connection, Connection], T], *, as_of_now: bool = False) -> T:
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
    return run_on(dsn, partial(_both, file=file, work=work, as_of_now=as_of_now))


def _both(server: Connection, *, file: Path, work: Callable[[Connection, Connection], T], as_of_now: bool) -> T:
    begin = begin_write
    if as_of_now:
        server, begin = server.execution_options(isolation_level="REPEATABLE READ"), begin_read
    engine = file_engine(file)
    try:
        with server.begin():
            begin(server)
            with engine.begin() as in_file:
                result = work(server, in_file)
    except DBAPIError as error:
        if may_pass(error):
            raise
        raise TallyroomError(f"The metadata cannot be copied, one database does not take it: {error.orig}") from error
    finally:
        engine.dispose()
    return result
