"""Each job once for each time at which it is due, whoever does it (rules/safety#scheduled-jobs)."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import count, pairwise

import asyncpg
import pytest

from conftest import FakeClock
from harness.servers.killable import KillableProcess
from harness.suite.patience import until
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.core.ids import IdGenerator
from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.server.scheduler.handler import REFRESH_SECONDS, JobHandler
from tallyroom.server.scheduler.job import Cadence, Job
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.queue.worker import LEASE_MS, QueueWorker

MINUTE = 60_000
Run = Callable[[int], Awaitable[object]]


class Scheduler(QueueWorker):
    """A worker of the queue that runs one job, and looks at the clock as often as the test asks."""

    def __init__(self, database: Database, clock: FakeClock, run: Run) -> None:
        middling = IdGenerator(clock, lambda count: (0x7FFF).to_bytes(count, "big"))  # no jitter
        super().__init__(database, clock, middling, IdGenerator(clock).new())
        self.jobs = JobHandler(database, clock)
        self.jobs.set_jobs([Job("beat", Cadence(MINUTE), run)])
        self.set_handlers([self.jobs])

    async def start_due_jobs(self) -> None:
        await self.jobs.refresh()
        await self.start_due()


class Stage:
    """Schedulers on one metadata database and one clock, and the due times of everything that was done."""

    def __init__(self, database: Database, clock: FakeClock) -> None:
        self.database, self.clock, self.id_generator = database, clock, IdGenerator(clock)
        self.done: list[int] = []

    def open(self, run: Run | None = None) -> Scheduler:
        """Make a scheduler with the one job, without running its loop."""
        return Scheduler(self.database, self.clock, run or self.note)

    async def note(self, due: int) -> None:
        self.done.append(due)

    async def go(self, *schedulers: Scheduler, seconds: float = 0) -> None:
        """Move the clock, and let each scheduler do what is due now."""
        self.clock.advance(seconds)
        for scheduler in schedulers:
            await scheduler.start_due_jobs()
        for scheduler in schedulers:
            await scheduler.wait_until_idle()


@pytest.fixture
def stage(database: Database) -> Stage:
    return Stage(database, FakeClock(1_795_176_000_000))


async def test_a_job_is_done_at_once_and_then_at_each_of_its_times(stage: Stage) -> None:
    began = stage.clock.now_ms()
    scheduler = stage.open()
    for _ in range(9):
        await stage.go(scheduler, seconds=20)
    assert stage.done == [began, began + MINUTE, began + 2 * MINUTE, began + 3 * MINUTE]
    assert (scheduler.jobs.done_count, scheduler.jobs.failed_count) == (4, 0)


async def test_times_that_were_missed_are_made_up_for_once(stage: Stage) -> None:
    await stage.go(stage.open())
    began = stage.clock.now_ms()
    again = stage.open()
    await stage.go(again, seconds=7.5 * 60)
    await stage.go(again, seconds=1)
    assert stage.done == [began, began + 7 * MINUTE]
    assert again.jobs.late_ms == 30_000


@pytest.mark.long
@pytest.mark.parametrize("times", [100, 1000])
async def test_two_schedulers_share_all_times(stage: Stage, times: int) -> None:
    first, second = stage.open(), stage.open()
    for number in range(times):
        pair = (first, second) if number % 2 else (second, first)
        stage.clock.advance(60)
        await asyncio.gather(*(scheduler.start_due_jobs() for scheduler in pair))
        await asyncio.gather(*(scheduler.wait_until_idle() for scheduler in pair))
    assert len(stage.done) == times
    assert {after - before for before, after in pairwise(stage.done)} == {MINUTE}
    assert first.jobs.done_count + second.jobs.done_count == times
    assert min(first.jobs.done_count, second.jobs.done_count) > times / 10


async def test_a_job_that_is_running_is_not_begun_again(stage: Stage) -> None:
    begun, end = [], asyncio.Event()

    async def slow(due: int) -> None:
        begun.append(due)
        await end.wait()

    first, second = stage.open(slow), stage.open(slow)
    await first.start_due_jobs()
    stage.clock.advance(30)
    await first.start_due_jobs()
    await second.start_due_jobs()
    await asyncio.sleep(0)
    assert len(begun) == 1
    end.set()
    await first.wait_until_idle()


async def test_the_lease_of_a_dead_server_ends(stage: Stage) -> None:
    async def die(_: int) -> None:
        raise asyncio.CancelledError

    await stage.go(stage.open(die))
    other = stage.open()
    await stage.go(other, seconds=LEASE_MS / 1000 - 1)
    assert stage.done == []
    await stage.go(other, seconds=2)
    await stage.go(other, seconds=2)
    assert len(stage.done) == 1


async def test_a_stop_gives_up_its_leases(stage: Stage) -> None:
    began = asyncio.Event()

    async def endless(_: int) -> None:
        began.set()
        await asyncio.Event().wait()

    scheduler = stage.open(endless)
    await scheduler.jobs.refresh()
    loop = asyncio.create_task(scheduler.run([scheduler.jobs]))
    await began.wait()
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    await stage.go(stage.open())
    assert len(stage.done) == 1


async def test_a_job_that_failed_comes_again_after_ever_longer_pauses(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    attempts: list[int] = []

    async def fail(due: int) -> None:
        attempts.append(stage.clock.now_ms())
        if len(attempts) < 4:
            raise ZeroDivisionError
        stage.done.append(due)

    scheduler = stage.open(fail)
    for _ in range(45):
        await stage.go(scheduler, seconds=1)
    assert [after - before for before, after in pairwise(attempts)] == [5_000, 15_000, 15_000]
    assert (scheduler.jobs.done_count, scheduler.jobs.failed_count) == (1, 3)
    assert [record.message for record in caplog.records] == ["an attempt failed"] * 3


async def test_a_clock_set_back_does_not_stop_a_job(stage: Stage) -> None:
    scheduler = stage.open()
    await stage.go(scheduler)
    stage.clock.set_back(days=1)
    now = stage.clock.now_ms()
    for _ in range(4):
        await stage.go(scheduler, seconds=REFRESH_SECONDS)
    assert stage.done[1:] == [now + MINUTE]


async def test_a_clock_set_back_does_not_leave_a_lease_behind(stage: Stage) -> None:
    async def die(_: int) -> None:
        raise asyncio.CancelledError

    await stage.go(stage.open(die))
    stage.clock.set_back(days=1)
    other = stage.open()
    for _ in range(4):
        await stage.go(other, seconds=REFRESH_SECONDS)
    assert len(stage.done) >= 1


async def test_a_job_that_outlives_its_lease_is_cancelled(stage: Stage) -> None:
    cancelled = asyncio.Event()
    others: list[asyncio.Task[None]] = []

    async def slow(_: int) -> None:
        stage.clock.advance(120)  # beyond the lease, so that another takes it
        others.append(asyncio.create_task(stage.go(stage.open())))
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    scheduler = stage.open(slow)
    await scheduler.start_due_jobs()
    await until(lambda: bool(stage.done))
    await scheduler.renew_leases()
    await asyncio.wait_for(cancelled.wait(), 30)
    await asyncio.gather(*others)
    assert len(stage.done) == 1


class ApartClock(FakeClock):
    """A clock that differs from another by some milliseconds."""

    def __init__(self, clock: FakeClock, ms: int) -> None:
        self._clock, self._ms = clock, ms

    def now_ms(self) -> int:
        return self._clock.now_ms() + self._ms

    def monotonic(self) -> float:
        return self._clock.monotonic()


@pytest.mark.long
@pytest.mark.parametrize("times", [25, 400])
async def test_workers_whose_clocks_differ_do_each_job_once_though_some_die(dsn: str, times: int) -> None:
    clock, chance = FakeClock(1_795_176_000_000), random.Random(times)
    done: list[int] = []
    died: list[int] = []

    async def work(due: int) -> None:
        await asyncio.sleep(0)
        if chance.random() < 0.1:
            died.append(due)
            raise asyncio.CancelledError
        done.append(due)

    async with AsyncExitStack() as stack:
        schedulers = []
        for number in range(6):
            database = PostgresqlDatabase(dsn)
            stack.push_async_callback(database.close)
            apart = ApartClock(clock, number * MAX_CLOCK_SKEW_MS // 5)
            schedulers.append(Scheduler(database, apart, work))
        for _ in range(times * 12):
            clock.advance(5)
            await asyncio.gather(*(scheduler.start_due_jobs() for scheduler in schedulers))
            await asyncio.gather(*(scheduler.wait_until_idle() for scheduler in schedulers))
    assert died
    assert len(done) == len(set(done)), "twice"
    gaps = {after - before for before, after in pairwise(done)}
    assert gaps <= {MINUTE * missed for missed in range(1, 5)}
    assert len(done) + len(died) >= times


@pytest.mark.long
@pytest.mark.parametrize("kills", [2, 30])
async def test_a_killed_worker_is_the_only_reason_to_begin_a_job_again(dsn: str, kills: int) -> None:
    operator = await asyncpg.connect(dsn)
    await operator.execute("CREATE TABLE noted (due bigint, worker text, ended boolean DEFAULT false)")
    numbers, chance = count(1), random.Random(kills)
    killed: set[str] = set()

    async def begin() -> KillableProcess:
        number = next(numbers)
        wrong_hours = (number % 3 - 1) * 5
        return await asyncio.to_thread(
            KillableProcess, "harness.stores.scheduled_job", dsn, number, wrong_hours, 1500, 250
        )

    async def ended(more: int) -> None:
        count_ended = "SELECT count(*) FROM noted WHERE ended"
        wanted = await operator.fetchval(count_ended) + more
        while await operator.fetchval(count_ended) < wanted:  # noqa: ASYNC110 # nobody tells
            await asyncio.sleep(0.05)

    workers = [await begin() for _ in range(4)]
    try:
        for _ in range(kills):
            await ended(8)
            victim = workers.pop(chance.randrange(len(workers)))
            victim.kill()
            killed.add(victim.said)
            workers.append(await begin())
        await ended(8)
    finally:
        for worker in workers:
            worker.kill()
    rows = await operator.fetch("SELECT due, array_agg(worker) AS begun FROM noted GROUP BY due")
    again = [row["begun"] for row in rows if len(row["begun"]) > 1]
    assert [begun for begun in again if len(set(begun) - killed) > 1] == []
    unended = await operator.fetch("SELECT worker FROM noted WHERE NOT ended")
    assert {row["worker"] for row in unended} <= killed | {worker.said for worker in workers}
    await operator.close()
