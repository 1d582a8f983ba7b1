"""Dashboards and their widgets, looked up."""

from collections.abc import Sequence

from sqlalchemy import select

from tallyroom.db.connection import Session
from tallyroom.db.models import Dashboard, Widget


async def find_dashboard(db: Session, workspace_id: str, dashboard_id: str) -> Dashboard | None:
    """The dashboard with this id, if it is the workspace's."""
    wanted = select(Dashboard).where(Dashboard.workspace_id == workspace_id, Dashboard.id == dashboard_id)
    return await db.scalar(wanted)


async def list_widgets(db: Session, dashboard_id: str) -> Sequence[Widget]:
    """The widgets of a dashboard by their positions."""
    return (await db.scalars(select(Widget).where(Widget.dashboard_id == dashboard_id).order_by(Widget.position))).all()
