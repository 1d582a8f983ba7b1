"""Signed-in sessions, without their tokens."""

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class SignIn(Model):
    """One signed-in session, found by the SHA-256 of its token; it goes when the membership goes."""

    __tablename__ = "sessions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["user_id", "workspace_id"], ["memberships.user_id", "memberships.workspace_id"], ondelete="CASCADE"
        ),
        Index(None, "user_id", "workspace_id"),
    )

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    workspace_id: Mapped[str]
    created_at_ms: Mapped[int]
    last_seen_at_ms: Mapped[int]
    expires_at_ms: Mapped[int]
