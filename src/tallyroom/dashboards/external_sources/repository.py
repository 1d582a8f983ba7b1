"""External sources in the metadata database. The workspace is always the caller's."""

from collections.abc import Sequence

from sqlalchemy import func, select

from tallyroom.dashboards.kinds.external.kind import EXTERNAL
from tallyroom.dashboards.words import WidgetName
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Dashboard, ExternalSource, Widget


async def list_sources(db: Session, workspace_id: str) -> Sequence[ExternalSource]:
    """List the external sources of the workspace, oldest first."""
    is_own = ExternalSource.workspace_id == workspace_id
    query = select(ExternalSource).where(is_own).order_by(ExternalSource.created_at_ms, ExternalSource.id)
    return (await db.scalars(query)).all()


async def find_source(db: Session, workspace_id: str, source_id: str) -> ExternalSource | None:
    """Find the external source with this id, if it belongs to the workspace."""
    is_own = (ExternalSource.workspace_id == workspace_id) & (ExternalSource.id == source_id)
    return await db.scalar(select(ExternalSource).where(is_own))


async def count_sources(db: Session, workspace_id: str) -> int:
    """Count the workspace's external sources."""
    query = select(func.count()).select_from(ExternalSource).where(ExternalSource.workspace_id == workspace_id)
    return await db.scalar(query) or 0


async def list_fetching_widgets(db: Session, source: ExternalSource) -> list[WidgetName]:
    """List the widgets that fetch from the source, dashboard by dashboard."""
    # Configs are stored without spaces.
    names_source = Widget.config.contains(f'"sourceId":"{source.id}"', autoescape=True)
    rows = await db.execute(
        select(Widget.title, Widget.id)
        .join(Dashboard, Dashboard.id == Widget.dashboard_id)
        .where(Dashboard.workspace_id == source.workspace_id, Widget.type == EXTERNAL.name, names_source)
        .order_by(Dashboard.created_at_ms, Dashboard.id, Widget.position)
    )
    return [WidgetName(*row) for row in rows]


async def add_source(db: Session, source: ExternalSource) -> None:
    """Store a new external source."""
    db.add(source)
    await db.flush()


async def delete_source(db: Session, source: ExternalSource) -> None:
    """Delete an external source that no widget fetches from."""
    await db.delete(source)
    await db.flush()
