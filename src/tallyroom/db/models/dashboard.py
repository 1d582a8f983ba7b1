"""Dashboards: a page of widgets over one environment and range."""

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.core.ranges import TimeRange
from tallyroom.db.models.declarative import Model


class Dashboard(Model):
    """One dashboard; `slug` names its public page and stays when the page is taken back."""

    __tablename__ = "dashboards"
    __table_args__ = (
        ForeignKeyConstraint(["workspace_id", "environment"], ["environments.workspace_id", "environments.name"]),
        CheckConstraint("slug IS NOT NULL OR NOT is_public", name="public_has_slug"),
        Index(None, "workspace_id", "environment"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str]
    description: Mapped[str | None]
    icon: Mapped[str | None]
    environment: Mapped[str]
    time_range: Mapped[TimeRange] = mapped_column(String)
    is_public: Mapped[bool]
    slug: Mapped[str | None] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    updated_at_ms: Mapped[int]
