"""The work that runs by the clock."""

from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class ScheduledJob(Model):
    """One piece of work that is due again and again; whoever leases it does it.

    `due_ms` is when it is due next, and `done_ms` when the work that was done last was due. `leased_by` and
    `leased_until_ms` are set while somebody does it: a lease that has ended can be taken by another. `failures` counts
    the failed attempts since then; after one, `leased_until_ms` alone says when the next may begin.
    """

    __tablename__ = "scheduled_jobs"

    name: Mapped[str] = mapped_column(primary_key=True)
    due_ms: Mapped[int]
    leased_by: Mapped[str | None]
    leased_until_ms: Mapped[int | None]
    done_ms: Mapped[int | None]
    failures: Mapped[int]
