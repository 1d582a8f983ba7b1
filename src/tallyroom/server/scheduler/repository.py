"""Jobs in the metadata database: when they are due, and which server runs them (rules/safety#scheduled-jobs)."""

from typing import Any, Final

from sqlalchemy import Update, or_, select, update

from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import ScheduledJob

_WITHOUT_LEASE: Final[dict[str, Any]] = {"leased_by": None, "leased_until_ms": None}


async def find_due_ms_by_name(db: Session, job_names: list[str]) -> dict[str, int]:
    """Return when each of the named jobs is due; unregistered jobs are missing."""
    rows = await db.execute(select(ScheduledJob.name, ScheduledJob.due_ms).where(ScheduledJob.name.in_(job_names)))
    return {row.name: row.due_ms for row in rows}


async def add_job(db: Session, name: str, due_ms: int) -> None:
    """Register a job that is new in this metadata."""
    job = ScheduledJob(name=name, due_ms=due_ms, leased_by=None, leased_until_ms=None, done_ms=None, failures=0)
    db.add(job)
    await db.flush()


async def bring_forward(db: Session, name: str, due_ms: int) -> None:
    """Make a job due at `due_ms` if it is due later, as after the clock was set back."""
    await db.execute(_update_job(name).where(ScheduledJob.due_ms > due_ms).values(due_ms=due_ms))


async def lease_job(db: Session, name: str, holder_id: str, now_ms: int, lease_ms: int) -> bool:
    """Lease a due job to `holder_id`; return False if it is not due, or another server has it.

    A lease that ends later than any lease granted now was granted before a clock change, and is ignored.
    """
    is_free = or_(
        ScheduledJob.leased_until_ms.is_(None),
        ScheduledJob.leased_until_ms <= now_ms,
        ScheduledJob.leased_until_ms > now_ms + lease_ms + MAX_CLOCK_SKEW_MS,
    )
    statement = _update_job(name).where(ScheduledJob.due_ms <= now_ms, is_free)
    return await _is_row_changed(db, statement.values(leased_by=holder_id, leased_until_ms=now_ms + lease_ms))


async def extend_lease(db: Session, name: str, holder_id: str, until_ms: int) -> bool:
    """Extend the lease of `holder_id`; return False if it has been lost."""
    return await _is_row_changed(db, _update_leased_job(name, holder_id).values(leased_until_ms=until_ms))


async def record_done(db: Session, name: str, holder_id: str, done_ms: int, next_due_ms: int) -> bool:
    """Record that the work due at `done_ms` is done and that `next_due_ms` follows; False if the lease is lost."""
    return await _is_row_changed(
        db,
        _update_leased_job(name, holder_id).values(done_ms=done_ms, due_ms=next_due_ms, failures=0, **_WITHOUT_LEASE),
    )


async def count_failures(db: Session, name: str) -> int:
    """Return how often the current attempt of a job has failed."""
    return await db.scalar(select(ScheduledJob.failures).where(ScheduledJob.name == name)) or 0


async def record_failure(db: Session, name: str, holder_id: str, failure_count: int, retry_ms: int) -> bool:
    """Record a failed attempt: no one can lease the job before `retry_ms`; return False if the lease is lost."""
    return await _is_row_changed(
        db, _update_leased_job(name, holder_id).values(leased_by=None, leased_until_ms=retry_ms, failures=failure_count)
    )


async def release_leases(db: Session, holder_id: str) -> None:
    """Release all leases of `holder_id`, so that the jobs can start elsewhere immediately."""
    await db.execute(update(ScheduledJob).where(ScheduledJob.leased_by == holder_id).values(**_WITHOUT_LEASE))


def _update_job(name: str) -> Update:
    return update(ScheduledJob).where(ScheduledJob.name == name)


def _update_leased_job(name: str, holder_id: str) -> Update:
    return _update_job(name).where(ScheduledJob.leased_by == holder_id)


async def _is_row_changed(db: Session, statement: Update) -> bool:
    result = await db.execute(statement.returning(ScheduledJob.name))
    return result.first() is not None
