"""A server starts while the event store is away, and examines it before it is used."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
import pytest

from harness.servers.events_server import FrontServer
from harness.servers.http_front import Fault, Kind
from harness.servers.one_of_several import SCOPE, Several, send
from harness.suite.patience import until
from tallyroom.core.errors import ServerAway
from tallyroom.ingest.validation.event import Event
from tallyroom.operations.installation.refusal import IncompleteInstallation
from tallyroom.server.opening import open_services
from tallyroom.server.services import Services
from tallyroom.storage.event_store.errors import StoreError, StoreUnavailable
from tallyroom.storage.event_store.migrate import StoreTooNew, newest_version
from tallyroom.storage.event_store.part_check import count_events_by_spool


@contextmanager
def away(server: FrontServer, kind: Kind = "refused") -> Iterator[None]:
    """The event store does not respond while the block runs."""
    server.let(Fault(kind=kind, times=10**9))
    yield
    server.let()


async def accept(services: Services, *actors: str) -> None:
    """A request with an event of each actor, which wait in the spool."""
    now_ms = services.clock.now_ms()
    events = [Event("opened", actor, "", "", now_ms, b"{}") for actor in actors]
    assert await services.acceptor.accept(SCOPE, "paid", events, now_ms, None) == len(actors)


async def admitted(services: Services) -> None:
    await until(lambda: not services.admission.obstacle)


async def in_metadata(several: Several, sql: str) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(several.dsn)
    try:
        return list(await connection.fetch(sql))
    finally:
        await connection.close()


async def epochs(several: Several) -> tuple[int, int | None]:
    """The epoch that all parts have reached, and the last that a start was about to begin."""
    [row] = await in_metadata(several, "SELECT epoch, begun FROM installation")
    return row["epoch"], row["begun"]


def stored(services: Services) -> dict[int, int]:
    return count_events_by_spool(services.writer)


@pytest.mark.parametrize("kind", ["refused", "unavailable"])
async def test_a_worker_takes_events_before_the_store_answers(
    several: Several, events_server: FrontServer, kind: Kind
) -> None:
    spool, _ = await several.once("a")
    with away(events_server, kind):
        async with several.opened("a") as services:
            await accept(services, "bo", "cy")
            assert "does not respond" in services.drain.failure_reason
            with pytest.raises(StoreError, match="279"):
                services.writer.command("SELECT 1")
            with pytest.raises(StoreUnavailable, match="does not respond"):
                await services.reader.fetch_bytes("SELECT count() FROM events WHERE {scope}", SCOPE, {}, "TabSeparated")
            assert not await services.drain.wait_settled(0.2)
            events_server.let()
            await admitted(services)
            assert await services.drain.wait_settled(30)
            assert stored(services) == {spool: 3}
            assert services.completeness_check.damages.entries == ()
            assert not services.drain.failure_reason
    assert await several.once("a") == (spool, 4)


@pytest.mark.long
async def test_a_worker_that_stops_before_the_store_answers_leaves_its_events_for_the_next_start(
    several: Several, events_server: FrontServer
) -> None:
    spool, _ = await several.once("a")
    with away(events_server):
        for actor in ("bo", "cy"):
            async with several.opened("a") as services:
                await accept(services, actor)
    assert await several.once("a") == (spool, 4)


@pytest.mark.long
async def test_a_store_that_hangs_keeps_nobody_from_starting(several: Several, events_server: FrontServer) -> None:
    await several.once("a")
    events_server.halt(halted=True)
    try:
        async with several.opened("a") as services:
            await accept(services, "bo")
            assert services.admission.obstacle
            events_server.halt(halted=False)
            await admitted(services)
            assert await services.drain.wait_settled(30)
    finally:
        events_server.halt(halted=False)


@pytest.mark.long
async def test_workers_that_start_meanwhile_settle_one_epoch(several: Several, events_server: FrontServer) -> None:
    first, _ = await several.once("a")
    second, _ = await several.once("b")
    with away(events_server):
        async with several.opened("a") as a, several.opened("b") as b:
            assert await epochs(several) == (2, 4)
            events_server.let()
            await admitted(a)
            await admitted(b)
            assert await epochs(several) == (4, None)
            found = a.writer.backend.inspect_store()
            assert found.stamp is not None
            assert (found.stamp.installation, found.stamp.epoch) == (a.installation, 4)
            await send(a, "bo")
            await send(b, "cy")
            assert stored(a) == {first: 2, second: 2}


@pytest.mark.long
async def test_a_start_with_the_store_there_ends_what_others_left_open(
    several: Several, events_server: FrontServer
) -> None:
    await several.once("a")
    with away(events_server):
        async with several.opened("a"):
            pass
        async with several.opened("a"):
            pass
    await several.once("b")
    assert await epochs(several) == (4, None)
    assert await several.once("a")


@pytest.mark.long
async def test_the_first_start_of_an_installation_needs_the_store(several: Several, events_server: FrontServer) -> None:
    with away(events_server), pytest.raises(ServerAway, match="does not respond"):
        await several.once("a")


@pytest.mark.long
async def test_what_is_given_up_is_counted_with_the_store(several: Several, events_server: FrontServer) -> None:
    await several.once("a")
    with away(events_server), pytest.raises(ServerAway, match="does not respond"):
        await several.once("a", accept_loss=True)


@pytest.mark.long
async def test_the_store_of_another_installation_is_refused_when_it_answers(
    several: Several, events_server: FrontServer
) -> None:
    await several.once("a")
    with away(events_server):
        async with several.opened("a") as services:
            await accept(services, "bo")
            stopped: list[bool] = []
            services.admission.call_on_refusal(lambda: stopped.append(True))
            events_server.let()
            stamps = "INSERT INTO installation_stamps SELECT max(number) + 1, 'another', 9 FROM installation_stamps"
            services.admission._gate.backend.connect().query(stamps, {})
            await until(lambda: bool(stopped))
            assert isinstance(services.admission.refusal, IncompleteInstallation)
            assert "belongs to a different installation" in services.admission.refusal.message
            assert services.drain.failure_reason, "what waits does not go there"
            with pytest.raises(StoreError):
                services.writer.command("SELECT 1")


@pytest.mark.long
async def test_the_store_of_a_later_version_is_refused_when_it_answers(
    several: Several, events_server: FrontServer
) -> None:
    await several.once("a")
    async with several.opened("a") as services:
        services.writer.command(f"INSERT INTO schema_migrations (version) VALUES ({newest_version() + 1})")
        with away(events_server):
            async with several.opened("b") as other:
                events_server.let()
                await until(lambda: other.admission.refusal is not None)
                assert isinstance(other.admission.refusal, StoreTooNew)


@pytest.mark.long
async def test_a_spool_that_has_acknowledged_less_than_it_said_is_an_older_copy(
    several: Several, events_server: FrontServer
) -> None:
    """As long as the store cannot be asked, the metadata knows how far the spool was."""
    await several.once("a")
    await in_metadata(several, "UPDATE spools SET acknowledged = 7")
    with away(events_server), pytest.raises(IncompleteInstallation, match="is an older copy"):
        await several.once("a")
    assert await several.once("a"), "the store shows that it is none"


@pytest.mark.long
async def test_a_spool_that_the_store_has_overtaken_is_refused_when_it_answers(
    several: Several, events_server: FrontServer
) -> None:
    await several.once("a")
    shutil.copytree(several.folder / "a", several.folder / "copy")
    async with several.opened("a") as services:
        await send(services, "bo", "cy")
    shutil.rmtree(several.folder / "a")
    (several.folder / "copy").rename(several.folder / "a")
    await in_metadata(several, "UPDATE spools SET acknowledged = 0, epoch = 1")  # nobody could say so
    with away(events_server):
        services = open_services(several.settings("a"))
        try:
            await services.database.join_workers()
            await accept(services, "di")
            events_server.let()
            await until(lambda: services.admission.refusal is not None)
            assert "would be number 2" in str(services.admission.refusal)
        finally:
            await services.close()


@pytest.mark.long
async def test_such_a_spool_is_refused_also_after_more_starts(several: Several, events_server: FrontServer) -> None:
    """What it has accepted meanwhile has numbers that the store has, too, and those after them."""
    await several.once("a")
    shutil.copytree(several.folder / "a", several.folder / "copy")
    async with several.opened("a") as services:
        await send(services, "bo", "cy")
    shutil.rmtree(several.folder / "a")
    (several.folder / "copy").rename(several.folder / "a")
    await in_metadata(several, "UPDATE spools SET acknowledged = 0, epoch = 1")
    with away(events_server):
        for _ in range(2):
            async with several.opened("a") as services:
                await accept(services, *map(str, range(9)))
    with pytest.raises(IncompleteInstallation, match="would be number 2"):
        await several.once("a")


@pytest.mark.long
async def test_a_server_that_lacks_a_right_is_asked_again(several: Several, events_server: FrontServer) -> None:
    await several.once("a")
    with away(events_server):
        async with several.opened("a") as services:
            events_server.let(Fault(kind="said", on="CHECK GRANT", times=10**9, text="0"))
            await until(lambda: "GRANT" in services.drain.failure_reason)
            assert services.admission.refusal is None
            await accept(services, "bo")
            events_server.let()
            await admitted(services)
            assert await services.drain.wait_settled(30)
