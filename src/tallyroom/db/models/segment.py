"""Segments: saved filters."""

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Segment(Model):
    """Named filters of one environment; `filters` is a JSON list."""

    __tablename__ = "segments"
    __table_args__ = (
        ForeignKeyConstraint(
            ["workspace_id", "environment"],
            ["environments.workspace_id", "environments.name"],
            ondelete="CASCADE",
        ),
        Index(None, "workspace_id", "environment"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    environment: Mapped[str]
    name: Mapped[str]
    filters: Mapped[str]
    created_at_ms: Mapped[int]
    updated_at_ms: Mapped[int]
