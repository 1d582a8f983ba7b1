"""The metadata's stamp, which comes first: a start records its epoch here before the other parts get it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from tallyroom.storage.metadata.sqlite import prepare_connection
from tallyroom.storage.stamp import Stamp


class MetadataStamp(Stamp, frozen=True):
    """The metadata's stamp, with the last epoch that a start was about to begin, which other parts may already have."""

    begun_epoch: int | None = None


Loss = tuple[int, str]  # when the operator accepted the loss of some data (ms since 1970 UTC), and a sentence about it


class UserAndSecretCounts(NamedTuple):
    """How many users can sign in, and how many stored secrets need the right key."""

    user_count: int
    secret_count: int


USER_COUNT_SQL = "SELECT count(*) FROM users"

# The tables with stored secrets, with a query that counts them.
SECRET_COUNT_SQL_BY_TABLE = {
    "bots": "SELECT count(*) FROM bots WHERE webhook_secret IS NOT NULL",
    "external_sources": "SELECT count(*) FROM external_sources WHERE token IS NOT NULL",
    "alert_channels": "SELECT count(*) FROM alert_channels",  # each has a destination
}

# Queries for all stored secrets, encrypted.
SECRET_QUERIES = (
    "SELECT webhook_secret FROM bots WHERE webhook_secret IS NOT NULL",
    "SELECT token FROM external_sources WHERE token IS NOT NULL",
    "SELECT destination FROM alert_channels",
    "SELECT secret FROM alert_channels WHERE secret IS NOT NULL",
    "SELECT letter FROM mail_outbox",
    "SELECT payload FROM work_items WHERE type = 'mail'",
)


def read_stamp(connection: sqlite3.Connection) -> MetadataStamp | None:
    """Return the stamp; None if no server of this version has started yet."""
    if "installation" not in _list_tables(connection):
        return None
    row = connection.execute("SELECT id, epoch, begun FROM installation").fetchone()
    return MetadataStamp(*row) if row else None


def count_users(connection: sqlite3.Connection) -> int:
    """Return how many users can sign in; if there are none, the next to sign up owns the server."""
    return _count_rows(connection, "users", USER_COUNT_SQL)


def count_secrets(connection: sqlite3.Connection) -> int:
    """Return how many stored secrets need the right key."""
    return sum(_count_rows(connection, table, query) for table, query in SECRET_COUNT_SQL_BY_TABLE.items())


def read_secrets(connection: sqlite3.Connection) -> list[str]:
    """Return all stored secrets, encrypted, from metadata of the newest schema."""
    return [secret for query in SECRET_QUERIES for (secret,) in connection.execute(query)]


def read_losses(connection: sqlite3.Connection) -> list[Loss]:
    """Return the losses that the operator accepted, oldest first."""
    if "losses" not in _list_tables(connection):
        return []
    return connection.execute("SELECT at_ms, what FROM losses ORDER BY id").fetchall()


@contextmanager
def open_for_writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a connection on which every commit is on the disk when it returns."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as connection:
        prepare_connection(connection)
        yield connection


def begin_epoch(connection: sqlite3.Connection, stamp: Stamp, epoch: int, losses: Sequence[Loss]) -> None:
    """Record that `epoch` is about to begin after the epoch of `stamp`, and the losses that come with it."""
    with _transaction(connection):
        sql = "INSERT INTO installation VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET begun = excluded.begun"
        connection.execute(sql, (stamp.installation, stamp.epoch, epoch))
        connection.executemany("INSERT INTO losses (at_ms, what) VALUES (?, ?)", losses)


def settle_epoch(connection: sqlite3.Connection, epoch: int) -> None:
    """Record that all parts have reached `epoch`."""
    with _transaction(connection):
        connection.execute("UPDATE installation SET epoch = ?, begun = NULL", (epoch,))


def replace_stamp(connection: sqlite3.Connection, stamp: Stamp) -> bool:
    """Make the metadata part of another installation; change nothing and return False if its schema is too old."""
    if "installation" not in _list_tables(connection):
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


def _list_tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _count_rows(connection: sqlite3.Connection, table: str, query: str) -> int:
    if table not in _list_tables(connection):
        return 0
    return int(connection.execute(query).fetchone()[0])
