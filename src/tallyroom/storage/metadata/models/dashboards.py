"""Dashboards with their widgets, annotations, segments, and the hosts that External widgets may fetch from."""

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, String, false
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.core.ranges import RangeName
from tallyroom.storage.metadata.models.declarative import Model


class Dashboard(Model):
    """One dashboard; `filters` is a JSON list; `slug` names its public page and stays when it becomes private again."""

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
    time_range: Mapped[RangeName] = mapped_column(String)
    is_public: Mapped[bool]
    slug: Mapped[str | None] = mapped_column(unique=True)
    created_at_ms: Mapped[int]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    updated_at_ms: Mapped[int]
    filters: Mapped[str] = mapped_column(server_default="[]")


class Widget(Model):
    """One question and its place; `config` is JSON in the form of the widget's kind.

    `segment_id` repeats the config's, so that a segment in use cannot be deleted. Only tables have `publish_rows`.
    """

    __tablename__ = "widgets"

    id: Mapped[str] = mapped_column(primary_key=True)
    dashboard_id: Mapped[str] = mapped_column(ForeignKey("dashboards.id", ondelete="CASCADE"), index=True)
    title: Mapped[str]
    type: Mapped[str]
    config: Mapped[str]
    segment_id: Mapped[str | None] = mapped_column(ForeignKey("segments.id"), index=True)
    width: Mapped[int]
    height: Mapped[int]
    position: Mapped[int]
    created_at_ms: Mapped[int]
    updated_at_ms: Mapped[int]
    ignores_dashboard_filters: Mapped[bool] = mapped_column(server_default=false())
    publish_rows: Mapped[bool] = mapped_column(server_default=false())


class Annotation(Model):
    """A moment in one environment or, with `time_end_ms`, a time span; a `key` is unique in its environment."""

    __tablename__ = "annotations"
    __table_args__ = (
        ForeignKeyConstraint(
            ["workspace_id", "environment"], ["environments.workspace_id", "environments.name"], ondelete="CASCADE"
        ),
        Index(None, "workspace_id", "environment", "time_ms"),
        Index("uq_annotations_key", "workspace_id", "environment", "key", unique=True),
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
    key: Mapped[str | None]


class Segment(Model):
    """Named filters of one environment; `filters` is a JSON list."""

    __tablename__ = "segments"
    __table_args__ = (
        ForeignKeyConstraint(
            ["workspace_id", "environment"], ["environments.workspace_id", "environments.name"], ondelete="CASCADE"
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


class ExternalSource(Model):
    """One trusted host; `token` is encrypted, and `token_end` has its last characters, which users may see."""

    __tablename__ = "external_sources"

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    host: Mapped[str]
    header_name: Mapped[str | None]
    token: Mapped[str | None]
    token_end: Mapped[str | None]
    created_at_ms: Mapped[int]
    updated_at_ms: Mapped[int]
