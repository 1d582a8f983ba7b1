"""Invitations to a workspace, without their tokens."""

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Invite(Model):
    """One open invitation, found by the SHA-256 of its token; it goes when it is accepted or withdrawn."""

    __tablename__ = "invites"
    __table_args__ = (
        CheckConstraint("role IN ('viewer', 'developer', 'admin', 'owner')", name="role_known"),
        CheckConstraint("email = lower(email)", name="email_lowercase"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), index=True)
    email: Mapped[str]
    role: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    expires_at_ms: Mapped[int]
