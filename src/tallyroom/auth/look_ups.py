"""Look-ups for strangers. They open no transaction, so a stranger delays no one who needs one."""

from typing import Any

from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import User

_FIND_ANY_USER = "SELECT 1 FROM users LIMIT 1"
_USER_COLUMNS = ("id", "email", "name", "password_hash", "created_at_ms")
_SELECT_USER = "SELECT id, email, name, password_hash, created_at_ms FROM users"
_FIND_USER_BY_EMAIL = f"{_SELECT_USER} WHERE email = ?"
_FIND_USER_BY_RESET = f"{_SELECT_USER} JOIN password_resets ON user_id = id WHERE token_hash = ? AND expires_at_ms > ?"
_FIND_SESSION_USER_ID = "SELECT user_id FROM sessions WHERE token_hash = ?"


async def has_any_user(database: Database) -> bool:
    """Return whether anyone has signed up yet."""
    return await database.look_up(_FIND_ANY_USER) is not None


async def look_up_user(database: Database, email: str) -> User | None:
    """Find the user with this lower-case address, as a detached object."""
    return _build_user(await database.look_up(_FIND_USER_BY_EMAIL, email))


async def find_session_user_id(database: Database, token_hash: bytes) -> str | None:
    """Find the id of the user whose session, expired or not, has this SHA-256."""
    row = await database.look_up(_FIND_SESSION_USER_ID, token_hash)
    return None if row is None else row[0]


async def find_reset_user(database: Database, token_hash: bytes, now_ms: int) -> User | None:
    """Find the user whose password the reset token with this SHA-256 may set, as a detached object."""
    return _build_user(await database.look_up(_FIND_USER_BY_RESET, token_hash, now_ms))


def _build_user(row: tuple[Any, ...] | None) -> User | None:
    return None if row is None else User(**dict(zip(_USER_COLUMNS, row, strict=True)))
