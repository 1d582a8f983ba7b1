"""Look-ups of dashboards and their widgets."""

from collections.abc import Sequence

from sqlalchemy import select

from tallyroom.db.connection import Session
from tallyroom.db.models import Dashboard, Widget


async def find_dashboard(db: Session, workspace_id: str, dashboard_id: str) -> Dashboard | None:
    """Find the dashboard with this id, if it belongs to the workspace."""
    wanted = select(Dashboard).where(Dashboard.workspace_id == workspace_id, Dashboard.id == dashboard_id)
    return await db.scalar(wanted)


async def list_widgets(db: Session, dashboard_id: str) -> Sequence[Widget]:
    """List the widgets of a dashboard, sorted by position."""
    return (await db.scalars(select(Widget).where(Widget.dashboard_id == dashboard_id).order_by(Widget.position))).all()
