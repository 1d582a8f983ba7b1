"""Group keys in the metadata database. The workspace is always the caller's.

The database itself refuses two defaults in a workspace, even for a moment: each change removes the default first.
"""

from collections.abc import Sequence

from sqlalchemy import select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import GroupKey, Workspace


async def list_group_keys(db: Session, workspace_id: str) -> Sequence[GroupKey]:
    """List the workspace's group keys, oldest first."""
    oldest_first_order = (GroupKey.created_at_ms, GroupKey.id)
    keys = await db.scalars(select(GroupKey).where(GroupKey.workspace_id == workspace_id).order_by(*oldest_first_order))
    return keys.all()


async def lock_and_list_group_keys(db: Session, workspace_id: str) -> Sequence[GroupKey]:
    """List the same keys, and prevent changes to them by others until the transaction `db` ends.

    Concurrent changes wait at the row of the workspace. In SQLite, the whole transaction waits at its start.
    """
    await db.execute(select(Workspace.id).where(Workspace.id == workspace_id).with_for_update(key_share=True))
    return await list_group_keys(db, workspace_id)


async def add_group_key(db: Session, key: GroupKey, default_key: GroupKey | None) -> None:
    """Store a new key; if it is the default, it replaces `default_key`."""
    if key.is_default:
        await _clear_default(db, default_key)
    db.add(key)
    await db.flush()


async def move_default_key(db: Session, default_key: GroupKey | None, key: GroupKey) -> None:
    """Make `key` the default instead of `default_key`."""
    await _clear_default(db, default_key)
    key.is_default = True
    await db.flush()


async def delete_group_key(db: Session, key: GroupKey, successor: GroupKey | None) -> None:
    """Delete a key; `successor`, if given, becomes the default."""
    await db.delete(key)
    await db.flush()
    if successor is not None:
        await move_default_key(db, None, successor)


async def _clear_default(db: Session, default_key: GroupKey | None) -> None:
    if default_key is not None:
        default_key.is_default = False
        await db.flush()
