"""API keys in the metadata database. The workspace is always the caller's own."""

from collections.abc import Sequence

from sqlalchemy import select

from tallyroom.db.connection import Session
from tallyroom.db.models import ApiKey


async def list_keys(db: Session, workspace_id: str) -> Sequence[ApiKey]:
    """The workspace's keys, newest first."""
    found = await db.scalars(
        select(ApiKey)
        .where(ApiKey.workspace_id == workspace_id)
        .order_by(ApiKey.created_at_ms.desc(), ApiKey.id.desc())
    )
    return found.all()


async def find_key(db: Session, workspace_id: str, key_id: str) -> ApiKey | None:
    """The key with this id, if it is the workspace's."""
    return await db.scalar(select(ApiKey).where(ApiKey.workspace_id == workspace_id, ApiKey.id == key_id))


async def add_key(db: Session, key: ApiKey) -> None:
    """Store a new key."""
    db.add(key)
    await db.flush()
