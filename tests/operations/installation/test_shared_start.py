"""installation.start for several workers, whose metadata and event store are on servers and whose spools are not."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest

from harness.servers.one_of_several import SCOPE, Several
from tallyroom.cluster.postgresql import start_record
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.validation.event import Event
from tallyroom.operations.installation.refusal import IncompleteInstallation
from tallyroom.server.opening import open_services


@pytest.mark.long
async def test_each_worker_starts_with_a_spool_of_its_own(several: Several) -> None:
    first, _ = await several.once("a")
    second, _ = await several.once("b")
    assert first != second
    assert await several.once("a") == (first, 2)
    assert await several.once("a") == (first, 3)
    assert await several.once("b") == (second, 2)


@pytest.mark.long
def test_workers_that_start_at_once_take_turns(several: Several) -> None:
    asyncio.run(several.once("first"))
    with ThreadPoolExecutor(3) as starts:
        found = list(starts.map(lambda name: asyncio.run(several.once(name)), "abc"))
    assert len({spool for spool, _ in found}) == 3
    assert [events for _, events in found] == [1] * 3


@pytest.mark.long
async def test_a_copy_that_another_start_has_overtaken_is_refused(several: Several) -> None:
    await several.once("a")
    shutil.copytree(several.folder / "a", several.folder / "copy")
    await several.once("a")
    with pytest.raises(IncompleteInstallation, match=r"is an older copy: another was last in use on .* in .*/a"):
        await several.once("copy")
    assert await several.once("a")


@pytest.mark.long
async def test_the_original_is_refused_once_a_copy_was_in_use(several: Several) -> None:
    spool, _ = await several.once("a")
    shutil.copytree(several.folder / "a", several.folder / "copy")
    assert await several.once("copy") == (spool, 2)
    with pytest.raises(IncompleteInstallation, match=r"is an older copy: another was last in use on .* in .*/copy"):
        await several.once("a")


async def test_a_copy_does_not_start_while_the_original_runs(several: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_record, "_TIMEOUT_SECONDS", 0.2)
    async with several.opened("a") as services:
        shutil.copytree(several.folder / "a", several.folder / "copy")
        with pytest.raises(TallyroomError, match=r"A server on .* is using the spool"):
            await several.once("copy")
        assert not services.database.peers.find_objection()


@pytest.mark.long
async def test_a_worker_that_lost_its_lease_is_fenced_by_the_start_on_a_copy(several: Several) -> None:
    services = open_services(several.settings("a"))
    await services.database.join_workers()
    shutil.copytree(several.folder / "a", several.folder / "copy")
    await services.database.close()  # as if it hung: it has no lease, and does not know it
    assert await several.once("copy")
    assert services.database.peers.find_objection()
    now = services.clock.now_ms()
    with pytest.raises(TallyroomError):
        await services.acceptor.accept(SCOPE, "paid", [Event("e", "ann", "", "", now, b"{}")], now, None)
    await services.close()


@pytest.mark.long
async def test_a_directory_that_has_lost_its_spool_is_refused(several: Several) -> None:
    spool, _ = await several.once("a")
    shutil.copytree(several.folder / "a", several.folder / "kept")
    for file in (several.folder / "a").glob("spool.sqlite*"):
        file.unlink()
    with pytest.raises(IncompleteInstallation, match=r"the spool \(spool.sqlite\) is missing"):
        await several.once("a")
    shutil.rmtree(several.folder / "a")
    with pytest.raises(IncompleteInstallation, match=r"the spool \(spool.sqlite\) is missing"):
        await several.once("a")
    new, events = await several.once("a", accept_loss=True)
    assert (new != spool, events) == (True, 1)
    with pytest.raises(IncompleteInstallation, match="was lost: other workers have continued without it"):
        await several.once("kept")


@pytest.mark.long
async def test_a_worker_answers_for_what_came_through_spools_that_nobody_uses(several: Several) -> None:
    lost, _ = await several.once("a")
    other, _ = await several.once("b")
    shutil.rmtree(several.folder / "a")
    async with several.opened("a", accept_loss=True) as services:
        assert await services.database.peers.find_owned_spools() == frozenset({services.spool.identity, lost})
        assert services.database.peers.owns_spool(lost)
        assert not services.database.peers.owns_spool(other)
        services.completeness_check.compare_counts()
        assert services.completeness_check.damages.entries == ()
        services.writer.command("ALTER TABLE events DELETE WHERE spool = {spool:UInt32}", {"spool": other})
        services.completeness_check.compare_counts()
        assert services.completeness_check.damages.entries == (), "that is for the other worker to find"
        services.writer.command("ALTER TABLE events DELETE WHERE spool = {spool:UInt32}", {"spool": lost})
        services.completeness_check.compare_counts()
        assert [damage.row_count for damage in services.completeness_check.damages.entries] == [1]
    async with several.opened("b") as services:
        services.completeness_check.compare_counts()
        assert [damage.row_count for damage in services.completeness_check.damages.entries] == [1]
        assert await services.database.peers.find_owned_spools() == frozenset({other})


@pytest.mark.long
async def test_metadata_that_knows_nothing_of_the_spool_is_older(several: Several) -> None:
    await several.once("a")
    await several.once("b")
    operator = await asyncpg.connect(several.dsn)
    await operator.execute("DELETE FROM spools WHERE path LIKE '%/b'")
    with pytest.raises(IncompleteInstallation, match=r"the metadata .* does not list the spool"):
        await several.once("b")
    await operator.execute("UPDATE spools SET epoch = 0")
    with pytest.raises(IncompleteInstallation, match=r"the metadata .* is an older copy"):
        await several.once("a")
    await operator.close()
