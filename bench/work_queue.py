"""What an item of the queue costs, beside two bare write transactions of the same database.

``python -m bench.work_queue`` takes half a minute. A worker handles items of many lanes and workspaces, whose handler
does nothing; each costs a part of a claim and one transaction that records the outcome. Beside it, as many times, one
transaction updates a row of the same table, and another deletes it.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlalchemy import delete, update

from tallyroom.core.clock import SystemClock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import DAY_MS, HOUR_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.migrate import migrate
from tallyroom.storage.metadata.models import WorkItem
from tallyroom.storage.metadata.sqlite import SqliteDatabase
from tallyroom.storage.queue.item import ClaimedItem, Done, HandlingLimits, ItemType, NewItem, Outcome
from tallyroom.storage.queue.repository import enqueue_all
from tallyroom.storage.queue.worker import QueueWorker

_LANE_COUNT, _WORKSPACE_COUNT = 200, 20


class _Handler:
    item_ids = None

    def __init__(self, item_count: int) -> None:
        self.type: ItemType = "delivery"
        self.limits = HandlingLimits(6, HOUR_MS, DAY_MS)
        self.left_count = item_count
        self.done = asyncio.Event()

    async def run(self, _item: ClaimedItem) -> Outcome:
        await asyncio.sleep(0)
        return Done()

    async def record(self, _db: Session, _item: ClaimedItem, _outcome: Outcome) -> None:
        self.left_count -= 1
        if self.left_count == 0:
            self.done.set()


async def _add_items(database: Database, item_count: int) -> list[str]:
    now_ms = SystemClock().now_ms()
    items = [
        NewItem(str(n), "delivery", f"lane {n % _LANE_COUNT}", now_ms, f"workspace {n % _WORKSPACE_COUNT}", "x" * 500)
        for n in range(item_count)
    ]
    async with database.session(write=True) as db:
        await enqueue_all(db, items, now_ms)
    return [item.id for item in items]


async def _handle_items(database: Database, item_ids: list[str]) -> None:
    clock, handler = SystemClock(), _Handler(len(item_ids))
    worker = QueueWorker(database, clock, IdGenerator(clock), "bench")
    run = asyncio.create_task(worker.run([handler]))
    await handler.done.wait()
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)


async def _write_bare(database: Database, item_ids: list[str]) -> None:
    for item_id in item_ids:
        async with database.session(write=True) as db:
            await db.execute(update(WorkItem).where(WorkItem.id == item_id).values(attempts=1))
        async with database.session(write=True) as db:
            await db.execute(delete(WorkItem).where(WorkItem.id == item_id))


async def _measure(
    database: Database, item_count: int, work: Callable[[Database, list[str]], Awaitable[None]]
) -> float:
    """Return microseconds for each item."""
    item_ids = await _add_items(database, item_count)
    began_s = time.perf_counter()
    await work(database, item_ids)
    return (time.perf_counter() - began_s) / item_count * 1_000_000


async def _compare(item_count: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "metadata.sqlite"
        migrate(path)
        database = SqliteDatabase(path)
        for _ in range(rounds):
            bare_us = await _measure(database, item_count, _write_bare)
            queue_us = await _measure(database, item_count, _handle_items)
            print(f"bare {bare_us:6.0f} us   queue {queue_us:6.0f} us   {queue_us / bare_us:.2f} x")
        await database.close()


def main() -> None:
    """Print a line for each round."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--items", type=int, default=1000, help="how many items wait at once")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    asyncio.run(_compare(options.items, options.rounds))


if __name__ == "__main__":
    main()
