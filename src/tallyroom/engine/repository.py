"""What the engine looks up in the metadata before it plans: the workspace's settings and the segment."""

from typing import NamedTuple

import msgspec
from sqlalchemy import select

from tallyroom.core.plans import PAID
from tallyroom.db.connection import Session
from tallyroom.db.models import GroupKey, Segment, Workspace
from tallyroom.engine.filters import Filter


class Circumstances(NamedTuple):
    """A workspace's time zone, and its default group key; None without one, or on a free workspace."""

    timezone: str
    group_key: str | None


async def find_circumstances(db: Session, workspace_id: str) -> Circumstances:
    """What rules every question of the workspace."""
    workspace = select(Workspace.timezone, Workspace.plan).where(Workspace.id == workspace_id)
    timezone, plan = (await db.execute(workspace)).one()
    default = select(GroupKey.prop_key).where(GroupKey.workspace_id == workspace_id, GroupKey.is_default)
    return Circumstances(timezone, await db.scalar(default) if plan == PAID else None)


async def find_segment(db: Session, workspace_id: str, environment: str, segment_id: str) -> tuple[Filter, ...] | None:
    """The filters of a segment of this environment; None without one."""
    wanted = select(Segment.filters).where(
        Segment.id == segment_id, Segment.workspace_id == workspace_id, Segment.environment == environment
    )
    filters = await db.scalar(wanted)
    return None if filters is None else msgspec.json.decode(filters, type=tuple[Filter, ...])


async def list_group_keys(db: Session, workspace_id: str) -> list[str]:
    """The property keys whose values are groups."""
    return list(await db.scalars(select(GroupKey.prop_key).where(GroupKey.workspace_id == workspace_id)))
