"""A server that takes connections and answers nobody: whoever asks hears so before long, from each pool."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from functools import partial

import pytest
from sqlalchemy import text

from harness.servers.postgres import PostgresServer, new_postgres
from harness.stores.metadata import dsn_of
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.cluster.postgresql.migrate import migrate
from tallyroom.core.errors import Unavailable

Ask = Callable[[PostgresqlDatabase], Awaitable[object]]


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server of its own, because it stands still for everybody."""
    with new_postgres() as server:
        migrate(dsn_of(server.url))
        yield server


@pytest.fixture
async def database(server: PostgresServer) -> AsyncIterator[PostgresqlDatabase]:
    opened = PostgresqlDatabase(dsn_of(server.url))
    yield opened
    await opened.close()


async def in_transaction(database: PostgresqlDatabase, *, write: bool) -> None:
    async with database.session(write=write) as db:
        await db.execute(text("SELECT 1"))


async def alone(database: PostgresqlDatabase) -> None:
    async with database.hold_work_lock("outbox"):
        pass


ASKS: dict[str, Ask] = {
    "a transaction that reads": partial(in_transaction, write=False),
    "a transaction that writes": partial(in_transaction, write=True),
    "a look-up": lambda database: database.look_up("SELECT 1"),
    "look-ups": lambda database: database.look_up_all("SELECT 1"),
    "a scan": lambda database: database.scan("SELECT 1"),
    "the lock of sole work": alone,
}


@pytest.mark.long
@pytest.mark.parametrize(
    "what",
    ASKS,
)
async def test_each_pool_gives_up_and_goes_on_when_the_server_does(
    database: PostgresqlDatabase, server: PostgresServer, what: str
) -> None:
    """On a connection of before, and on a new one."""
    ask = ASKS[what]
    await ask(database)
    with server.hanging():
        for _ in range(2):
            with pytest.raises(Unavailable):
                await ask(database)
    await ask(database)


async def test_a_commit_that_is_not_answered_is_given_up(database: PostgresqlDatabase, server: PostgresServer) -> None:
    async def commit() -> None:
        async with database.session(write=True) as db:
            await db.execute(text("SELECT 1"))
            hanging.enter_context(server.hanging())

    with ExitStack() as hanging, pytest.raises(Unavailable):
        await commit()
    await in_transaction(database, write=True)
