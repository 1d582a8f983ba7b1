"""Widgets: the questions of a dashboard."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Widget(Model):
    """One question and its place; `config` is JSON as the widget's kind takes it.

    `segment_id` repeats the config's, so that a segment in use cannot be deleted.
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
