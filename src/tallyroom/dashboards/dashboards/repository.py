"""Dashboards in the metadata database. The workspace is always the caller's."""

from collections.abc import Sequence

from sqlalchemy import func, select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Dashboard, Widget


async def list_dashboards(db: Session, workspace_id: str) -> Sequence[Dashboard]:
    """List the workspace's dashboards, oldest first."""
    dashboards = await db.scalars(
        select(Dashboard).where(Dashboard.workspace_id == workspace_id).order_by(Dashboard.created_at_ms, Dashboard.id)
    )
    return dashboards.all()


async def count_dashboards(db: Session, workspace_id: str) -> int:
    """Count the workspace's dashboards."""
    query = select(func.count()).select_from(Dashboard).where(Dashboard.workspace_id == workspace_id)
    return await db.scalar(query) or 0


async def count_widgets_by_dashboard(db: Session, workspace_id: str) -> dict[str, int]:
    """Count the widgets of each dashboard that has any, by dashboard id."""
    query = (
        select(Widget.dashboard_id, func.count())
        .join(Dashboard, Dashboard.id == Widget.dashboard_id)
        .where(Dashboard.workspace_id == workspace_id)
        .group_by(Widget.dashboard_id)
    )
    return {row[0]: row[1] for row in await db.execute(query)}


async def count_segmented_widgets(db: Session, dashboard_id: str) -> int:
    """Count the widgets of the dashboard that use a segment."""
    has_segment = (Widget.dashboard_id == dashboard_id) & Widget.segment_id.is_not(None)
    return await db.scalar(select(func.count()).select_from(Widget).where(has_segment)) or 0


async def add_dashboard(db: Session, dashboard: Dashboard) -> None:
    """Store a new dashboard."""
    db.add(dashboard)
    await db.flush()


async def delete_dashboard(db: Session, dashboard: Dashboard) -> None:
    """Delete a dashboard with its widgets."""
    await db.delete(dashboard)
    await db.flush()
