"""The metadata that the engine looks up: workspace settings, segments, and external sources."""

from typing import NamedTuple

from sqlalchemy import select

from tallyroom.core.errors import Unauthorized
from tallyroom.queries.filters import Filter, read_filters
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import ExternalSource, GroupKey, Segment
from tallyroom.storage.metadata.plans import PAID_PLAN

# Plain SQL because every question runs it: building and compiling it each time would cost more than running it.
_FIND_WORKSPACE_DEFAULTS = """
    SELECT timezone, (SELECT prop_key FROM group_keys WHERE workspace_id = workspaces.id AND is_default AND plan = ?)
    FROM workspaces WHERE id = ?
"""
_FIND_SEGMENT = "SELECT filters FROM segments WHERE id = ? AND workspace_id = ? AND environment = ?"
_FIND_SOURCE = "SELECT host, header_name, token, updated_at_ms FROM external_sources WHERE id = ? AND workspace_id = ?"


class WorkspaceDefaults(NamedTuple):
    """A workspace's time zone and default group key; the key is None if there is none or the plan is free."""

    timezone: str
    group_key: str | None


class StoredSource(NamedTuple):
    """An external source; its token is encrypted."""

    host: str
    header_name: str | None
    token: str | None
    updated_at_ms: int


async def find_workspace_defaults(database: Database, workspace_id: str) -> WorkspaceDefaults:
    """Return the settings for every question of the workspace; raise `Unauthorized` if it has just been deleted."""
    row = await database.look_up(_FIND_WORKSPACE_DEFAULTS, PAID_PLAN, workspace_id)
    if row is None:
        raise Unauthorized("The workspace no longer exists.")
    return WorkspaceDefaults(*row)


async def look_up_segment_filters(database: Database, scope: Scope, segment_id: str) -> tuple[Filter, ...] | None:
    """Return the filters of a segment of this environment; None if there is no such segment."""
    row = await database.look_up(_FIND_SEGMENT, segment_id, scope.workspace_id, scope.environment)
    return None if row is None else read_filters(row[0])


async def find_source(database: Database, workspace_id: str, source_id: str) -> StoredSource | None:
    """Return an external source of the workspace; None if there is no such source."""
    row = await database.look_up(_FIND_SOURCE, source_id, workspace_id)
    return None if row is None else StoredSource(*row)


async def find_source_host(db: Session, workspace_id: str, source_id: str) -> str | None:
    """Return the host of an external source, within the transaction that relies on it."""
    host_query = select(ExternalSource.host).where(
        ExternalSource.id == source_id, ExternalSource.workspace_id == workspace_id
    )
    host: str | None = await db.scalar(host_query)
    return host


async def find_segment_filters(db: Session, scope: Scope, segment_id: str) -> tuple[Filter, ...] | None:
    """Like `look_up_segment_filters`, within the transaction that relies on the segment."""
    segment = await db.get(Segment, segment_id)
    if segment is None or Scope(segment.workspace_id, segment.environment) != scope:
        return None
    return read_filters(segment.filters)


async def list_group_keys(db: Session, workspace_id: str) -> list[str]:
    """List the property keys whose values are groups."""
    return list(await db.scalars(select(GroupKey.prop_key).where(GroupKey.workspace_id == workspace_id)))
