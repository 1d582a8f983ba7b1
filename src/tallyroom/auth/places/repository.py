"""Metadata of familiar places."""

from sqlalchemy import delete, select

from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import FamiliarPlace

_FIND_PLACE = "SELECT 1 FROM familiar_places WHERE user_id = ? AND mark = ?"


async def has_place(database: Database, user_id: str, mark: bytes) -> bool:
    """Return whether the user has this place, without a transaction."""
    return await database.look(_FIND_PLACE, user_id, mark) is not None


async def note_place(db: Session, user_id: str, mark: bytes, now_ms: int, most: int) -> None:
    """Store the place as the newest of the user's, and delete all but the newest `most`."""
    await db.merge(FamiliarPlace(user_id=user_id, mark=mark, last_at_ms=now_ms))
    await db.flush()
    newest_first = FamiliarPlace.last_at_ms.desc(), FamiliarPlace.mark
    of_user = select(FamiliarPlace.mark).where(FamiliarPlace.user_id == user_id)
    surplus = list(await db.scalars(of_user.order_by(*newest_first).offset(most)))
    if surplus:
        await db.execute(delete(FamiliarPlace).where(FamiliarPlace.user_id == user_id, FamiliarPlace.mark.in_(surplus)))


async def delete_places(db: Session, user_id: str) -> None:
    """Delete all of the user's places."""
    await db.execute(delete(FamiliarPlace).where(FamiliarPlace.user_id == user_id))
