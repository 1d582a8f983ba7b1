"""Metadata that only sign-up and sign-in links need; see auth/repository.py for the rest."""

from sqlalchemy import delete, exists, select

from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import SignInLink, User

_FIND_LINK = "SELECT session_hash FROM sign_in_links WHERE token_hash = ? AND expires_at_ms > ?"


async def has_any_user(db: Session) -> bool:
    """Return True if anyone has signed up yet."""
    return bool(await db.scalar(select(exists().select_from(User))))


async def add_link(db: Session, link: SignInLink, now_ms: int) -> None:
    """Store the link, and delete expired ones."""
    await db.execute(delete(SignInLink).where(SignInLink.expires_at_ms <= now_ms))
    db.add(link)


async def look_up_link(database: Database, token_hash: bytes, now_ms: int) -> bytes | None:
    """Return what `consume_link` would, without a transaction."""
    row = await database.look_up(_FIND_LINK, token_hash, now_ms)
    return None if row is None else row[0]


async def consume_link(db: Session, token_hash: bytes, now_ms: int) -> bytes | None:
    """Delete the link with this SHA-256; return the hash of the session that made it, None if it is not valid."""
    statement = delete(SignInLink).where(SignInLink.token_hash == token_hash, SignInLink.expires_at_ms > now_ms)
    return await db.scalar(statement.returning(SignInLink.session_hash))
