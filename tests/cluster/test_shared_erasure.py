"""What is erased is erased from every spool, and nobody is told so before it is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from harness.servers.one_of_several import SCOPE, Several, send
from harness.suite.patience import PATIENCE
from tallyroom.cluster import erasure_repository as repository
from tallyroom.cluster import shared_erasure
from tallyroom.cluster.erasure_repository import OpenErasurePart
from tallyroom.cluster.shared_erasure import SharedErasure
from tallyroom.core.errors import Unavailable
from tallyroom.core.times import DAY_MS
from tallyroom.ingest.validation.event import Event
from tallyroom.server.services import Services
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.models import Environment, Workspace
from tallyroom.storage.spool.replays import find_accepted_request


def erasure_of(services: Services) -> SharedErasure:
    parts = services.spool, services.drain, services.writer, services.removals.announce
    return SharedErasure(*parts, services.database, services.clock, services.ids)


@asynccontextmanager
async def catching_up(*workers: Services) -> AsyncIterator[None]:
    """Each of these workers does its parts as its chore would."""

    async def chore(erasure: SharedErasure) -> None:
        while True:
            await erasure.erase_for_others()
            await asyncio.sleep(0.02)

    async with asyncio.TaskGroup() as chores:
        tasks = [chores.create_task(chore(erasure_of(each))) for each in workers]
        yield
        for task in tasks:
            task.cancel()


def stored(services: Services, actor: str) -> int:
    return int(services.writer.command("SELECT count() FROM events WHERE actor = {actor:String}", {"actor": actor}))


async def open_parts_of(services: Services) -> list[OpenErasurePart]:
    async with services.database.session(write=False) as db:
        return await repository.list_open_parts(db, services.spool.identity)


def is_sound(services: Services) -> bool:
    services.completeness_check.compare_counts()
    return services.completeness_check.damages.entries == ()


@pytest.mark.long
async def test_an_actor_is_erased_from_the_spools_of_all_workers(several: Several) -> None:
    async with several.opened("a") as a, several.opened("b") as b, several.opened("c") as c:
        for services in (a, b, c):
            await send(services, "ann", "ann", "ben")
        async with catching_up(b, c):
            assert await erasure_of(a).erase_actor(SCOPE, "ann") == 6
        assert (stored(a, "ann"), stored(a, "ben")) == (0, 3)
        assert all(is_sound(each) for each in (a, b, c))
        async with catching_up(b, c):
            assert await erasure_of(a).erase_actor(SCOPE, "ann") == 0


@pytest.mark.long
async def test_nobody_is_erased_before_a_worker_that_is_away_is_back(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_erasure, "_TIMEOUT_SECONDS", 1.0)
    async with several.opened("a") as a:
        await send(a, "ann", "ben")
        async with several.opened("b") as b:
            await send(b, "ann", "ben")
        with pytest.raises(Unavailable, match="Some workers are still erasing"):
            await erasure_of(a).erase_actor(SCOPE, "ann")
        assert stored(a, "ann") == 1, "what came through the spool of the other, which alone can count it"
        async with several.opened("b") as b:
            await erasure_of(b).erase_for_others()
            assert (stored(a, "ann"), stored(a, "ben")) == (0, 2)
            assert is_sound(a)
            assert is_sound(b)
            assert await open_parts_of(b) == []


def sent_bodies(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What writers send to the event store from now on."""
    bodies: list[bytes] = []
    insert = Writer.insert_events

    def noted(writer: Writer, body: bytes, token: str) -> None:
        bodies.append(body)
        insert(writer, body, token)

    monkeypatch.setattr(Writer, "insert_events", noted)
    return bodies


async def leave_waiting(several: Several, name: str, **ages: int) -> None:
    """Have a worker acknowledge an event of each actor, so many days old, and stop before it delivers them."""
    async with several.opened(name) as services:
        await asyncio.to_thread(services.drain.stop, 0)
        now_ms = services.clock.now_ms()
        events = [Event("opened", actor, "", "", now_ms - age * DAY_MS, b"{}") for actor, age in ages.items()]
        assert await services.acceptor.accept(SCOPE, "paid", events, now_ms, None) == len(events)


