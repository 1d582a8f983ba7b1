"""Copies the metadata of running workers into a file, as it is at one moment."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, insert, text

from tallyroom.core.stamp import Stamp
from tallyroom.db.copying import copy_metadata
from tallyroom.db.migrate import file_engine
from tallyroom.db.models import Installation
from tallyroom.db.postgresql.hand_over import read_known
from tallyroom.db.postgresql.migrate import run_on
from tallyroom.db.record import KnownBySpools

_BEGIN = text("SELECT 1")  # the first statement takes the snapshot


def copy_as_of(dsn: str, file: Path, stamp: Stamp, is_right: Callable[[], bool]) -> KnownBySpools | None:
    """Copy all that one worker alone needs; nobody who writes is held up.

    Args:
        dsn: the database, whose schema is the newest.
        file: a database with the newest schema, which has no rows.
        stamp: what the file gets as its stamp.
        is_right: called when the moment is fixed; if it returns False, nothing is copied.

    Returns:
        What a worker alone has to know from its spool; None if the moment was not right.

    Raises:
        TallyroomError: the server does not answer, or the file does not take the rows.
        CopyDiffers: a table is not the same in both.
    """
    return run_on(dsn, partial(_copy_as_of, file=file, stamp=stamp, is_right=is_right))


def _copy_as_of(server: Connection, *, file: Path, stamp: Stamp, is_right: Callable[[], bool]) -> KnownBySpools | None:
    server = server.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    engine = file_engine(file)
    try:
        with server.begin():
            server.execute(_BEGIN)
            if not is_right():
                return None
            with engine.begin() as in_file:
                copy_metadata(server, in_file)
                in_file.execute(insert(Installation).values(id=stamp.installation, epoch=stamp.epoch, begun=None))
            return read_known(server)
    finally:
        engine.dispose()
