"""Published dashboards in the metadata database: the only look-ups limited by a slug rather than a workspace."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Dashboard, Widget


class PublishedDashboard(NamedTuple):
    """A published dashboard and widgets of it."""

    dashboard: Dashboard
    widgets: Sequence[Widget]


async def find_published(db: Session, slug: str) -> Dashboard | None:
    """Find the dashboard that is published under `slug`."""
    return await db.scalar(select(Dashboard).where(Dashboard.slug == slug, Dashboard.is_public))


async def list_widgets(db: Session, dashboard: Dashboard) -> Sequence[Widget]:
    """List the dashboard's widgets, sorted by position."""
    widgets = select(Widget).where(Widget.dashboard_id == dashboard.id).order_by(Widget.position)
    return (await db.scalars(widgets)).all()


async def find_widget(db: Session, dashboard: Dashboard, widget_id: str) -> Widget | None:
    """Find the widget with this id, if it is on the dashboard."""
    return await db.scalar(select(Widget).where(Widget.dashboard_id == dashboard.id, Widget.id == widget_id))
