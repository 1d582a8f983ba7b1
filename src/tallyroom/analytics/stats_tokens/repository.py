"""Tokens of the statistics API in the metadata database. The workspace is always the caller's own."""

from collections.abc import Sequence

from sqlalchemy import select

from tallyroom.db.connection import Session
from tallyroom.db.models import StatsToken


async def list_tokens(db: Session, workspace_id: str) -> Sequence[StatsToken]:
    """The workspace's tokens, newest first."""
    found = await db.scalars(
        select(StatsToken)
        .where(StatsToken.workspace_id == workspace_id)
        .order_by(StatsToken.created_at_ms.desc(), StatsToken.id.desc())
    )
    return found.all()


async def find_token(db: Session, workspace_id: str, token_id: str) -> StatsToken | None:
    """The token with this id, if it is the workspace's."""
    return await db.scalar(select(StatsToken).where(StatsToken.workspace_id == workspace_id, StatsToken.id == token_id))


async def add_token(db: Session, token: StatsToken) -> None:
    """Store a new token."""
    db.add(token)
    await db.flush()
