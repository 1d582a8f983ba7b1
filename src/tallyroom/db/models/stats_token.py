"""Tokens of the statistics API, without their secrets."""

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class StatsToken(Model):
    """One token: the first 12 characters to recognise it by, the SHA-256 of the whole to find it by.

    A revoked token stays as a row. `bot_id` is set when the scope is `bot`; `created_by` is the user's id, None once
    that user is gone.
    """

    __tablename__ = "stats_tokens"
    __table_args__ = (Index(None, "workspace_id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str]
    scope: Mapped[str]
    bot_id: Mapped[str | None]
    prefix: Mapped[str]
    secret_hash: Mapped[bytes] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    last_used_at_ms: Mapped[int | None]
    revoked_at_ms: Mapped[int | None]
