"""What strangers may ask for in crowds: look-ups without a transaction, which keep nobody waiting for a connection."""

from tallyroom.db.connection import Database
from tallyroom.db.models import User

_FIND_USER = "SELECT id, email, name, password_hash, created_at_ms FROM users WHERE email = ?"
_COLUMNS = ("id", "email", "name", "password_hash", "created_at_ms")
_FIND_RESET = "SELECT 1 FROM password_resets WHERE token_hash = ? AND expires_at_ms > ?"


async def look_up_user(database: Database, email: str) -> User | None:
    """Find the user with this lower-case address, as an object of no transaction."""
    row = await database.look(_FIND_USER, email)
    return None if row is None else User(**dict(zip(_COLUMNS, row, strict=True)))


async def reset_holds(database: Database, token_hash: bytes, now_ms: int) -> bool:
    """Return whether there is a permission with this SHA-256 to set a new password."""
    return await database.look(_FIND_RESET, token_hash, now_ms) is not None
