"""Look-ups for strangers: none opens a transaction, so strangers delay nobody who needs one."""

from tallyroom.db.connection import Database
from tallyroom.db.models import User

_ANY_USER = "SELECT 1 FROM users LIMIT 1"
_FIND_USER = "SELECT id, email, name, password_hash, created_at_ms FROM users WHERE email = ?"
_COLUMNS = ("id", "email", "name", "password_hash", "created_at_ms")
_FIND_SESSION = "SELECT user_id FROM sessions WHERE token_hash = ?"
_FIND_RESET = "SELECT 1 FROM password_resets WHERE token_hash = ? AND expires_at_ms > ?"


async def any_user(database: Database) -> bool:
    """Return whether anybody has signed up yet."""
    return await database.look(_ANY_USER) is not None


async def look_up_user(database: Database, email: str) -> User | None:
    """Find the user with this lower-case address, as an object of no transaction."""
    row = await database.look(_FIND_USER, email)
    return None if row is None else User(**dict(zip(_COLUMNS, row, strict=True)))


async def user_of_session(database: Database, token_hash: bytes) -> str | None:
    """Find the id of the user whose session, expired or not, has this SHA-256."""
    row = await database.look(_FIND_SESSION, token_hash)
    return None if row is None else row[0]


async def reset_holds(database: Database, token_hash: bytes, now_ms: int) -> bool:
    """Return whether there is a permission with this SHA-256 to set a new password."""
    return await database.look(_FIND_RESET, token_hash, now_ms) is not None
