"""Group keys in the metadata database. The workspace is always the caller's own.

The database itself refuses two defaults in a workspace, even for a moment: each change takes the default away first.
"""

from collections.abc import Sequence

from sqlalchemy import select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import GroupKey, Workspace


async def list_keys(db: Session, workspace_id: str) -> Sequence[GroupKey]:
    """List the workspace's group keys, oldest first."""
    oldest_first = (GroupKey.created_at_ms, GroupKey.id)
    keys = await db.scalars(select(GroupKey).where(GroupKey.workspace_id == workspace_id).order_by(*oldest_first))
    return keys.all()


async def list_keys_to_change(db: Session, workspace_id: str) -> Sequence[GroupKey]:
    """List the same keys, and keep others from changing them until the transaction `db` ends.

    Concurrent changes wait for each other here, at the row of the workspace. SQLite has no such locks, so there the
    whole transaction waits at its start.
    """
    await db.execute(select(Workspace.id).where(Workspace.id == workspace_id).with_for_update(key_share=True))
    return await list_keys(db, workspace_id)


async def add_key(db: Session, key: GroupKey, default: GroupKey | None) -> None:
    """Store a new key; if it is the default, `default` stops being it."""
    if key.is_default:
        await _take_default(db, default)
    db.add(key)
    await db.flush()


async def move_default(db: Session, default: GroupKey | None, key: GroupKey) -> None:
    """Make `key` the default instead of `default`."""
    await _take_default(db, default)
    key.is_default = True
    await db.flush()


async def delete_key(db: Session, key: GroupKey, successor: GroupKey | None) -> None:
    """Delete a key; `successor`, if given, is the default from now on."""
    await db.delete(key)
    await db.flush()
    if successor is not None:
        await move_default(db, None, successor)


async def _take_default(db: Session, default: GroupKey | None) -> None:
    if default is not None:
        default.is_default = False
        await db.flush()
