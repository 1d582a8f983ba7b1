"""The loop that leases due jobs and runs them (rules/safety#scheduled-jobs)."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.server.scheduler import repository
from tallyroom.server.scheduler.job import Job
from tallyroom.storage.metadata.connection import Database

LEASE_MS: Final = 60_000
"""After this time without a sign of life, another server may do a job."""

PAUSES_MS: Final = (1_000, 5_000, 15_000, LEASE_MS)
"""How long a job waits after its first, second… failure."""

LOOK_SECONDS: Final = 30.0
"""How often the metadata is read, although no job is due: another server may have died or the clock been set back."""

_STEP_SECONDS: Final = 1.0
_RENEWALS: Final = 3  # in the time of one lease

_log = logging.getLogger(__name__)


class Scheduler:
    """Runs jobs when they are due, beside any number of other schedulers on the same metadata.

    A job whose time has come while no server ran is run once, late, for the newest of the times that were missed.

    Args:
        database: has the jobs and their leases.
        clock: says when a job is due, and until when it is leased.
        ids: names this scheduler in its leases.
        wait: sleeps for some seconds.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        ids: IdGenerator,
        wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._clock = clock
        self._name = ids.new()
        self._wait = wait
        self._jobs: dict[str, Job] = {}
        self._due: dict[str, int] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._looked_at: float | None = None
        self.done = 0
        self.failed = 0
        self.late_ms = 0

    def take(self, jobs: Sequence[Job]) -> None:
        """Take over these jobs."""
        self._jobs = {job.name: job for job in jobs}

    async def run(self, jobs: Sequence[Job]) -> None:
        """Run the jobs until cancelled; jobs that are running then are cancelled too and stay due."""
        self.take(jobs)
        try:
            while True:
                try:
                    await self.step()
                except Unavailable as error:
                    _log.warning("the scheduler could not read its jobs", extra={"reason": error.message})
                except Exception:  # noqa: BLE001 # one failure must not end all jobs
                    _log.exception("the scheduler failed")
                await self._wait(_STEP_SECONDS)
        finally:
            await self._stop()

    async def step(self) -> None:
        """Lease the jobs that are due and begin to run them."""
        now = self._clock.now_ms()
        if self._must_look():
            await self._look(now)
        for name, due in self._due.items():
            if due <= now and name not in self._running:
                await self._begin(self._jobs[name], now)

    async def settled(self) -> None:
        """Wait until no job is running."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _must_look(self) -> bool:
        return self._looked_at is None or self._clock.monotonic() - self._looked_at >= LOOK_SECONDS

    async def _look(self, now: int) -> None:
        """Read when each job is due; register new ones, and bring forward what the clock has moved too far away."""
        names = list(self._jobs)
        async with self._database.session(write=False) as db:
            due_times = await repository.find_due_times(db, names)
        for job in self._jobs.values():
            due = due_times.get(job.name)
            if due is None:
                due = await self._register(job, now)
            elif due > job.cadence.following(now + MAX_CLOCK_SKEW_MS):  # the clock was set back
                due = await self._bring_forward(job, now)
            self._due[job.name] = due
        self._looked_at = self._clock.monotonic()

    async def _register(self, job: Job, now: int) -> int:
        """Make a new job due at once, so that a server that runs only briefly every day also does it."""
        due = job.cadence.latest(now)
        async with self._database.session(write=True) as db:
            if not await repository.find_due_times(db, [job.name]):
                await repository.add_job(db, job.name, due)
        return due

    async def _bring_forward(self, job: Job, now: int) -> int:
        due = job.cadence.following(now)
        async with self._database.session(write=True) as db:
            await repository.bring_forward(db, job.name, due)
        return due

    async def _begin(self, job: Job, now: int) -> None:
        async with self._database.session(write=True) as db:
            is_leased = await repository.lease(db, job.name, self._name, now, LEASE_MS)
        if not is_leased:
            self._looked_at = None  # somebody else has it: read again when it will be due
            self._due[job.name] = now + round(_STEP_SECONDS * 1000)
            return
        task = asyncio.create_task(self._carry_out(job, job.cadence.latest(now)))
        self._running[job.name] = task
        task.add_done_callback(lambda _: self._running.pop(job.name))

    async def _carry_out(self, job: Job, due: int) -> None:
        self.late_ms = self._clock.now_ms() - due
        renewal = asyncio.create_task(self._renew(job, asyncio.current_task()))
        try:
            await self._attempt(job, due)
        except Unavailable as error:  # when the lease has ended, the job is done again
            _log.warning("how a job ended is not kept", extra={"job": job.name, "reason": error.message})
        finally:
            renewal.cancel()

    async def _attempt(self, job: Job, due: int) -> None:
        try:
            await job.run(due)
        except (Unavailable, RateLimited) as error:  # passes by itself
            _log.warning("a job could not be done", extra={"job": job.name, "reason": error.message})
            await self._failed(job)
        except Exception:  # noqa: BLE001 # recorded, and tried again
            _log.exception("a job failed", extra={"job": job.name})
            await self._failed(job)
        else:
            await self._finished(job, due)

    async def _renew(self, job: Job, task: "asyncio.Task[None] | None") -> None:
        """Extend the lease while the job runs; a job that has lost its lease is cancelled, for somebody else has it."""
        misses = 0
        while task is not None:
            await asyncio.sleep(LEASE_MS / 1000 / _RENEWALS)
            try:
                async with self._database.session(write=True) as db:
                    until = self._clock.now_ms() + LEASE_MS
                    is_held = await repository.extend_lease(db, job.name, self._name, until)
                misses = 0
            except Unavailable:
                misses += 1
                is_held = misses < _RENEWALS - 1  # there is another renewal before the lease ends
            if not is_held:
                _log.warning("a job took so long that another server may have it now", extra={"job": job.name})
                task.cancel()
                return

    async def _finished(self, job: Job, due: int) -> None:
        following = job.cadence.following(due)
        async with self._database.session(write=True) as db:
            await repository.record_done(db, job.name, self._name, due, following)
        self._due[job.name] = following
        self.done += 1

    async def _failed(self, job: Job) -> None:
        self.failed += 1
        async with self._database.session(write=True) as db:
            failures = await repository.count_failures(db, job.name)
            again = self._clock.now_ms() + PAUSES_MS[min(failures, len(PAUSES_MS) - 1)]
            await repository.record_failure(db, job.name, self._name, failures + 1, again)
        self._due[job.name] = again

    async def _stop(self) -> None:
        for task in self._running.values():
            task.cancel()
        await self.settled()
        with contextlib.suppress(Unavailable):  # the leases end by themselves
            async with self._database.session(write=True) as db:
                await repository.release_leases(db, self._name)
