"""API keys, without their secrets."""

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class ApiKey(Model):
    """One key: the first 12 characters to recognise it by, the SHA-256 of the whole to find it by.

    A revoked key stays as a row. `created_by` is the user's id, None once that user is gone.
    """

    __tablename__ = "api_keys"
    __table_args__ = (
        ForeignKeyConstraint(["workspace_id", "environment"], ["environments.workspace_id", "environments.name"]),
        Index(None, "workspace_id", "environment"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    environment: Mapped[str]
    name: Mapped[str]
    prefix: Mapped[str]
    secret_hash: Mapped[bytes] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    last_used_at_ms: Mapped[int | None]
    revoked_at_ms: Mapped[int | None]
