"""Keeps the scheduled jobs in the queue, and runs those that are due (rules/safety#scheduled-jobs)."""

from collections.abc import Sequence
from typing import Final

from tallyroom.core.clock import Clock
from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.server.scheduler.job import Job
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.queue import previous_tables, repository
from tallyroom.storage.queue.item import ClaimedItem, Done, HandlingLimits, ItemType, NewItem, Outcome
from tallyroom.storage.queue.worker import LEASE_MS

REFRESH_SECONDS: Final = 20.0
"""How often the due times are checked: a clock may have been set back, or a worker of an earlier version ended."""

_MAX_CONCURRENT_JOBS = 100  # all of them
_MAX_PAUSE_MS = 15_000  # so that jobs continue soon after an outage


class JobHandler:
    """Runs jobs when they are due, next to any number of other workers on the same metadata.

    A job that was due while no server ran is run once, late, for the last of the missed times.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.type: ItemType = "job"
        self.limits = HandlingLimits(_MAX_CONCURRENT_JOBS, _MAX_PAUSE_MS, None, stop_seconds=0.0)
        self._database = database
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self.done_count = 0
        self.failed_count = 0
        self.late_ms = 0

    @property
    def item_ids(self) -> Sequence[str]:
        """The names of the jobs."""
        return tuple(self._jobs)

    def set_jobs(self, jobs: Sequence[Job]) -> None:
        """Adopt these jobs."""
        self._jobs = {job.name: job for job in jobs}

    async def refresh(self) -> None:
        """Queue new jobs, due immediately, and bring forward those that a clock change has delayed."""
        now_ms = self._clock.now_ms()
        async with self._database.session(write=False) as db:
            due_ms_by_name = await repository.list_due_ms_by_id(db, list(self._jobs))
            has_previous_jobs = await previous_tables.has_jobs(db, list(self._jobs))
        is_in_order = all(
            name in due_ms_by_name and due_ms_by_name[name] <= job.cadence.find_next_ms(now_ms + MAX_CLOCK_SKEW_MS)
            for name, job in self._jobs.items()
        )
        if has_previous_jobs or not is_in_order:
            async with self._database.session(write=True) as db:
                due_ms_by_name = await repository.list_due_ms_by_id(db, list(self._jobs))
                for job in self._jobs.values():
                    await self._refresh_job(db, job, due_ms_by_name.get(job.name), now_ms)

    async def run(self, item: ClaimedItem) -> Outcome:
        """Run a job for the newest of its due times."""
        now_ms, job = self._clock.now_ms(), self._jobs[item.id]
        due_ms = job.cadence.find_latest_ms(now_ms)
        self.late_ms = now_ms - due_ms
        try:
            await job.run(due_ms)
        except Exception:
            self.failed_count += 1
            raise
        self.done_count += 1
        return Done(job.cadence.find_next_ms(due_ms))

    async def record(self, db: Session, item: ClaimedItem, outcome: Outcome) -> None:
        """Record a job that is done where workers of the previous version look."""
        if isinstance(outcome, Done) and outcome.next_due_ms is not None:
            await previous_tables.record_job(db, item.id, outcome.next_due_ms)

    async def _refresh_job(self, db: Session, job: Job, due_ms: int | None, now_ms: int) -> None:
        next_due_ms = job.cadence.find_latest_ms(now_ms) if due_ms is None else due_ms
        is_alone = self._database.peers.spool_id() is None
        previous_job = await previous_tables.hold_job(db, job.name, now_ms, LEASE_MS, is_alone=is_alone)
        if previous_job is not None:
            next_due_ms = previous_job.due_ms if due_ms is None else max(due_ms, previous_job.due_ms)
        if next_due_ms > job.cadence.find_next_ms(now_ms + MAX_CLOCK_SKEW_MS):  # the clock was set back
            next_due_ms = job.cadence.find_next_ms(now_ms)
        await repository.enqueue(db, NewItem(job.name, "job", lane=job.name, created_at_ms=now_ms), next_due_ms)
        if previous_job is not None:
            await repository.hold_back(db, job.name, previous_job.other_lease_end_ms)
