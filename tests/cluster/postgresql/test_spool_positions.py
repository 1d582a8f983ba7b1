"""A worker waits for what others have accepted, and for nobody who is away."""

import asyncio
import time
from collections.abc import AsyncIterator

import asyncpg
import pytest

from tallyroom.cluster.postgresql.look_ups import LookUpPool
from tallyroom.cluster.postgresql.spool_positions import SpoolPositions
from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import MAX_SEQ, SpoolPosition, WaitingEvents

REGISTER = "INSERT INTO spools (identity, host, path, epoch, state) VALUES ($1, 'host', '/data', 1, $2)"
LEASE = "INSERT INTO workers VALUES ($1, 'worker', 'host', 's', 0, clock_timestamp() + make_interval(secs => $2))"


@pytest.fixture
async def positions(dsn: str) -> AsyncIterator[SpoolPositions]:
    """Those of the worker on spool 1."""
    look_up_pool = LookUpPool(dsn, 1)
    yield SpoolPositions(1, look_up_pool, time.monotonic)
    await look_up_pool.close()


async def add(operator: asyncpg.Connection, spool: int, *, state: str = "live", lease: float = 60) -> SpoolPositions:
    """Register a spool whose worker has a lease; what it reports has to be said."""
    await operator.execute(REGISTER, spool, state)
    await operator.execute(LEASE, spool, lease)
    unused: LookUpPool = LookUpPool("", 0)
    return SpoolPositions(spool, unused, time.monotonic)


async def test_what_a_worker_says_is_kept(positions: SpoolPositions, operator: asyncpg.Connection) -> None:
    await add(operator, 1)
    positions.read_position = lambda: SpoolPosition(9, 4, "{}")
    await positions.report_position(operator)
    kept = await operator.fetchrow("SELECT acknowledged, stored, numbers FROM spools WHERE identity = 1")
    assert tuple(kept) == (9, 4, "{}")


async def test_a_worker_alone_waits_for_nobody(positions: SpoolPositions, operator: asyncpg.Connection) -> None:
    await add(operator, 1)
    assert await positions.wait_until_stored(0) == {}


async def test_the_events_that_were_accepted_before_are_waited_for(
    positions: SpoolPositions, operator: asyncpg.Connection
) -> None:
    await add(operator, 1)
    other = await add(operator, 2)
    other.read_position = lambda: SpoolPosition(5, 5)
    await other.report_position(operator)  # before the question, so it says nothing of what came in between
    reaching = asyncio.create_task(positions.wait_until_stored(30))
    await asyncio.sleep(0.3)
    assert not reaching.done()
    other.read_position = lambda: SpoolPosition(8, 5)
    await other.report_position(operator)
    await asyncio.sleep(0.3)
    assert not reaching.done(), "three events are on their way"
    other.read_position = lambda: SpoolPosition(12, 8)
    await other.report_position(operator)
    assert await reaching == {2: 8}, "what came later is not meant"


async def test_who_is_away_or_gone_is_not_waited_for(positions: SpoolPositions, operator: asyncpg.Connection) -> None:
    await add(operator, 1)
    await add(operator, 2, lease=-1)
    await operator.execute(REGISTER, 3, "lost")
    assert await positions.wait_until_stored(0) == {2: MAX_SEQ, 3: MAX_SEQ}


async def test_a_worker_that_goes_away_meanwhile_is_not_waited_for(
    positions: SpoolPositions, operator: asyncpg.Connection
) -> None:
    await add(operator, 1)
    await add(operator, 2)
    reaching = asyncio.create_task(positions.wait_until_stored(30))
    await asyncio.sleep(0.2)
    await operator.execute("DELETE FROM workers WHERE spool = 2")
    assert await reaching == {2: MAX_SEQ}


async def test_a_worker_whose_drain_stands_still_is_not_waited_for_longer_than_asked(
    positions: SpoolPositions, operator: asyncpg.Connection
) -> None:
    await add(operator, 1)
    await add(operator, 2)
    with pytest.raises(Unavailable, match="Events that other workers have accepted"):
        await positions.wait_until_stored(0.2)


async def test_only_the_included_events_are_waited_for(positions: SpoolPositions, operator: asyncpg.Connection) -> None:
    await add(operator, 1)
    other = await add(operator, 2)

    async def ask(lane: str, month: int) -> bool:
        asking = asyncio.create_task(positions.wait_until_stored(30, lambda *group: group == (lane, month)))
        await asyncio.sleep(0.2)
        await other.report_position(operator)
        await asyncio.sleep(0.3)
        asking.cancel()
        return asking.done()

    other.read_position = lambda: SpoolPosition(9, 2, "", [WaitingEvents("", 202611, 9), WaitingEvents("ws/e", 1, 5)])
    assert await ask("", 202610), "nothing of that month waits"
    assert await ask("", 202611), "later events wait there"
    assert not await ask("ws/e", 1)


async def test_what_waits_is_unknown_after_a_report_of_an_earlier_version(
    positions: SpoolPositions, operator: asyncpg.Connection
) -> None:
    await add(operator, 1)
    other = await add(operator, 2)
    other.read_position = lambda: SpoolPosition(9, 9, "", [])
    await other.report_position(operator)
    asking = asyncio.create_task(positions.wait_until_stored(30, lambda *_: False))
    await asyncio.sleep(0.2)
    earlier_report = "UPDATE spools SET acknowledged = 12, stored = 9, seen_at = clock_timestamp() WHERE identity = 2"
    await operator.execute(earlier_report)
    await asyncio.sleep(0.3)
    assert not asking.done()
    await operator.execute(earlier_report.replace("stored = 9", "stored = 12"))
    assert await asking == {2: 12}
