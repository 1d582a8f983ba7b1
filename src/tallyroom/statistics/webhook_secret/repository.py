"""Webhook secrets of bots in the metadata database, encrypted. The workspace is always the caller's own."""

from sqlalchemy import select, update

from tallyroom.db.connection import Session
from tallyroom.db.models import Bot


async def bot_has_secret(db: Session, workspace_id: str, bot_id: str) -> bool | None:
    """Whether the workspace's bot has a secret; None when there is no such bot."""
    return await db.scalar(
        select(Bot.webhook_secret.is_not(None)).where(Bot.workspace_id == workspace_id, Bot.id == bot_id)
    )


async def store_secret(db: Session, workspace_id: str, bot_id: str, encrypted: str | None) -> None:
    """Put the secret of a bot in the place of the one it had; None takes that away."""
    bot = (Bot.workspace_id == workspace_id) & (Bot.id == bot_id)
    await db.execute(update(Bot).where(bot).values(webhook_secret=encrypted))
