"""The metadata database on a real PostgreSQL: one writer, faults that pass, and change numbers."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import asyncpg
import pytest
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from harness.suite.patience import PATIENCE, until
from tallyroom.cluster.postgresql import change_listener
from tallyroom.cluster.postgresql.database import WRITE_LOCK, PostgresqlDatabase
from tallyroom.core.errors import NotFound, Unavailable
from tallyroom.storage.metadata.connection import ChangeKind
from tallyroom.storage.metadata.models import ApiKey, Environment, Listing, Membership, Model, User, Workspace

ACME = {"name": "Acme", "plan": "paid", "timezone": "UTC", "created_at_ms": 0}


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[PostgresqlDatabase]:
    opened = PostgresqlDatabase(dsn)
    async with opened.session(write=True) as db:
        await db.execute(insert(Workspace).values(id="acme", **ACME))
    await told(opened)
    yield opened
    await opened.close()


async def told(database: PostgresqlDatabase) -> None:
    """Wait until the database hears of changes, so that its version stays while there are none."""
    await until(lambda: database.change_version("access") == database.change_version("access"))


async def end_all(operator: asyncpg.Connection) -> None:
    """What a restart does to connections."""
    await operator.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND datname = current_database()"
    )


def says_goodbye(connection: asyncpg.Connection) -> None:
    """What the driver reads first when a server ends the connection; that it hangs up comes later."""
    fields = b"SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"
    connection._protocol.data_received(b"E" + (4 + len(fields)).to_bytes(4, "big") + fields)


async def write(database: PostgresqlDatabase, statement: Any) -> None:
    async with database.session(write=True) as db:
        await db.execute(statement)


async def test_a_statement_between_the_goodbye_of_the_server_and_its_end_may_be_tried_again(
    database: PostgresqlDatabase, operator: asyncpg.Connection
) -> None:
    assert await database.look_up("SELECT 1") == (1,)
    pool: Any = database._look_up_pool._pool
    [looks] = [holder._con for holder in pool._holders if holder._con is not None]
    says_goodbye(looks)
    with pytest.raises(Unavailable):
        await database.look_up("SELECT 1")

    async def within_a_transaction() -> None:
        async with database.session(write=False) as db:
            held: Any = await (await db.connection()).get_raw_connection()
            says_goodbye(held.driver_connection)
            await db.execute(text("SELECT 1"))

    with pytest.raises(Unavailable):
        await within_a_transaction()
    await end_all(operator)
    await until(looks.is_closed)
    assert await database.look_up("SELECT 1") == (1,)


async def test_look_ups_take_question_marks(database: PostgresqlDatabase) -> None:
    query = "SELECT id, created_at_ms FROM workspaces WHERE id = ? AND plan = ? AND created_at_ms >= ?"
    assert await database.look_up(query, "acme", "paid", 0) == ("acme", 0)
    assert await database.look_up(query, "acme", "free", 0) is None
    assert await database.look_up_all(query, "acme", "paid", 0) == [("acme", 0)]
    assert await database.scan(query, "acme", "paid", 0) == [("acme", 0)]
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        await database.look_up("DELETE FROM workspaces")


async def test_no_row_has_a_text_that_cannot_be_stored(database: PostgresqlDatabase) -> None:
    assert await database.look_up("SELECT 1 FROM workspaces WHERE id = ?", "a\0") is None
    with pytest.raises(NotFound):
        await write(database, insert(Workspace).values(id="a\0", **ACME))
    async with database.session(write=False) as db:
        assert await db.get(Workspace, "a\0") is None
        assert await db.scalar(select(Workspace.id).where(Workspace.id.like("%\0%"))) is None


async def test_a_read_cannot_write(database: PostgresqlDatabase) -> None:
    with pytest.raises(DBAPIError, match="read-only transaction"):
        async with database.session(write=False) as db:
            await db.execute(delete(Workspace))


async def test_one_writer_at_a_time_whoever_it_is(database: PostgresqlDatabase, operator: asyncpg.Connection) -> None:
    await operator.execute(f"SELECT pg_advisory_lock({WRITE_LOCK})")
    writing = asyncio.create_task(write(database, update(Workspace).values(name="B")))
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    async with asyncio.timeout(PATIENCE):
        while await operator.fetchval(waiting) == 0:  # noqa: ASYNC110 # as above
            await asyncio.sleep(0.01)
    assert await database.look_up("SELECT name FROM workspaces") == ("Acme",)  # a reader waits for nobody
    await operator.execute("SELECT pg_advisory_unlock_all()")
    await writing
    assert await database.look_up("SELECT name FROM workspaces") == ("B",)


async def test_a_lock_that_is_kept_too_long_is_unavailable(
    dsn: str, operator: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallyroom.cluster.postgresql.server._SETTINGS", {"lock_timeout": "50"})
    database = PostgresqlDatabase(dsn)
    await operator.execute(f"SELECT pg_advisory_lock({WRITE_LOCK})")
    with pytest.raises(Unavailable):
        await write(database, insert(Workspace).values(id="acme", **ACME))
    await operator.execute("SELECT pg_advisory_unlock_all()")
    await write(database, insert(Workspace).values(id="acme", **ACME))
    await database.close()


async def test_a_restart_ends_what_runs_and_nothing_that_comes_later(
    database: PostgresqlDatabase, operator: asyncpg.Connection
) -> None:
    async def broken(*, writes: bool) -> None:
        async with database.session(write=writes) as db:
            await db.execute(select(Workspace))
            await end_all(operator)
            await db.execute(select(Workspace))

    for writes in (True, False):
        with pytest.raises(Unavailable):
            await broken(writes=writes)
    await end_all(operator)
    await write(database, update(Workspace).values(name="B"))
    assert await database.look_up("SELECT name FROM workspaces") == ("B",)


@pytest.mark.long
async def test_a_commit_that_nobody_answers_is_unavailable_and_trusts_nothing(
    database: PostgresqlDatabase, operator: asyncpg.Connection
) -> None:
    async def broken() -> None:
        async with database.session(write=True) as db:
            await db.execute(update(Workspace).values(name="B"))
            await end_all(operator)

    with pytest.raises(Unavailable):
        await broken()
    assert database.change_version("access") != database.change_version("access")
    await told(database)
    assert await database.look_up("SELECT name FROM workspaces") == ("Acme",)


async def test_no_server_is_unavailable() -> None:
    database = PostgresqlDatabase("postgresql://nobody@127.0.0.1:1/none")
    for write_ in (True, False):
        with pytest.raises(Unavailable):
            async with database.session(write=write_):
                pytest.fail("a transaction began")
    with pytest.raises(Unavailable):
        await database.look_up("SELECT 1")
    with pytest.raises(Unavailable):
        await database.scan("SELECT 1")
    await database.close()


async def test_a_fault_of_the_program_is_not_taken_for_the_servers(database: PostgresqlDatabase) -> None:
    with pytest.raises(DBAPIError, match="does not exist"):
        await write(database, text("DELETE FROM nothing"))
    with pytest.raises(asyncpg.UndefinedTableError):
        await database.look_up("SELECT 1 FROM nothing")
    with pytest.raises(asyncpg.InterfaceError):
        await database.look_up("SELECT 1 FROM workspaces WHERE id = ?")


async def test_a_failure_that_the_block_swallows_is_not_taken_for_a_commit(database: PostgresqlDatabase) -> None:
    """PostgreSQL ends such a transaction without keeping anything, and says so only in passing."""

    async def swallowed() -> None:
        async with database.session(write=True) as db:
            with suppress(IntegrityError):
                await db.execute(insert(Workspace).values(id="acme", **ACME))

    with pytest.raises(DBAPIError):
        await swallowed()
    assert await database.look_up("SELECT 1") == (1,)


async def test_a_stopped_look_up_leaves_its_connection_usable(database: PostgresqlDatabase) -> None:
    for _ in range(10):
        slow = asyncio.create_task(database.look_up("SELECT 1 FROM pg_sleep(60)"))
        await asyncio.sleep(0.01)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
    assert await database.look_up("SELECT 1") == (1,)


@pytest.mark.parametrize("writes", [True, False])
async def test_a_stop_during_a_statement_stays_a_stop(database: PostgresqlDatabase, writes: bool) -> None:
    async def sleep() -> None:
        async with database.session(write=writes) as db:
            await db.execute(text("SELECT pg_sleep(60)"))

    slow = asyncio.create_task(sleep())
    await asyncio.sleep(0.2)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    await write(database, update(Workspace).values(name="B"))
    assert await database.look_up("SELECT name FROM workspaces") == ("B",)


def moves(database: PostgresqlDatabase, kind: ChangeKind) -> Callable[[], bool]:
    before = database.change_version(kind)
    return lambda: database.change_version(kind) != before


@pytest.mark.long
@pytest.mark.parametrize(
    ("statement", "kind", "other"),
    [
        (update(Workspace).values(plan="free"), "access", "listing"),
        (insert(Environment).values(workspace_id="acme", name="x", created_at_ms=0), "access", "listing"),
        (insert(Listing).values(workspace_id="acme", revision=1, is_public=False), "listing", "access"),
    ],
)
async def test_a_process_knows_at_once_what_it_has_changed(
    database: PostgresqlDatabase, monkeypatch: pytest.MonkeyPatch, statement: Any, kind: ChangeKind, other: ChangeKind
) -> None:
    monkeypatch.setattr(database._listener, "_receive_change", None)  # bound before; only own commits may count here
    changed, another = moves(database, kind), moves(database, other)
    await write(database, statement)
    assert changed()
    assert not another()


async def test_when_a_key_was_last_used_is_no_change(database: PostgresqlDatabase) -> None:
    await write(database, insert(Environment).values(workspace_id="acme", name="production", created_at_ms=0))
    key = {"id": "k", "workspace_id": "acme", "environment": "production", "name": "", "prefix": ""}
    await write(database, insert(ApiKey).values(secret_hash=b"", created_at_ms=0, **key))
    changed = moves(database, "access")
    await write(database, update(ApiKey).values(last_used_at_ms=1))
    assert not changed()
    await write(database, update(ApiKey).values(revoked_at_ms=1))
    assert changed()


async def test_others_are_told_whoever_changes_it(
    database: PostgresqlDatabase, dsn: str, operator: asyncpg.Connection
) -> None:
    other = PostgresqlDatabase(dsn)
    await other.look_up("SELECT 1")
    await told(other)
    for change in (
        lambda: write(database, update(Workspace).values(plan="free")),
        lambda: operator.execute("UPDATE workspaces SET plan = 'paid'"),
    ):
        changed = moves(other, "access")
        await change()
        await until(changed)
    await other.close()


async def test_what_a_deletion_takes_along_counts(database: PostgresqlDatabase, operator: asyncpg.Connection) -> None:
    await write(database, insert(User).values(id="u", email="u@x.y", name="", password_hash="", created_at_ms=0))
    await write(database, insert(Membership).values(user_id="u", workspace_id="acme", role="viewer"))
    changed = moves(database, "access")
    await operator.execute("DELETE FROM users")
    await until(changed)


async def test_a_lost_message_costs_a_second(database: PostgresqlDatabase, operator: asyncpg.Connection) -> None:
    changed = moves(database, "access")
    await operator.execute("UPDATE change_numbers SET number = number + 1")  # without telling
    await until(changed)


@pytest.mark.long
async def test_nothing_is_remembered_while_nobody_tells(
    database: PostgresqlDatabase, operator: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = database.change_version("access")
    monkeypatch.setattr(change_listener, "connect", refused)
    await end_all(operator)
    await until(lambda: not database._change_numbers.is_informed)
    assert len({database.change_version("access") for _ in range(10)} | {before}) == 11
    await asyncio.sleep(1.5)
    assert not database._change_numbers.is_informed
    monkeypatch.undo()
    await told(database)
    assert database.change_version("access") != before


async def refused(*_: object) -> Any:
    raise ConnectionRefusedError


async def test_every_column_counts_but_for_the_last_use(operator: asyncpg.Connection) -> None:
    """A migration that adds a column to one of these tables has to add it to the trigger."""
    counted = {
        row["name"]: set(row["columns"])
        for row in await operator.fetch(
            "SELECT tgrelid::regclass::text AS name, array_agg(attname::text) AS columns FROM pg_trigger"
            " JOIN pg_attribute ON attrelid = tgrelid AND attnum = ANY (tgattr)"
            " WHERE tgname = 'count_change' GROUP BY 1"
        )
    }
    expected = {
        name: {column.name for column in Model.metadata.tables[name].columns} - {"last_used_at_ms"} for name in counted
    }
    assert counted == expected
    assert set(counted) == {
        "api_keys",
        "environments",
        "listings",
        "memberships",
        "personal_tokens",
        "stats_tokens",
        "workspaces",
    }


async def test_the_outbox_counts_beyond_two_billion(database: PostgresqlDatabase) -> None:
    await write(database, text("SELECT setval('feed_outbox_id_seq', 2147483647)"))
    await write(database, insert(Model.metadata.tables["feed_outbox"]).values(table_name="t", lines=b""))
    assert await database.look_up("SELECT id FROM feed_outbox") == (2147483648,)


async def test_text_is_in_the_order_of_its_bytes(database: PostgresqlDatabase) -> None:
    names = ["b", "B", "a", "-a", "_", "é", "z"]
    for name in names:
        await write(database, insert(Environment).values(workspace_id="acme", name=name, created_at_ms=0))
    found = await database.look_up_all("SELECT name FROM environments ORDER BY name")
    assert [name for (name,) in found] == sorted(names, key=str.encode)
