"""Published dashboards in the metadata database: the only look-ups limited by a slug rather than a workspace."""

from sqlalchemy import select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Dashboard, Widget


async def find_published(db: Session, slug: str) -> Dashboard | None:
    """Find the dashboard that is published under `slug`."""
    return await db.scalar(select(Dashboard).where(Dashboard.slug == slug, Dashboard.is_public))


async def find_widget(db: Session, dashboard: Dashboard, widget_id: str) -> Widget | None:
    """Find the widget with this id, if it is on the dashboard."""
    return await db.scalar(select(Widget).where(Widget.dashboard_id == dashboard.id, Widget.id == widget_id))
