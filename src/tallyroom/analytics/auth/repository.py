"""What only sign-up asks of the metadata database; see auth/repository.py for the rest."""

from sqlalchemy import exists, select

from tallyroom.db.connection import Session
from tallyroom.db.models import User


async def any_user(db: Session) -> bool:
    """Whether anybody has signed up yet."""
    return bool(await db.scalar(select(exists().select_from(User))))
