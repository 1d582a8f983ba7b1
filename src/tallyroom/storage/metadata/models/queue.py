"""The durable queue."""

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class WorkItem(Model):
    """One piece of work that waits: a message to a channel, a mail, the mails of a digest, or a scheduled job.

    `type` names its handler, which alone reads `payload`. Items of one `lane` are handled one at a time; `workspace_id`
    is empty for work of the server itself. `attempts` counts the failed attempts. `leased_by` and `leased_until_ms` are
    set during an attempt, so that no other worker makes it too.
    """

    __tablename__ = "work_items"
    __table_args__ = (Index(None, "type", "lane"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    type: Mapped[str]
    lane: Mapped[str]
    workspace_id: Mapped[str]
    payload: Mapped[str]
    attempts: Mapped[int]
    created_at_ms: Mapped[int]
    due_ms: Mapped[int] = mapped_column(index=True)
    leased_by: Mapped[str | None]
    leased_until_ms: Mapped[int | None]
