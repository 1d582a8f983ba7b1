"""Alert channels in the metadata database. The workspace is always the caller's."""

from collections.abc import Sequence

from sqlalchemy import func, select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import AlertChannel


async def list_channels(db: Session, workspace_id: str) -> Sequence[AlertChannel]:
    """List the workspace's channels, oldest first."""
    channels = await db.scalars(
        select(AlertChannel)
        .where(AlertChannel.workspace_id == workspace_id)
        .order_by(AlertChannel.created_at_ms, AlertChannel.id)
    )
    return channels.all()


async def find_channel(db: Session, workspace_id: str, channel_id: str) -> AlertChannel | None:
    """Find the channel with this id, if it belongs to the workspace."""
    query = select(AlertChannel).where(AlertChannel.workspace_id == workspace_id, AlertChannel.id == channel_id)
    return await db.scalar(query)


async def count_channels(db: Session, workspace_id: str) -> int:
    """Count the workspace's channels."""
    query = select(func.count()).select_from(AlertChannel).where(AlertChannel.workspace_id == workspace_id)
    return await db.scalar(query) or 0


async def add_channel(db: Session, channel: AlertChannel) -> None:
    """Store a new channel."""
    db.add(channel)
    await db.flush()


async def delete_channel(db: Session, channel: AlertChannel) -> None:
    """Delete a channel with its deliveries; alerts no longer use it."""
    await db.delete(channel)
    await db.flush()
