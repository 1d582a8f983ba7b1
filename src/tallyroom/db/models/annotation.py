"""Annotations: what happened when, as markers on charts."""

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Annotation(Model):
    """A moment or, with `time_end_ms`, a stretch of time of one environment."""

    __tablename__ = "annotations"
    __table_args__ = (
        ForeignKeyConstraint(
            ["workspace_id", "environment"],
            ["environments.workspace_id", "environments.name"],
            ondelete="CASCADE",
        ),
        Index(None, "workspace_id", "environment", "time_ms"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    environment: Mapped[str]
    label: Mapped[str]
    description: Mapped[str | None]
    color: Mapped[str]
    time_ms: Mapped[int]
    time_end_ms: Mapped[int | None]
    created_at_ms: Mapped[int]
