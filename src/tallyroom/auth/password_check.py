"""Checks the address and password of someone who signs in, each attempt in its turn (rules/people#sign-in-turns)."""

import asyncio

from tallyroom.auth import repository
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.caller import Caller
from tallyroom.auth.look_ups import look_up_user
from tallyroom.auth.throttle import Throttle
from tallyroom.core.errors import Unavailable
from tallyroom.storage.metadata.models import User
from tallyroom.storage.metadata.write_turns import set_write_turn_owner


async def find_user_with_password(
    authenticator: Authenticator, throttle: Throttle, email: str, raw_password: str, caller: Caller
) -> User | None:
    """Return the user with this lower-case address if `raw_password` is their password; otherwise None.

    No transaction is open during a hash. A stored hash of an unprepared password is replaced. Raises `RateLimited`
    after too many wrong passwords, and `Unavailable` if too many clients are queued.
    """
    user = await look_up_user(authenticator.database, email)
    is_familiar = await authenticator.familiar_places.is_familiar(
        authenticator.database, user.id if user else "", caller.client_network
    )
    await throttle.count_sign_in_attempt(email, caller.client_network, is_familiar=is_familiar)
    try:
        known_caller_id = user.id if user and is_familiar else None
        user = await _find_verified_user(authenticator, user, raw_password, caller, known_caller_id)
    except (Unavailable, asyncio.CancelledError):
        await throttle.undo_sign_in_attempt(email, caller.client_network)
        raise
    if user is not None:
        await throttle.clear_after_sign_in(email, caller.client_network)
    return user


async def _find_verified_user(
    authenticator: Authenticator, user: User | None, raw_password: str, caller: Caller, known_caller_id: str | None
) -> User | None:
    password_hash = user.password_hash if user else None
    verdict = await authenticator.passwords.verify(password_hash, raw_password, caller, known_caller_id)
    if user is None or not verdict.is_right:
        return None
    set_write_turn_owner(user.id)
    if verdict.new_hash is None:
        return user
    async with authenticator.database.session(write=True) as db:
        is_replaced = await repository.replace_password_hash(db, user.id, user.password_hash, verdict.new_hash)
        current_user = await repository.find_user(db, user.id)
    if is_replaced or current_user is None:
        return current_user
    verdict = await authenticator.passwords.verify(current_user.password_hash, raw_password, caller, user.id)
    return current_user if verdict.is_right else None  # another sign-in was faster
