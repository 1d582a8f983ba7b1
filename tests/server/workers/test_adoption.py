"""A spool that is adopted is delivered, and nobody waits for its worker any more."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from harness.servers.one_of_several import SCOPE, Several, send
from tallyroom.cluster import erasure_repository as repository
from tallyroom.cluster.postgresql.worker_registry import WorkerRegistry
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.validation.event import Event
from tallyroom.operations.installation.refusal import IncompleteInstallation
from tallyroom.server.dependencies import build_erasure
from tallyroom.server.opening import open_services
from tallyroom.server.services import Services
from tallyroom.server.workers.adoption import Adoption, NotAdopted, adopt_spool
from tallyroom.storage.event_store.part_check import count_events_by_spool


@asynccontextmanager
async def leave_events(services: Services, count: int) -> AsyncIterator[None]:
    """Accept events that stay in the spool, of which a copy is made, until this ends."""
    now_ms = services.clock.now_ms()
    with services.drain.held(5):
        events = [Event("opened", "ann", "", "", now_ms, b"{}")] * count
        assert await services.acceptor.accept(SCOPE, "paid", events, now_ms, None) == count
        shutil.copytree(services.settings.data_dir, services.settings.data_dir.with_name("left"))
        yield


async def adopt_it(several: Several, name: str) -> Adoption:
    return await adopt_spool(open_services(several.settings(name)), lambda left: None, 5)


@pytest.mark.long
async def test_what_is_left_is_delivered_once_and_another_worker_answers_for_it(several: Several) -> None:
    async with several.opened("a") as a:
        await send(a, "ben")
        async with several.opened("b") as b:
            await send(b, "ann", "ann", "ann", "ann")
        found = await adopt_it(several, "b")
        assert found == Adoption(b.spool.identity, 0, 0, a.spool.identity)
        assert await a.database.peers.find_owned_spools() == frozenset({a.spool.identity, b.spool.identity})
        assert count_events_by_spool(a.writer) == {a.spool.identity: 1, b.spool.identity: 4}
        assert await build_erasure(a).erase_actor(SCOPE, "ann") == 4
        assert count_events_by_spool(a.writer) == {a.spool.identity: 1}
    with pytest.raises(IncompleteInstallation, match="was adopted"):
        await several.once("b")


@pytest.mark.long
async def test_a_copy_of_a_disk_that_is_left_is_delivered(several: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    async with several.opened("a") as a:
        b = open_services(several.settings("b"))
        await b.database.join_workers()
        async with leave_events(b, 3):
            monkeypatch.setattr(b.database.peers, "find_objection", lambda: "It hangs.")
        await b.database.close()
        found = await adopt_it(several, "left")
        assert found == Adoption(b.spool.identity, 3, 0, a.spool.identity)
        assert count_events_by_spool(a.writer)[b.spool.identity] == 3
        await b.close()


async def test_a_spool_is_adopted_once(several: Several) -> None:
    async with several.opened("a") as a:
        async with several.opened("b") as b:
            await send(b, "ann")
        await adopt_it(several, "b")
        with pytest.raises(IncompleteInstallation, match="was adopted"):
            await adopt_it(several, "b")
        assert count_events_by_spool(a.writer) == {b.spool.identity: 1}


@pytest.mark.long
async def test_of_two_who_adopt_copies_at_once_one_does(several: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    """One disk was brought to two hosts."""
    monkeypatch.setattr("tallyroom.cluster.postgresql.start_record._TIMEOUT_SECONDS", 0.2)
    async with several.opened("a") as a:
        async with several.opened("b") as b, leave_events(b, 3):
            monkeypatch.setattr(b.database.peers, "find_objection", lambda: "It hangs.")
        shutil.rmtree(several.folder / "b")
        shutil.copytree(several.folder / "left", several.folder / "copy")
        hosts = [asyncio.to_thread(asyncio.run, adopt_it(several, name)) for name in ("left", "copy")]
        outcomes = await asyncio.gather(*hosts, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes].count(Adoption) == 1, outcomes
        assert all(isinstance(outcome, Adoption | TallyroomError) for outcome in outcomes), outcomes
        assert count_events_by_spool(a.writer) == {b.spool.identity: 3}


@pytest.mark.long
async def test_a_spool_in_use_is_not_adopted(several: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallyroom.cluster.postgresql.start_record._TIMEOUT_SECONDS", 0.2)
    async with several.opened("a") as a:
        async with leave_events(a, 1):
            pass
        with pytest.raises(TallyroomError, match=r"A server on .* is using the spool"):
            await adopt_it(several, "left")


@pytest.mark.long
async def test_the_parts_of_erasures_that_are_open_are_done_first(several: Several) -> None:
    async with several.opened("a") as a:
        async with several.opened("b") as b:
            await send(b, "ann", "ben")
        async with a.database.session(write=True) as db:
            await repository.begin_erasure(db, repository.OpenErasurePart("e", SCOPE, "ann"), 0)
        await adopt_it(several, "b")
        assert count_events_by_spool(a.writer) == {b.spool.identity: 1}
        async with a.database.session(write=False) as db:
            assert (await repository.read_progress(db, "e")).open_part_count == 1, "that of the other worker"


@pytest.mark.long
async def test_the_last_spool_is_kept_by_whoever_starts_next(several: Several) -> None:
    spool, _ = await several.once("a")
    assert await adopt_it(several, "a") == Adoption(spool, 0, 0, None)
    async with several.opened("b") as b:
        assert await b.database.peers.find_owned_spools() == frozenset({b.spool.identity, spool})


@pytest.mark.long
async def test_what_an_adopted_spool_kept_is_passed_on(several: Several) -> None:
    first, _ = await several.once("a")
    second, _ = await several.once("b")
    await adopt_it(several, "a")
    async with several.opened("c") as c:
        await adopt_it(several, "b")
        assert await c.database.peers.find_owned_spools() == frozenset({c.spool.identity, first, second})


@pytest.mark.long
async def test_a_store_that_takes_nothing_ends_the_attempt_and_leaves_the_spool(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several.opened("a") as a:
        async with leave_events(a, 2):
            monkeypatch.setattr(a.database.peers, "find_objection", lambda: "It hangs.")
        spool = a.spool.identity
    monkeypatch.setattr(WorkerRegistry, "find_objection", lambda _: "Nothing goes.")  # before the drain begins
    services = open_services(several.settings("left"))
    with pytest.raises(NotAdopted, match="The event store accepts no events"):
        await adopt_spool(services, lambda left: None, 0.3)
    monkeypatch.undo()
    assert await adopt_it(several, "left") == Adoption(spool, 2, 0, None)
