"""GET /readyz: unready when ingest or sign-in would fail, ready while the store alone is away."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from conftest import FakeClock
from harness.stores.peers import FewPeers
from tallyroom.core.errors import Unavailable
from tallyroom.core.shared_clock import SharedClock
from tallyroom.server.system import readiness as module
from tallyroom.server.system.readiness import Readiness, ReadinessCheck
from tallyroom.storage.event_store.damage import Damage, DamageList
from tallyroom.storage.spool.dead_letters import DeadLetter, add_dead_letter
from tallyroom.storage.spool.event_counts import add_mended_records
from tallyroom.storage.spool.queue import Spool


class Database:
    fault: Exception | None = None
    seconds = 0.0

    def __init__(self) -> None:
        self.peers = FewPeers()

    @asynccontextmanager
    async def session(self, *, write: bool) -> AsyncIterator[None]:
        assert not write
        await asyncio.sleep(self.seconds)
        if self.fault:
            raise self.fault
        yield


class Drain:
    failure_reason = ""


class Disk:
    low = False

    def refuse_when_low(self) -> None:
        if self.low:
            raise Unavailable("The disk is nearly full.")


class Directory:
    missing_name = ""

    def check(self) -> str:
        return self.missing_name


class Reader:
    is_blocked = False


class Scene:
    def __init__(self, path: Path) -> None:
        self.database, self.drain, self.disk, self.directory = Database(), Drain(), Disk(), Directory()
        self.damages, self.reader = DamageList(), Reader()
        self.spool: Any = Spool(path, bytes)

    async def ask(self, *, stopping: bool = False) -> Readiness:
        parts: dict[str, Any] = {
            "database": self.database,
            "drain": self.drain,
            "disk": self.disk,
            "directory": self.directory,
            "damages": self.damages,
            "reader": self.reader,
        }
        clock = SharedClock(FakeClock(), self.database.peers)
        check = ReadinessCheck(spool=self.spool, stopping=threading.Event(), clock=clock, version="1", **parts)
        if stopping:
            check.stopping.set()
        return await check.build_report()


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setattr(module, "_TIMEOUT_SECONDS", 0.1)
    scene = Scene(tmp_path / "spool.sqlite")
    spool = scene.spool
    yield scene
    spool.close()


async def test_all_is_well(scene: Scene) -> None:
    assert await scene.ask() == Readiness(
        "ready", dict.fromkeys(("data", "metadata", "spool", "disk", "store", "parts", "queries"), "ok"), "1"
    )


async def test_a_store_that_is_away_leaves_the_server_ready(scene: Scene) -> None:
    scene.drain.failure_reason = "Code: 252. Too many parts\nstack"
    found = await scene.ask()
    assert (found.status, found.checks["store"]) == ("ready", "spooling: Code: 252. Too many parts")


async def test_events_that_were_put_aside_are_a_notice_and_keep_nobody_away(scene: Scene) -> None:
    for number, notice in ((1, "1 event was put aside"), (2, "2 events were put aside")):
        letter = DeadLetter(str(number), "w", "production", "ann", "why", 5, b"line\n")
        scene.spool.change(partial(add_dead_letter, dead_letter=letter)).result()
        found = await scene.ask()
        assert (found.status, set(found.checks.values())) == ("ready", {"ok"})
        assert found.notices == [f"{notice} and not counted: run `tallyroom doctor` to see why."]


async def test_records_that_were_set_right_are_a_notice_and_keep_nobody_away(scene: Scene) -> None:
    for records, what in ((1, "A record of the spool"), (1, "2 records of the spool")):
        scene.spool.change(partial(add_mended_records, record_count=records)).result()
        found = await scene.ask()
        assert (found.status, set(found.checks.values())) == ("ready", {"ok"})
        assert found.notices == [f"{what} had to be repaired after changes on the disk: check disk and memory."]


@pytest.mark.parametrize("fault", [Unavailable("busy"), None], ids=["refuses", "hangs"])
async def test_metadata_that_does_not_answer(scene: Scene, fault: Exception | None) -> None:
    scene.database.fault, scene.database.seconds = fault, 0 if fault else 5
    found = await scene.ask()
    assert (found.status, found.checks["metadata"]) == ("unavailable", "does not respond")


async def test_a_disk_that_is_low(scene: Scene) -> None:
    scene.disk.low = True
    found = await scene.ask()
    assert (found.status, found.checks["disk"]) == ("unavailable", "The disk is nearly full.")


async def test_a_spool_that_cannot_be_written(scene: Scene) -> None:
    def broken(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    class Broken:
        change = staticmethod(lambda _: scene_spool.change(broken))

    scene_spool, scene.spool = scene.spool, Broken()
    found = await scene.ask()
    assert (found.status, found.checks["spool"]) == ("unavailable", "cannot be written")


async def test_a_stop_is_told_at_once(scene: Scene) -> None:
    found = await scene.ask(stopping=True)
    assert (found.status, found.checks["server"]) == ("unavailable", "stopping")


async def test_a_directory_that_was_moved(scene: Scene) -> None:
    scene.directory.missing_name = "events"
    found = await scene.ask()
    assert (found.status, found.checks["data"]) == (
        "unavailable",
        "events was moved or deleted after the server started",
    )


async def test_a_spool_that_is_closed(scene: Scene) -> None:
    await asyncio.to_thread(scene.spool.close)
    found = await scene.ask()
    assert (found.status, found.checks["spool"]) == ("unavailable", "cannot be written")


async def test_a_damaged_part_degrades_and_nothing_worse_is_hidden_by_it(scene: Scene) -> None:
    scene.damages.replace([Damage("events", "202610_1_1_0", "set aside (broken)", 3)])
    found = await scene.ask()
    assert (found.status, found.checks["parts"]) == ("degraded", "events/202610_1_1_0: set aside (broken), 3 rows")
    scene.disk.low = True
    assert (await scene.ask()).status == "unavailable"


async def test_questions_that_nobody_answers_degrade(scene: Scene) -> None:
    scene.reader.is_blocked = True
    found = await scene.ask()
    assert (found.status, found.checks["queries"]) == (
        "degraded",
        "no queries are answered, because running ones do not stop",
    )


async def test_a_worker_that_may_not_go_on_is_unready(scene: Scene) -> None:
    assert "workers" not in (await scene.ask()).checks
    scene.database.peers.objection = "This worker has not joined the others yet."
    found = await scene.ask()
    assert (found.status, found.checks["workers"]) == ("unavailable", "This worker has not joined the others yet.")


async def test_a_worker_whose_clock_is_far_off_is_unready(scene: Scene) -> None:
    now_ms = FakeClock().now_ms()
    for shared_ms, said in (
        (now_ms - 5_001, "This host's clock is 5 s ahead of the database's."),
        (now_ms + 60_000, "This host's clock is 60 s behind the database's."),
    ):
        scene.database.peers.shared_ms = shared_ms
        found = await scene.ask()
        assert (found.status, found.checks["workers"]) == ("unavailable", said)
    scene.database.peers.shared_ms = now_ms - 5_000
    assert "workers" not in (await scene.ask()).checks


async def test_workers_with_other_settings_are_unready(scene: Scene) -> None:
    scene.database.peers.others = frozenset({"b", "a"})
    found = await scene.ask()
    assert found.status == "unavailable"
    assert found.checks["workers"] == "The workers on a, b have different settings."
