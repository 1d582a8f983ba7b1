"""Who did what in a workspace, for its admins."""

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class AuditEntry(Model):
    """One deed. `by_user` and `by_email` name the person, the address even after they are gone; None is the operator.

    `action` is a word of `tallyroom.auth.audit.Action`; `subject` names what was acted on; `details` is JSON text.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (Index(None, "workspace_id", "at_ms", "id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    at_ms: Mapped[int]
    by_user: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    by_email: Mapped[str | None]
    action: Mapped[str]
    subject: Mapped[str]
    details: Mapped[str]
