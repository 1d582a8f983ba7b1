"""The metadata's stamp, which leads: a start writes down the epoch that it begins before the other parts hear of it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tallyroom.core.stamp import Stamp
from tallyroom.db.connection import prepare_connection

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


class MetadataStamp(Stamp, frozen=True):
    """The metadata's stamp.

    Attributes:
        begun: the epoch that a start is about to begin, or was when it ended; spool and event store may have it.
    """

    begun: int | None = None


Loss = tuple[int, str]
"""When the operator let the server go on without something (ms since 1970 UTC), and what that was."""


def read_stamp(connection: sqlite3.Connection) -> MetadataStamp | None:
    """The stamp; None where no server of this version has started yet."""
    if "installation" not in _tables(connection):
        return None
    row = connection.execute("SELECT id, epoch, begun FROM installation").fetchone()
    return MetadataStamp(*row) if row else None


def count_users(connection: sqlite3.Connection) -> int:
    """How many people can sign in: without one, whoever signs up next owns the server."""
    return _count(connection, "users", "SELECT count(*) FROM users")


def count_secrets(connection: sqlite3.Connection) -> int:
    """How many stored secrets only the right key opens."""
    return _count(connection, "bots", "SELECT count(*) FROM bots WHERE webhook_secret IS NOT NULL")


def read_losses(connection: sqlite3.Connection) -> list[Loss]:
    """What was lost and accepted, the oldest first."""
    if "losses" not in _tables(connection):
        return []
    return connection.execute("SELECT at_ms, what FROM losses ORDER BY id").fetchall()


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection whose every commit is on the disk when it returns."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as connection:
        prepare_connection(connection)
        yield connection


def begin_epoch(connection: sqlite3.Connection, stamp: Stamp, epoch: int, losses: Sequence[Loss]) -> None:
    """Write down that `epoch` is about to begin after that of `stamp`, and what is given up with it."""
    with _transaction(connection):
        connection.execute(
            "INSERT INTO installation VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET begun = excluded.begun",
            (stamp.installation, stamp.epoch, epoch),
        )
        connection.executemany("INSERT INTO losses (at_ms, what) VALUES (?, ?)", losses)


def settle_epoch(connection: sqlite3.Connection, epoch: int) -> None:
    """All parts have reached `epoch`."""
    with _transaction(connection):
        connection.execute("UPDATE installation SET epoch = ?, begun = NULL", (epoch,))


def replace_stamp(connection: sqlite3.Connection, stamp: Stamp) -> bool:
    """Make the metadata part of another installation; False, and nothing done, where its schema knows of none."""
    if "installation" not in _tables(connection):
        return False
    with _transaction(connection):
        connection.execute("DELETE FROM installation")
        connection.execute("INSERT INTO installation VALUES (?, ?, NULL)", (stamp.installation, stamp.epoch))
    return True


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute(_TABLES)}


def _count(connection: sqlite3.Connection, table: str, query: str) -> int:
    if table not in _tables(connection):
        return 0
    return int(connection.execute(query).fetchone()[0])
