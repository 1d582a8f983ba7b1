"""Who is alive, and a change of access that is answered holds everywhere."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from sqlalchemy import insert, text, update

from harness.stores.registered_workers import registered
from harness.suite.patience import until
from tallyroom.auth.secrets import hash_secret, mint_key
from tallyroom.cluster.postgresql import change_wait, worker_registry
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.cluster.postgresql.worker_registry import TRUST_SECONDS, WorkerRegistry
from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.peers import Worker
from tallyroom.storage.metadata.models import ApiKey, Environment, User, Workspace

_ids = itertools.count(1)


Opened = tuple[PostgresqlDatabase, WorkerRegistry]


@asynccontextmanager
async def worker(
    dsn: str,
    spool: int,
    *,
    settings: str = "s",
    epoch: int = 0,
    monotonic: Callable[[], float] | None = None,
    joins: bool = True,
) -> AsyncIterator[Opened]:
    """A worker on the spool of that number."""
    me = Worker(f"worker-{next(_ids)}", spool, f"host-{spool}", settings, epoch)
    database = PostgresqlDatabase(dsn, me, monotonic) if monotonic else PostgresqlDatabase(dsn, me)
    assert database.registry is not None
    await database.look_up("SELECT 1")  # begins to listen
    if joins:
        await until(lambda: database.registry is not None and database.registry.has_joined)
    try:
        yield database, database.registry
    finally:
        await database.close()


def trusts(database: PostgresqlDatabase) -> bool:
    return database.change_version("access") == database.change_version("access")


async def add_workspace(database: PostgresqlDatabase) -> None:
    """A change of access."""
    async with database.session(write=True) as db:
        await db.execute(
            insert(Workspace).values(id=f"w{next(_ids)}", name="W", plan="paid", timezone="UTC", created_at_ms=0)
        )


@pytest.mark.long
async def test_workers_are_counted_as_they_come_and_go(dsn: str) -> None:
    async with worker(dsn, 1) as (_, first):
        assert first.worker_count() == 1
        assert not await first.is_alive(2)
        async with worker(dsn, 2) as (_, second):
            assert second.worker_count() == 2
            await until(lambda: first.worker_count() == 2)
            assert await first.is_alive(2)
            assert not await first.is_alive(1), "it is no other worker"
        assert not await first.is_alive(2)
        await until(lambda: first.worker_count() == 1)


async def test_a_worker_tells_the_time_by_the_clock_of_the_database(dsn: str, operator: asyncpg.Connection) -> None:
    now = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    before = await operator.fetchval(now)
    async with worker(dsn, 1) as (_, registry):
        told = registry.now_ms()
        assert told is not None
        assert before - 1 <= told <= await operator.fetchval(now)


async def test_a_worker_that_has_not_joined_tells_no_time(dsn: str) -> None:
    database = PostgresqlDatabase(dsn, Worker("worker", 1, "host", "s", 0))
    try:
        assert database.registry is not None
        assert database.registry.now_ms() is None
    finally:
        await database.close()


async def test_a_lease_that_ended_counts_no_longer(dsn: str, operator: asyncpg.Connection) -> None:
    async with worker(dsn, 1) as (_, first):
        await operator.execute("INSERT INTO workers VALUES (2, 'gone', 'host', 's', 0, now() - interval '1 second')")
        assert not await first.is_alive(2)
        assert first.worker_count() == 1


@pytest.mark.long
async def test_a_spool_has_one_worker(dsn: str) -> None:
    async with worker(dsn, 1) as (holder, _), worker(dsn, 1, joins=False) as (second, registry):
        await asyncio.sleep(1.5)  # for more than one attempt
        assert not registry.has_joined
        assert not trusts(second)
        await holder.close()
        await until(lambda: registry.has_joined)
        assert trusts(second)


@pytest.mark.long
async def test_a_spool_whose_worker_was_killed_is_free_when_its_lease_ends(
    dsn: str, operator: asyncpg.Connection
) -> None:
    await operator.execute("INSERT INTO workers VALUES (1, 'killed', 'host', 's', 0, now() + interval '1 day')")
    async with worker(dsn, 1, joins=False) as (_, registry):
        await asyncio.sleep(0.2)
        assert not registry.has_joined
        await operator.execute("UPDATE workers SET lease_until = now()")
        await until(lambda: registry.has_joined)


async def test_the_lease_of_a_worker_that_was_killed_is_ended_by_whoever_knows_of_it(
    dsn: str, operator: asyncpg.Connection
) -> None:
    await operator.execute(
        "INSERT INTO workers VALUES (1, 'killed', 'host', 's', 0, now() + interval '1 day'),"
        " (2, 'alive', 'host', 's', 0, now() + interval '1 day')"
    )
    await worker_registry.end_lease(dsn, 1, "killed")
    await worker_registry.end_lease(dsn, 2, "its predecessor")
    is_over = await operator.fetch("SELECT lease_until <= clock_timestamp() FROM workers ORDER BY spool")
    assert [row[0] for row in is_over] == [True, False]


async def test_a_worker_that_owes_something_leaves_its_row(dsn: str, operator: asyncpg.Connection) -> None:
    async with worker(dsn, 1), worker(dsn, 2) as (_, registry):
        registry.mark_unfinished()
    left = await operator.fetch("SELECT spool, lease_until <= clock_timestamp() AS is_over FROM workers")
    assert [tuple(row) for row in left] == [(2, True)]


async def test_no_lease_is_ended_where_nobody_answers() -> None:
    with pytest.raises(Unavailable):
        await worker_registry.end_lease("postgresql://nobody@127.0.0.1:1/nothing", 1, "killed")


@pytest.mark.long
async def test_a_start_waits_until_it_has_joined_but_no_longer_than_for_a_lease(
    dsn: str, operator: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await operator.execute("INSERT INTO workers VALUES (1, 'killed', 'host', 's', 0, now() + interval '1 day')")
    async with worker(dsn, 1, joins=False) as (database, registry):
        joining = asyncio.create_task(database.join_workers())
        await asyncio.sleep(0.2)
        assert not joining.done()
        await operator.execute("UPDATE workers SET lease_until = now()")
        await joining
        assert registry.has_joined
    monkeypatch.setattr(worker_registry, "LEASE_SECONDS", 0.1)
    monkeypatch.setattr(worker_registry, "ANSWER_SECONDS", 0.1)
    await operator.execute("INSERT INTO workers VALUES (1, 'hangs', 'host', 's', 0, now() + interval '1 day')")
    async with worker(dsn, 1, joins=False) as (database, registry):
        await database.join_workers()
        assert not registry.has_joined


@pytest.mark.long
async def test_a_worker_whose_place_is_taken_trusts_nothing_and_says_so(dsn: str, operator: asyncpg.Connection) -> None:
    async with worker(dsn, 1) as (database, registry):
        assert trusts(database)
        await operator.execute("UPDATE workers SET id = 'another'")
        await until(lambda: registry.is_fenced)
        assert not trusts(database)
        await asyncio.sleep(1.5)
        assert registry.is_fenced, "it came back by itself"


@pytest.mark.long
async def test_a_worker_notices_that_those_before_it_have_other_settings(
    dsn: str, operator: asyncpg.Connection
) -> None:
    for spool in (1, 2, 3):
        await operator.execute("INSERT INTO spools VALUES ($1, 'host', '/path', $2, NULL, 'live')", spool, 10 + spool)
    async with worker(dsn, 3, settings="new", epoch=13) as (_, third):
        async with worker(dsn, 1, epoch=11) as (_, first), worker(dsn, 2, settings="new", epoch=12) as (_, second):
            assert second.hosts_with_other_settings() == {"host-1"}
            await until(lambda: third.hosts_with_other_settings() == {"host-1"})
            assert first.hosts_with_other_settings() == frozenset(), "it serves until the others have taken over"
        await until(lambda: third.hosts_with_other_settings() == frozenset())


async def test_trust_ends_before_the_lease_by_the_workers_own_clock(dsn: str) -> None:
    now = 1000.0
    async with worker(dsn, 1, monotonic=lambda: now) as (database, registry):
        renewed = asyncio.Event()

        async def unreachable(
            connection: object, number_by_kind: Mapping[str, int]
        ) -> None:  # the names are the registry's
            renewed.set()
            raise OSError("no route to host")

        registry.renew_lease = unreachable  # type: ignore[method-assign] # the database is cut off
        async with asyncio.timeout(60):
            await renewed.wait()
        now += TRUST_SECONDS - 0.001
        assert trusts(database), "a restart of the database that nobody has to notice"
        now += 0.001
        assert not trusts(database)


@pytest.mark.long
async def test_a_connection_that_is_lost_costs_no_trust_but_what_was_remembered(
    dsn: str, operator: asyncpg.Connection
) -> None:
    async with worker(dsn, 1) as (database, _):
        before = database.change_version("access")
        await operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
        assert trusts(database)
        await until(lambda: database.change_version("access") != before)
        assert trusts(database)


async def test_a_commit_that_nobody_answers_costs_no_trust(dsn: str, operator: asyncpg.Connection) -> None:
    async def broken(database: PostgresqlDatabase) -> None:
        async with database.session(write=True) as db:
            [(process,)] = await db.execute(text("SELECT pg_backend_pid()"))
            await operator.execute("SELECT pg_terminate_backend($1)", process)

    async with worker(dsn, 1) as (database, _):
        before = database.change_version("access")
        with pytest.raises(Unavailable):
            await broken(database)
        assert database.change_version("access") == before


async def test_a_change_is_answered_when_others_have_seen_it(dsn: str) -> None:
    async with worker(dsn, 1) as (changer, _), worker(dsn, 2) as (other, _):
        for _ in range(20):
            before = other.change_version("access")
            await add_workspace(changer)
            assert other.change_version("access") != before


async def test_a_removal_is_answered_when_others_have_seen_it(dsn: str) -> None:
    async with worker(dsn, 1) as (remover, _), worker(dsn, 2) as (other, _):
        for _ in range(20):
            before, access = other.change_version("removals"), other.change_version("access")
            await remover.announce_removal()
            assert other.change_version("removals") != before
            assert other.change_version("access") == access


@pytest.mark.long
@pytest.mark.parametrize("change", [add_workspace, PostgresqlDatabase.announce_removal])
async def test_a_change_waits_for_a_worker_that_sees_nothing_until_its_lease_ends(
    dsn: str, operator: asyncpg.Connection, change: Callable[[PostgresqlDatabase], Coroutine[Any, Any, None]]
) -> None:
    async with worker(dsn, 1) as (changer, _), worker(dsn, 2) as (_, deaf):
        renew, may_renew = deaf.renew_lease, asyncio.Event()

        async def late(connection: object, number_by_kind: Mapping[str, int]) -> None:
            await may_renew.wait()
            await renew(connection, number_by_kind)

        deaf.renew_lease = late  # type: ignore[method-assign] # it hangs
        changing = asyncio.create_task(change(changer))
        await until(lambda: changer.change_version("access") == changer.change_version("access"))
        await asyncio.sleep(0.5)
        assert not changing.done()
        async with changer.session(write=False) as db:
            await db.connection()  # others go on meanwhile
        await operator.execute("UPDATE workers SET lease_until = now() WHERE spool = 2")
        await changing
        may_renew.set()


async def test_what_changes_no_access_waits_for_nobody(dsn: str) -> None:
    async with worker(dsn, 1) as (changer, _), worker(dsn, 2) as (_, deaf):

        async def hangs(connection: object, number_by_kind: Mapping[str, int]) -> None:  # the names are the registry's
            await asyncio.Event().wait()

        deaf.renew_lease = hangs  # type: ignore[method-assign] # it hangs
        async with changer.session(write=True) as db:
            await db.execute(
                insert(User).values(id="u", email="u@example.com", name="U", password_hash="x", created_at_ms=0)
            )


async def test_a_wait_that_never_ends_is_a_refusal(
    dsn: str, operator: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_wait, "_TIMEOUT_SECONDS", 0.2)
    async with worker(dsn, 1) as (changer, _):
        await operator.execute("INSERT INTO workers VALUES (2, 'deaf', 'host', 's', 0, now() + interval '1 day')")
        with pytest.raises(Unavailable, match="The change was made"):
            await add_workspace(changer)
        assert await changer.look_up("SELECT 1 FROM workspaces") is not None


@pytest.mark.long
@pytest.mark.parametrize(
    ("workers", "rounds", "keys", "lease"),
    [(3, 1, 3, 1.5), (8, 10, 20, 10.0)],
)
async def test_a_revoked_key_is_refused_everywhere_with_one_stopped_and_one_cut_off(
    dsn: str, workers: int, rounds: int, keys: int, lease: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_registry, "LEASE_SECONDS", lease)
    monkeypatch.setattr(worker_registry, "TRUST_SECONDS", 0.8 * lease)
    monkeypatch.setattr(change_wait, "_TIMEOUT_SECONDS", 60.0)
    for _ in range(rounds):
        async with worker(dsn, 100) as (changer, _):
            secrets = [await add_key(changer) for _ in range(keys)]
            with registered(dsn, workers, lease) as processes:
                stopped, cut_off, *others = processes
                for process in processes:
                    assert await asyncio.to_thread(process.do, "authenticate", *secrets) == [202] * keys
                stopped.halt(halted=True)
                assert await asyncio.to_thread(cut_off.do, "cut off") == "cut off"
                for secret in secrets:
                    async with changer.session(write=True) as db:
                        await db.execute(
                            update(ApiKey).where(ApiKey.secret_hash == hash_secret(secret)).values(revoked_at_ms=1)
                        )
                    asked = [asyncio.to_thread(process.do, "authenticate", secret) for process in (cut_off, *others)]
                    assert await asyncio.gather(*asked) == [[503], *[[401]] * len(others)]
                stopped.say("authenticate", *secrets)
                stopped.halt(halted=False)
                assert await asyncio.to_thread(stopped.answer) == [401] * keys


async def add_key(database: PostgresqlDatabase) -> str:
    """A key of a workspace of its own."""
    number = next(_ids)
    secret = mint_key(IdGenerator(), "production")
    workspace = {"name": "W", "plan": "paid", "timezone": "UTC", "created_at_ms": 0}
    async with database.session(write=True) as db:
        await db.execute(insert(Workspace).values(id=f"w{number}", **workspace))
        await db.execute(
            insert(Environment).values(
                workspace_id=f"w{number}", name="production", retention_days=None, created_at_ms=0
            )
        )
        await db.execute(
            insert(ApiKey).values(
                id=f"k{number}",
                workspace_id=f"w{number}",
                environment="production",
                name="key",
                prefix=secret[:12],
                secret_hash=hash_secret(secret),
                created_at_ms=0,
            )
        )
    return secret


async def test_a_worker_that_cannot_renew_its_lease_neither_takes_events_nor_delivers_them(dsn: str) -> None:
    now = [0.0]
    async with worker(dsn, 1, monotonic=lambda: now[0]) as (database, registry):
        await database.close()  # it hears of nobody any more, and does not know why
        registry._change_numbers.trust(until=TRUST_SECONDS)
        assert registry.find_objection() == ""
        now[0] = TRUST_SECONDS
        assert registry.find_objection() == "This worker's lease could not be renewed."


@pytest.mark.long
async def test_a_later_start_on_the_spool_takes_the_place(dsn: str, operator: asyncpg.Connection) -> None:
    async with worker(dsn, 1) as (_, registry):
        await operator.execute("INSERT INTO spools VALUES (1, 'host', '/copy', 0, 1, 'live')")
        await until(lambda: registry.is_fenced)
        assert registry.find_objection() == "Another process has replaced this worker."
    async with worker(dsn, 1, joins=False) as (database, registry):
        await until(lambda: not trusts(database))
        assert not registry.has_joined