@pytest.mark.long
async def test_what_waits_in_the_spool_of_a_worker_that_is_away_is_erased_before_it_is_delivered(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_erasure, "_TIMEOUT_SECONDS", 1.0)
    async with several.opened("a") as a:
        async with several.opened("b") as b:
            await send(b, "ann", "ann")
        await leave_waiting(several, "b", ann=0, ben=0)
        with pytest.raises(Unavailable):
            await erasure_of(a).erase_actor(SCOPE, "ann")
        bodies = sent_bodies(monkeypatch)
        assert stored(a, "ben") == 0
        async with several.opened("b") as b:
            assert await b.drain.wait_settled(PATIENCE)
            assert stored(a, "ben") == 1
            assert b'"ann"' not in b"".join(bodies)
            [part] = await open_parts_of(b)
            await erasure_of(b).erase_for_others()
            async with b.database.session(write=False) as db:
                assert (await repository.read_progress(db, part.erasure_id)) == (0, 3)
            assert (stored(a, "ann"), stored(a, "ben")) == (0, 1)
            assert is_sound(b)
            await send(b, "ann")
            assert stored(a, "ann") == 1, "what arrives later is a new history"


@pytest.mark.long
async def test_what_is_too_old_once_a_worker_is_back_is_not_delivered(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several.opened("a") as a:
        await leave_waiting(several, "b", ann=9, ben=1)
        async with a.database.session(write=True) as db:
            scope = {"workspace_id": SCOPE.workspace_id, "name": SCOPE.environment}
            db.add(Workspace(id=SCOPE.workspace_id, name="W", plan="free", timezone="UTC", created_at_ms=0))
            await db.flush()
            db.add(Environment(**scope, retention_days=2, created_at_ms=0))
        bodies = sent_bodies(monkeypatch)
        assert stored(a, "ben") == 0
        async with several.opened("b") as b:
            assert await b.drain.wait_settled(PATIENCE)
            assert (stored(a, "ann"), stored(a, "ben")) == (0, 1)
            assert b'"ann"' not in b"".join(bodies)
            assert is_sound(b)


@pytest.mark.long
async def test_a_part_that_a_crash_interrupts_is_done_again(several: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    async with several.opened("a") as a:
        await send(a, "ann")

        async def crash(*_: object) -> None:
            raise ZeroDivisionError

        with monkeypatch.context() as patched:
            patched.setattr(repository, "finish_part", crash)
            with pytest.raises(ZeroDivisionError):
                await erasure_of(a).erase_actor(SCOPE, "ann")
        assert stored(a, "ann") == 0
        await send(a, "ann")
        await erasure_of(a).erase_for_others()
        assert stored(a, "ann") == 0
        assert is_sound(a)


@pytest.mark.long
async def test_an_environment_and_its_idempotency_keys_are_erased_everywhere(several: Several) -> None:
    async with several.opened("a") as a, several.opened("b") as b:
        for services in (a, b):
            await send(services, "ann", key="k1")
        async with catching_up(b):
            assert await erasure_of(a).erase_environment(SCOPE) == 2
        for services in (a, b):
            reader = services.spool.open_reader()
            assert find_accepted_request(reader, SCOPE.workspace_id, SCOPE.environment, "k1", 0) is None
            reader.close()


async def test_a_worker_whose_place_is_taken_leaves_its_part_to_the_one_that_has_it(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several.opened("a") as a:
        await send(a, "ann")
        monkeypatch.setattr(
            a.database.peers, "find_objection", lambda: "Another process has taken the place of this one."
        )
        with pytest.raises(Unavailable):
            await erasure_of(a).erase_actor(SCOPE, "ann")
        assert stored(a, "ann") == 1


@pytest.mark.long
async def test_what_nobody_waited_for_is_forgotten_after_a_day(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several.opened("a") as a:
        for id_, asked_at_ms in (("old", 0), ("new", a.clock.now_ms())):
            async with a.database.session(write=True) as db:
                await repository.begin_erasure(db, repository.OpenErasurePart(id_, SCOPE, "ann"), asked_at_ms)
                await repository.finish_part(db, id_, a.spool.identity, 3)
        assert await erasure_of(a).erase_actor(SCOPE, "ann") == 0
        assert await a.database.look_up_all("SELECT id, erased FROM shared_erasures") == [("new", 3)]
