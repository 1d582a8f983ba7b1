"""The grants of the monthly cap that workers share, in the metadata database. All writes hold the one write lock."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import case, func, select, text

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import EventGrant


class Grant(NamedTuple):
    """How many events of a month a worker may count, and how many it has counted."""

    workspace_id: str
    month: int
    spool: int
    granted: int
    used: int


_WRITE_GRANT = text(
    "INSERT INTO event_grants (workspace_id, month, spool, granted, used)"
    " VALUES (:workspace_id, :month, :spool, :granted, :used) ON CONFLICT (workspace_id, month, spool)"
    " DO UPDATE SET granted = excluded.granted, used = excluded.used"
)
_MAX_WORKSPACES_PER_QUERY = 500


async def list_grants(db: Session, workspace_id: str, month: int) -> list[Grant]:
    """List the grants of all workers."""
    conditions = EventGrant.workspace_id == workspace_id, EventGrant.month == month
    columns = EventGrant.workspace_id, EventGrant.month, EventGrant.spool, EventGrant.granted, EventGrant.used
    return [Grant(*row) for row in await db.execute(select(*columns).where(*conditions))]


async def sum_grants(db: Session, keys: Iterable[tuple[str, int]]) -> dict[tuple[str, int], int]:
    """Return what all workers together may count, or have counted if that is more, by (workspace, month)."""
    workspace_ids_by_month: defaultdict[int, list[str]] = defaultdict(list)
    for workspace_id, month in keys:
        workspace_ids_by_month[month].append(workspace_id)
    granted_events = case((EventGrant.granted > EventGrant.used, EventGrant.granted), else_=EventGrant.used)
    query = select(EventGrant.workspace_id, func.sum(granted_events)).group_by(EventGrant.workspace_id)
    total_by_key = {}
    for month, workspace_ids in workspace_ids_by_month.items():
        for start in range(0, len(workspace_ids), _MAX_WORKSPACES_PER_QUERY):
            condition = EventGrant.workspace_id.in_(workspace_ids[start : start + _MAX_WORKSPACES_PER_QUERY])
            for workspace_id, total in await db.execute(query.where(EventGrant.month == month, condition)):
                total_by_key[workspace_id, month] = int(total)
    return total_by_key


async def write_grants(db: Session, grants: Iterable[Grant]) -> None:
    """Insert or replace grants."""
    await db.execute(_WRITE_GRANT, [grant._asdict() for grant in grants])
