"""Whether somebody knows the password of a user, whose old hash is replaced if it is of an unprepared password."""

from tallyroom.auth import repository
from tallyroom.auth.passwords import Passwords
from tallyroom.db.connection import Database
from tallyroom.db.models import User


class PasswordCheck:
    """Checks the passwords of users; no transaction is open while a password is hashed."""

    def __init__(self, database: Database, passwords: Passwords) -> None:
        self._database = database
        self._passwords = passwords

    async def user_with(self, user: User | None, typed: str) -> User | None:
        """Return the user as stored now if `typed` is their password, otherwise None; an unknown user takes as long."""
        verdict = await self._passwords.verify(user.password_hash if user else None, typed)
        if user is None or not verdict.right:
            return None
        if verdict.new_hash is None:
            return user
        async with self._database.session(write=True) as db:
            replaced = await repository.replace_hash(db, user.id, user.password_hash, verdict.new_hash)
            user = await repository.find_user(db, user.id)
        if replaced or user is None:
            return user
        verdict = await self._passwords.verify(user.password_hash, typed)  # another sign-in was faster
        return user if verdict.right else None
