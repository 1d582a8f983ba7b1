"""What all workers had accepted is meant, to the last event, and nothing that came later."""

import asyncio
import os
from contextlib import closing

import asyncpg
import pytest

from harness.servers.one_of_several import Several, send
from harness.stores.event_store import event, fresh_scope
from harness.stores.metadata_operator import operator
from harness.stores.spool_batches import batch, put
from tallyroom.core.clock import SystemClock
from tallyroom.operations.relocation.cut import ConsistentCut, CutFinder, WorkerAbsent
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.queue import Spool

__all__ = ["operator"]


def cut_finder(several: Several, *, without_absent: bool = False) -> CutFinder:
    return CutFinder(several.settings("none"), SystemClock(), without_absent=without_absent)


def meant(writer: Writer, cut: ConsistentCut) -> dict[int, int]:
    """How many events of each spool the store has, of those that are meant."""
    found = writer.command(f"SELECT spool, count() FROM events WHERE {cut.sql_condition()} GROUP BY spool").splitlines()
    return {int(spool): int(events) for spool, events in (line.split("\t") for line in found)}


async def test_later_events_are_not_meant(several: Several) -> None:
    async with several.opened("a") as one, several.opened("b") as other:
        await send(one, "ann", "bob")
        await send(other, "cyd")
        finder = cut_finder(several)
        cut = await asyncio.to_thread(finder.find_cut)
        await send(one, "dan")
        assert meant(one.writer, cut) == {one.spool.identity: 2, other.spool.identity: 1}
        assert {spool: cut.count_expected(spool) for spool in cut.counts_by_spool} == meant(one.writer, cut)
        assert await asyncio.to_thread(finder.is_valid, cut)


@pytest.mark.long
@pytest.mark.parametrize("name", ["erased", "lost"])
async def test_it_does_not_hold_when_something_goes(several: Several, name: str) -> None:
    async with several.opened("a") as one:
        finder = cut_finder(several)
        cut = await asyncio.to_thread(finder.find_cut)
        one.spool.change(lambda db: db.execute("UPDATE number SET value = value + 1 WHERE name = ?", (name,))).result()
        assert not await asyncio.to_thread(finder.is_valid, cut)


@pytest.mark.long
async def test_a_stopped_worker_of_this_host_is_read_and_one_elsewhere_is_missed(
    several: Several, operator: asyncpg.Connection
) -> None:
    gone, _ = await several.once("a")
    async with several.opened("b") as other:
        await send(other, "bob")
        cut = await asyncio.to_thread(cut_finder(several).find_cut)
        assert {spool: counts.acknowledged for spool, counts in cut.counts_by_spool.items()} == {
            gone: 1,
            other.spool.identity: 1,
        }
        await operator.execute("UPDATE spools SET host = 'elsewhere' WHERE identity = $1", gone)
        where = rf"this spool: {gone}, last in use on elsewhere in {several.folder / 'a'}\."
        with pytest.raises(WorkerAbsent, match=where):
            await asyncio.to_thread(cut_finder(several).find_cut)
        cut = await asyncio.to_thread(cut_finder(several, without_absent=True).find_cut)
        assert ([*cut.counts_by_spool], [spool.identity for spool in cut.absent_spools]) == (
            [other.spool.identity],
            [gone],
        )
        assert meant(other.writer, cut) == {gone: 1, other.spool.identity: 1}, (
            "what is in the store is meant all the same"
        )


@pytest.mark.long
async def test_what_waits_on_this_host_is_missed_too(several: Several) -> None:
    await several.once("a")
    with closing(Spool(several.folder / "a" / "spool.sqlite", os.urandom)) as spool:
        await put(spool, batch(spool, event(fresh_scope())))
        with pytest.raises(WorkerAbsent, match="No worker is using this spool"):
            await asyncio.to_thread(cut_finder(several).find_cut)
