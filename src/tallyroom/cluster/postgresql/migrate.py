"""Brings a database in PostgreSQL up to date."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from tallyroom.cluster.postgresql.server import connect, translate_start_errors
from tallyroom.core.errors import TallyroomError
from tallyroom.storage.metadata.migrate import build_schema_error, newest_revision, read_revision
from tallyroom.storage.upgrade_log import OnMigration, ignore_migration

T = TypeVar("T")

MIGRATION_LOCK = 0x7A11_0002  # the advisory lock that a migrating process holds

# Compare text as SQLite does: by bytes, ignoring case only within ASCII.
_BYTE_ORDER = "-B_a\u00e9"
_CHECK_BYTE_ORDER = """
    SELECT string_agg(letter, '' ORDER BY letter) = :sorted AND lower('\u00c9') = '\u00c9'
    FROM unnest(string_to_array('\u00e9,a,_,B,-', ',')) AS letter
"""


def migrate(dsn: str, on_migration: OnMigration = ignore_migration) -> None:
    """Create or upgrade the tables in a database; do nothing if they are up to date.

    The upgrade is one transaction. Of processes that start together, one runs it, and the others wait for it. Raises
    `TallyroomError` if a newer version of the program wrote the database, or its collation depends on a language.
    """
    if previous_revision := run_with_connection(dsn, _upgrade_schema):
        on_migration(previous_revision, newest_revision())


def check_schema(dsn: str) -> None:
    """Raise `TallyroomError` if a database does not have this program's schema."""
    if (revision := run_with_connection(dsn, read_revision)) != newest_revision():
        raise build_schema_error("The metadata database", revision)


def run_with_connection(dsn: str, work: Callable[[Connection], T]) -> T:
    """Return what `work` returns for a connection whose statements and locks have no time limit."""
    with ThreadPoolExecutor(1) as executor:  # the caller may already run an event loop
        return executor.submit(asyncio.run, _run_connected(dsn, work)).result()


async def _run_connected(dsn: str, work: Callable[[Connection], T]) -> T:
    no_timeouts = {"lock_timeout": "0", "statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}
    open_connection = partial(connect, dsn, None, **no_timeouts)
    engine = create_async_engine("postgresql+asyncpg://", async_creator=open_connection, poolclass=NullPool)
    try:
        with translate_start_errors():
            async with engine.connect() as connection:
                return await connection.run_sync(work)
    finally:
        await engine.dispose()


def _upgrade_schema(connection: Connection) -> str | None:
    """Return the previous revision; None if nothing was upgraded, as in a new database."""
    # The session holds the lock, not the transaction, so that the transaction begins when the lock is held.
    connection.execute(text(f"SELECT pg_advisory_lock({MIGRATION_LOCK})"))
    connection.rollback()
    with connection.begin():
        if not connection.execute(text(_CHECK_BYTE_ORDER), {"sorted": _BYTE_ORDER}).scalar_one():
            raise TallyroomError(
                "The metadata database sorts text by the rules of a language. Create one with "
                "CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'."
            )
        previous_revision = read_revision(connection)
        if previous_revision != newest_revision():
            from tallyroom.storage.metadata.upgrade import upgrade  # noqa: PLC0415 # loads Alembic, which is seldom needed

            upgrade(connection, "The metadata database")
            return previous_revision
    return None
