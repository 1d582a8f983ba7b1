"""Metadata of familiar places."""

from sqlalchemy import delete, select

from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import FamiliarPlace

_FIND_PLACE = "SELECT 1 FROM familiar_places WHERE user_id = ? AND mark = ?"


async def has_place(database: Database, user_id: str, place_hash: bytes) -> bool:
    """Return whether the user has this place, without a transaction."""
    return await database.look_up(_FIND_PLACE, user_id, place_hash) is not None


async def note_place(db: Session, user_id: str, place_hash: bytes, now_ms: int, max_places: int) -> None:
    """Store the place as the newest of the user's, and delete all but the newest `max_places`."""
    await db.merge(FamiliarPlace(user_id=user_id, mark=place_hash, last_at_ms=now_ms))
    await db.flush()
    newest_first = FamiliarPlace.last_at_ms.desc(), FamiliarPlace.mark
    marks_query = select(FamiliarPlace.mark).where(FamiliarPlace.user_id == user_id)
    surplus_marks = list(await db.scalars(marks_query.order_by(*newest_first).offset(max_places)))
    if surplus_marks:
        await db.execute(
            delete(FamiliarPlace).where(FamiliarPlace.user_id == user_id, FamiliarPlace.mark.in_(surplus_marks))
        )


async def delete_places(db: Session, user_id: str) -> None:
    """Delete all of the user's places."""
    await db.execute(delete(FamiliarPlace).where(FamiliarPlace.user_id == user_id))
