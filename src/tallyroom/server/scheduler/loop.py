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
"""After this time without a renewal, another server may run a job."""

RETRY_PAUSES_MS: Final = (1_000, 5_000, 15_000, LEASE_MS)
"""How long a job waits after its first, second… failure."""

RELOAD_SECONDS: Final = 30.0
"""How often the metadata is read, even if no job is due: a server may have died, or a clock been set back."""

_STEP_SECONDS: Final = 1.0
_RENEWALS_PER_LEASE: Final = 3

_log = logging.getLogger(__name__)


class Scheduler:
    """Runs jobs when they are due, next to any number of other schedulers on the same metadata.

    A job that was due while no server ran is run once, late, for the last of the missed times.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        id_generator: IdGenerator,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._clock = clock
        self._holder_id = id_generator.new()
        self._sleep = sleep
        self._jobs: dict[str, Job] = {}
        self._due_ms_by_job_name: dict[str, int] = {}
        self._task_by_job_name: dict[str, asyncio.Task[None]] = {}
        self._reloaded_at: float | None = None
        self.done_count = 0
        self.failed_count = 0
        self.late_ms = 0

    def set_jobs(self, jobs: Sequence[Job]) -> None:
        """Adopt these jobs."""
        self._jobs = {job.name: job for job in jobs}

    async def run(self, jobs: Sequence[Job]) -> None:
        """Run the jobs until cancelled; running jobs are then cancelled too and stay due."""
        self.set_jobs(jobs)
        try:
            while True:
                try:
                    await self.start_due_jobs()
                except Unavailable as error:
                    _log.warning("the scheduler could not read its jobs", extra={"reason": error.message})
                except Exception:  # noqa: BLE001 # one failure must not end all jobs
                    _log.exception("the scheduler failed")
                await self._sleep(_STEP_SECONDS)
        finally:
            await self._stop()

    async def start_due_jobs(self) -> None:
        """Lease and start the jobs that are due."""
        now_ms = self._clock.now_ms()
        if self._must_reload():
            await self._reload_due_times(now_ms)
        for name, due_ms in self._due_ms_by_job_name.items():
            if due_ms <= now_ms and name not in self._task_by_job_name:
                await self._start_job(self._jobs[name], now_ms)

    async def wait_idle(self) -> None:
        """Wait until no job is running."""
        await asyncio.gather(*self._task_by_job_name.values(), return_exceptions=True)

    def _must_reload(self) -> bool:
        return self._reloaded_at is None or self._clock.monotonic() - self._reloaded_at >= RELOAD_SECONDS

    async def _reload_due_times(self, now_ms: int) -> None:
        """Read when each job is due, register new jobs, and bring forward those that a clock change has delayed."""
        job_names = list(self._jobs)
        async with self._database.session(write=False) as db:
            due_ms_by_name = await repository.find_due_ms_by_name(db, job_names)
        for job in self._jobs.values():
            due_ms = due_ms_by_name.get(job.name)
            if due_ms is None:
                due_ms = await self._register(job, now_ms)
            elif due_ms > job.cadence.find_next_ms(now_ms + MAX_CLOCK_SKEW_MS):  # the clock was set back
                due_ms = await self._bring_forward(job, now_ms)
            self._due_ms_by_job_name[job.name] = due_ms
        self._reloaded_at = self._clock.monotonic()

    async def _register(self, job: Job, now_ms: int) -> int:
        """Make a new job due immediately, so that a server that runs only briefly every day also runs it."""
        due_ms = job.cadence.find_latest_ms(now_ms)
        async with self._database.session(write=True) as db:
            if not await repository.find_due_ms_by_name(db, [job.name]):
                await repository.add_job(db, job.name, due_ms)
        return due_ms

    async def _bring_forward(self, job: Job, now_ms: int) -> int:
        due_ms = job.cadence.find_next_ms(now_ms)
        async with self._database.session(write=True) as db:
            await repository.bring_forward(db, job.name, due_ms)
        return due_ms

    async def _start_job(self, job: Job, now_ms: int) -> None:
        async with self._database.session(write=True) as db:
            is_leased = await repository.lease_job(db, job.name, self._holder_id, now_ms, LEASE_MS)
        if not is_leased:
            self._reloaded_at = None  # another server has it: read again when it will be due
            self._due_ms_by_job_name[job.name] = now_ms + round(_STEP_SECONDS * 1000)
            return
        task = asyncio.create_task(self._run_leased(job, job.cadence.find_latest_ms(now_ms)))
        self._task_by_job_name[job.name] = task
        task.add_done_callback(lambda _: self._task_by_job_name.pop(job.name))

    async def _run_leased(self, job: Job, due_ms: int) -> None:
        self.late_ms = self._clock.now_ms() - due_ms
        renewal = asyncio.create_task(self._keep_lease(job, asyncio.current_task()))
        try:
            await self._run_and_record(job, due_ms)
        except Unavailable as error:  # when the lease has ended, the job runs again
            _log.warning("how a job ended is not kept", extra={"job": job.name, "reason": error.message})
        finally:
            renewal.cancel()

    async def _run_and_record(self, job: Job, due_ms: int) -> None:
        try:
            await job.run(due_ms)
        except (Unavailable, RateLimited) as error:  # transient
            _log.warning("a job could not be done", extra={"job": job.name, "reason": error.message})
            await self._record_failure(job)
        except Exception:  # noqa: BLE001 # recorded, and tried again
            _log.exception("a job failed", extra={"job": job.name})
            await self._record_failure(job)
        else:
            await self._record_done(job, due_ms)

    async def _keep_lease(self, job: Job, task: "asyncio.Task[None] | None") -> None:
        """Extend the lease while the job runs; if it is lost, cancel the job, because another server has it."""
        miss_count = 0
        while task is not None:
            await asyncio.sleep(LEASE_MS / 1000 / _RENEWALS_PER_LEASE)
            try:
                async with self._database.session(write=True) as db:
                    lease_end_ms = self._clock.now_ms() + LEASE_MS
                    is_held = await repository.extend_lease(db, job.name, self._holder_id, lease_end_ms)
                miss_count = 0
            except Unavailable:
                miss_count += 1
                is_held = miss_count < _RENEWALS_PER_LEASE - 1  # there is another renewal before the lease ends
            if not is_held:
                _log.warning("a job took so long that another server may have it now", extra={"job": job.name})
                task.cancel()
                return

    async def _record_done(self, job: Job, due_ms: int) -> None:
        next_due_ms = job.cadence.find_next_ms(due_ms)
        async with self._database.session(write=True) as db:
            await repository.record_done(db, job.name, self._holder_id, due_ms, next_due_ms)
        self._due_ms_by_job_name[job.name] = next_due_ms
        self.done_count += 1

    async def _record_failure(self, job: Job) -> None:
        self.failed_count += 1
        async with self._database.session(write=True) as db:
            failure_count = await repository.count_failures(db, job.name)
            retry_ms = self._clock.now_ms() + RETRY_PAUSES_MS[min(failure_count, len(RETRY_PAUSES_MS) - 1)]
            await repository.record_failure(db, job.name, self._holder_id, failure_count + 1, retry_ms)
        self._due_ms_by_job_name[job.name] = retry_ms

    async def _stop(self) -> None:
        for task in self._task_by_job_name.values():
            task.cancel()
        await self.wait_idle()
        with contextlib.suppress(Unavailable):  # the leases expire
            async with self._database.session(write=True) as db:
                await repository.release_leases(db, self._holder_id)
