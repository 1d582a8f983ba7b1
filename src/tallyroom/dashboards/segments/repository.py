"""Segments in the metadata database. The workspace is always the caller's."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute

from tallyroom.dashboards.words import WidgetName
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert, Dashboard, Segment, Widget


async def list_segments(db: Session, workspace_id: str, environment: str | None) -> Sequence[Segment]:
    """List the segments of an environment, or of all environments, oldest first."""
    environment_condition = () if environment is None else (Segment.environment == environment,)
    segments = await db.scalars(
        select(Segment)
        .where(Segment.workspace_id == workspace_id, *environment_condition)
        .order_by(Segment.created_at_ms, Segment.id)
    )
    return segments.all()


async def find_segment(db: Session, workspace_id: str, segment_id: str) -> Segment | None:
    """Find the segment with this id, if it belongs to the workspace."""
    return await db.scalar(select(Segment).where(Segment.workspace_id == workspace_id, Segment.id == segment_id))


async def count_segments(db: Session, workspace_id: str) -> int:
    """Count the workspace's segments."""
    query = select(func.count()).select_from(Segment).where(Segment.workspace_id == workspace_id)
    return await db.scalar(query) or 0


async def count_widgets_by_segment(db: Session, workspace_id: str) -> dict[str, int]:
    """Count the widgets that use each segment, by segment id, without those that no widget uses."""
    return await _count_uses(db, workspace_id, Widget.segment_id)


async def count_alerts_by_segment(db: Session, workspace_id: str) -> dict[str, int]:
    """Count the alerts that use each segment, by segment id, without those that no alert uses."""
    return await _count_uses(db, workspace_id, Alert.segment_id)


async def list_using_widgets(db: Session, segment_id: str) -> list[WidgetName]:
    """List the widgets that use the segment, dashboard by dashboard."""
    rows = await db.execute(
        select(Widget.title, Widget.id)
        .join(Dashboard, Dashboard.id == Widget.dashboard_id)
        .where(Widget.segment_id == segment_id)
        .order_by(Dashboard.created_at_ms, Dashboard.id, Widget.position)
    )
    return [WidgetName(*row) for row in rows]


async def list_using_alert_names(db: Session, segment_id: str) -> Sequence[str]:
    """List the names of the alerts that use the segment, oldest first."""
    query = select(Alert.name).where(Alert.segment_id == segment_id).order_by(Alert.created_at_ms, Alert.id)
    return (await db.scalars(query)).all()


async def add_segment(db: Session, segment: Segment) -> None:
    """Store a new segment."""
    db.add(segment)
    await db.flush()


async def delete_segment(db: Session, segment: Segment) -> None:
    """Delete a segment that nothing uses."""
    await db.delete(segment)
    await db.flush()


async def _count_uses(
    db: Session, workspace_id: str, used_segment_id: InstrumentedAttribute[str | None]
) -> dict[str, int]:
    query = (
        select(Segment.id, func.count())
        .where(Segment.workspace_id == workspace_id, used_segment_id == Segment.id)
        .group_by(Segment.id)
    )
    return {row[0]: row[1] for row in await db.execute(query)}
