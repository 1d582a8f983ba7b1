"""Personal access tokens in the metadata database. The workspace is always the caller's."""

from sqlalchemy import func, or_, select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import PersonalToken


async def count_valid_tokens(db: Session, workspace_id: str, user_id: str, now_ms: int) -> int:
    """Count the tokens of a member that are neither revoked nor expired."""
    is_of_member = (PersonalToken.workspace_id == workspace_id) & (PersonalToken.created_by == user_id)
    is_unrevoked = is_of_member & PersonalToken.revoked_at_ms.is_(None)
    is_unexpired = or_(PersonalToken.expires_at_ms.is_(None), PersonalToken.expires_at_ms > now_ms)
    return await db.scalar(select(func.count()).select_from(PersonalToken).where(is_unrevoked, is_unexpired)) or 0
