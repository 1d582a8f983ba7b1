"""Widgets and their dashboards in the metadata database. The workspace is always the caller's."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select, update

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Dashboard, Widget


class PlacedWidget(NamedTuple):
    """A widget and its dashboard."""

    widget: Widget
    dashboard: Dashboard


async def find_dashboard(db: Session, workspace_id: str, dashboard_id: str) -> Dashboard | None:
    """Find the dashboard with this id, if it belongs to the workspace."""
    query = select(Dashboard).where(Dashboard.workspace_id == workspace_id, Dashboard.id == dashboard_id)
    return await db.scalar(query)


async def list_widgets(db: Session, dashboard_id: str) -> Sequence[Widget]:
    """List the widgets of a dashboard, sorted by position."""
    return (await db.scalars(select(Widget).where(Widget.dashboard_id == dashboard_id).order_by(Widget.position))).all()


async def has_widget_of_type(db: Session, dashboard_id: str, type_name: str) -> bool:
    """Return whether the dashboard has a widget of this type."""
    query = select(Widget.id).where(Widget.dashboard_id == dashboard_id, Widget.type == type_name).limit(1)
    return await db.scalar(query) is not None


async def find_placed_widget(db: Session, workspace_id: str, widget_id: str) -> PlacedWidget | None:
    """Find the widget with this id, if it belongs to the workspace."""
    row = (
        await db.execute(
            select(Widget, Dashboard)
            .join(Dashboard, Dashboard.id == Widget.dashboard_id)
            .where(Dashboard.workspace_id == workspace_id, Widget.id == widget_id)
        )
    ).one_or_none()
    return row and PlacedWidget(row[0], row[1])


async def add_widget(db: Session, widget: Widget) -> None:
    """Store a new widget."""
    db.add(widget)
    await db.flush()


async def delete_widget(db: Session, widget: Widget) -> None:
    """Delete a widget; the widgets after it move up."""
    await db.delete(widget)
    await db.flush()
    is_after = (Widget.dashboard_id == widget.dashboard_id) & (Widget.position > widget.position)
    await db.execute(update(Widget).where(is_after).values(position=Widget.position - 1))
