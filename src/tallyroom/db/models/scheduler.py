"""The work that runs by the clock."""

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class ScheduledJob(Model):
    """One piece of work and its next occurrence; whoever leases the occurrence does it.

    `due_ms` is the slot of the next occurrence, None if there is none to come. `leased_by` and `leased_until_ms` are
    set while somebody does it: a lease that ran out can be taken by another. `done_ms` is the slot of the last
    occurrence that was done, and `failures` counts the failed attempts at the present one.
    """

    __tablename__ = "scheduled_jobs"
    __table_args__ = (Index(None, "due_ms"),)

    name: Mapped[str] = mapped_column(primary_key=True)
    due_ms: Mapped[int | None]
    leased_by: Mapped[str | None]
    leased_until_ms: Mapped[int | None]
    done_ms: Mapped[int | None]
    failures: Mapped[int]
