"""The work of the scheduler."""

from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class ScheduledJob(Model):
    """One piece of recurring work; the worker that leases it does it, and another can take an expired lease.

    `due_ms` is when it is due next, and `done_ms` when the last completed work was due. `failures` counts the failed
    attempts since then; after one, only `leased_until_ms` decides when the next may begin.
    """

    __tablename__ = "scheduled_jobs"

    name: Mapped[str] = mapped_column(primary_key=True)
    due_ms: Mapped[int]
    leased_by: Mapped[str | None]
    leased_until_ms: Mapped[int | None]
    done_ms: Mapped[int | None]
    failures: Mapped[int]
