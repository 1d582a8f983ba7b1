"""Checks address and password of somebody who signs in, each attempt in its turn (rules/people#sign-in-turns)."""

import asyncio

from tallyroom.auth import repository
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.caller import Caller
from tallyroom.auth.look_ups import look_up_user
from tallyroom.auth.throttle import Throttle
from tallyroom.core.errors import Unavailable
from tallyroom.storage.metadata.models import User
from tallyroom.storage.metadata.write_turns import set_write_turn_owner


class PasswordCheck:
    """Checks passwords, and replaces an old hash of an unprepared one. No transaction is open during a hash."""

    def __init__(self, authenticator: Authenticator, throttle: Throttle) -> None:
        self._authenticator = authenticator
        self._throttle = throttle

    async def find_user_with_password(self, email: str, raw_password: str, caller: Caller) -> User | None:
        """Return the user with this lower-case address if `raw_password` is their password; otherwise None.

        From then on, the current task writes as that user.

        An unknown address takes as long as a wrong password.

        Raises:
            RateLimited: too many wrong passwords, from this place or for this address.
            Unavailable: too many others wait.
        """
        user = await look_up_user(self._authenticator.database, email)
        is_familiar = await self._authenticator.places.is_familiar(
            self._authenticator.database, user.id if user else "", caller.place
        )
        await self._throttle.count_sign_in(email, caller.place, is_familiar=is_familiar)
        try:
            identity = user.id if user and is_familiar else None
            user = await self._verify(user, raw_password, caller, identity)
        except (Unavailable, asyncio.CancelledError):
            await self._throttle.uncount_sign_in(email, caller.place)
            raise
        if user is not None:
            await self._throttle.reset_after_sign_in(email, caller.place)
        return user

    async def _verify(self, user: User | None, raw_password: str, caller: Caller, identity: str | None) -> User | None:
        password_hash = user.password_hash if user else None
        verdict = await self._authenticator.passwords.verify(password_hash, raw_password, caller, identity)
        if user is None or not verdict.is_right:
            return None
        set_write_turn_owner(user.id)
        if verdict.new_hash is None:
            return user
        return await self._store_new_hash(user, verdict.new_hash, raw_password, caller)

    async def _store_new_hash(self, user: User, new_hash: str, raw_password: str, caller: Caller) -> User | None:
        async with self._authenticator.database.session(write=True) as db:
            has_new_hash = await repository.replace_hash(db, user.id, user.password_hash, new_hash)
            current = await repository.find_user(db, user.id)
        if has_new_hash or current is None:
            return current
        verdict = await self._authenticator.passwords.verify(current.password_hash, raw_password, caller, user.id)
        return current if verdict.is_right else None  # another sign-in was faster
