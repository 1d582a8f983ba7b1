"""The metadata that the engine looks up before it makes a query plan: the workspace's settings and the segment."""

from typing import NamedTuple

import msgspec
from sqlalchemy import select

from tallyroom.core.errors import Unauthorized
from tallyroom.core.plans import PAID
from tallyroom.db.connection import Database, Session
from tallyroom.db.models import GroupKey, Segment
from tallyroom.engine.filters import Filter
from tallyroom.store.scope import Scope

# Written as text because every question runs it: building and compiling it each time would cost more than running it.
_FIND_CIRCUMSTANCES = """
    SELECT timezone, (SELECT prop_key FROM group_keys WHERE workspace_id = workspaces.id AND is_default AND plan = ?)
    FROM workspaces WHERE id = ?
"""
_FIND_SEGMENT = "SELECT filters FROM segments WHERE id = ? AND workspace_id = ? AND environment = ?"


class Circumstances(NamedTuple):
    """A workspace's time zone and default group key; the key is None if there is none or the plan is free."""

    timezone: str
    group_key: str | None


def find_circumstances(database: Database, workspace_id: str) -> Circumstances:
    """Find the settings that apply to every question of the workspace.

    Raises:
        Unauthorized: the workspace has just been deleted.
    """
    row = database.peek(_FIND_CIRCUMSTANCES, PAID, workspace_id)
    if row is None:
        raise Unauthorized("The workspace no longer exists.")
    return Circumstances(*row)


def find_segment(database: Database, scope: Scope, segment_id: str) -> tuple[Filter, ...] | None:
    """Return the filters of a segment of this environment; None if it has no such segment."""
    row = database.peek(_FIND_SEGMENT, segment_id, scope.workspace_id, scope.environment)
    return None if row is None else msgspec.json.decode(row[0], type=tuple[Filter, ...])


async def segment_exists(db: Session, scope: Scope, segment_id: str) -> bool:
    """Return True if this environment has the segment; runs in the transaction that then relies on it."""
    segment = await db.get(Segment, segment_id)
    return segment is not None and (segment.workspace_id, segment.environment) == (
        scope.workspace_id,
        scope.environment,
    )


async def list_group_keys(db: Session, workspace_id: str) -> list[str]:
    """List the property keys whose values are groups."""
    return list(await db.scalars(select(GroupKey.prop_key).where(GroupKey.workspace_id == workspace_id)))
