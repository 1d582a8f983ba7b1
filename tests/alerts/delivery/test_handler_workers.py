"""Several workers make each delivery once (rules/alerts#delivery)."""

import asyncio
from pathlib import Path

import pytest

from harness.stores.delivery_workers import Stage
from harness.stores.metadata import Places
from harness.suite.patience import until
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.mail.errors import DeliveryDeferred
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.queue.worker import LEASE_MS


@pytest.fixture
async def stage(database: Database) -> Stage:
    return Stage(database)


@pytest.mark.long
async def test_of_several_workers_on_postgresql_each_makes_other_deliveries(
    postgresql_places: Places, tmp_path: Path
) -> None:
    dsn = postgresql_places.dsn(tmp_path / "metadata.sqlite")
    databases = [PostgresqlDatabase(dsn) for _ in range(6)]
    stage = Stage(databases[0])
    await stage.channels("abcdefgh")
    for _ in range(6):
        await stage.write([*"abcdefgh"])
    workers = [stage.worker(database=database) for database in databases]
    for _ in range(30):
        await asyncio.gather(*(worker.start_due() for worker in workers))
        await asyncio.gather(*(worker.wait_until_idle() for worker in workers))
    assert len(stage.post.told) == len(set(stage.post.told)) == 48
    assert sum(worker.sent_count > 0 for worker in workers) > 1
    assert {each.status for each in await stage.deliveries()} == {"sent"}
    for database in databases:
        await database.close()


async def test_a_worker_that_comes_back_after_its_lease_changes_nothing(stage: Stage) -> None:
    hung = asyncio.Event()

    async def hang() -> None:
        if not hung.is_set():
            await hung.wait()
            raise DeliveryDeferred("HTTP 503")

    await stage.channels("a")
    await stage.write(["a"])
    stage.post.answers["a"] = hang
    late = stage.worker()
    await late.start_due()
    await until(lambda: bool(stage.post.told))
    stage.post.under_way.clear()
    stage.post.answers.clear()
    await stage.go(stage.worker(), LEASE_MS / 1000 + 1)
    hung.set()
    await late.wait_until_idle()
    [delivery] = await stage.deliveries()
    assert (delivery.status, delivery.attempts) == ("sent", 1)
    assert await stage.items() == []
    assert len(stage.post.told) == 2
