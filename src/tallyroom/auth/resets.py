"""New passwords, and mailed permissions to set one: each opens once, for an hour (rules/people#new-passwords)."""

from tallyroom.auth import repository
from tallyroom.auth.guessable import refuse_guessable
from tallyroom.auth.secrets import RESET_PREFIX, hash_secret, mint_token
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unauthorized, ValidationFailed
from tallyroom.core.ids import Ids
from tallyroom.db.connection import Session
from tallyroom.db.models import PasswordReset, User

LIFE_MS = 60 * 60 * 1000


async def permit_reset(db: Session, user_id: str, clock: Clock, ids: Ids) -> str:
    """Let the holder of a token set a new password for the user, within the transaction `db`; the token, told once.

    Earlier permissions stay. Otherwise whoever knows the address could make each link worthless before its owner opens
    it, by asking again.
    """
    now = clock.now_ms()
    token = mint_token(ids, RESET_PREFIX)
    reset = PasswordReset(token_hash=hash_secret(token), user_id=user_id, expires_at_ms=now + LIFE_MS)
    await repository.add_reset(db, reset, now)
    return token


async def permit_reset_of(db: Session, email: str, clock: Clock, ids: Ids) -> tuple[User, str] | None:
    """As `permit_reset`, for the user with this lower-case address; None when there is none.

    The same is done without one, with somebody's permission that nobody gets and that is gone again: a write that has
    to wait for this one must not learn from the time whether the address has an account.
    """
    user, somebody = await repository.find_user_by_email(db, email), await repository.some_user(db)
    if somebody is None:
        return None
    token = await permit_reset(db, (user or somebody).id, clock, ids)
    await repository.delete_reset(db, hash_secret("" if user else token))
    return None if user is None else (user, token)


async def user_of_reset(db: Session, token: str, clock: Clock) -> User:
    """Whose password the token may set.

    Raises:
        ValidationFailed: it is unknown, used or too old; nobody learns which.
    """
    user = await repository.find_reset(db, hash_secret(token), clock.now_ms())
    if user is None:
        raise ValidationFailed.at(["token"], "is unknown, used, or older than an hour")
    return user


async def unchanged(db: Session, checked: User, refusal: str) -> User:
    """The user as he stands within the transaction `db`, if the password that was checked before is still his.

    Checking and hashing take tens of milliseconds outside of any transaction. A change meanwhile has ended whatever was
    opened with the old password, so nothing may be opened with it after that.

    Raises:
        Unauthorized: he has another password by now, or is gone; `refusal` says it.
    """
    user = await repository.find_user(db, checked.id)
    if user is None or user.password_hash != checked.password_hash:
        raise Unauthorized(refusal)
    return user


async def refuse_guessable_for(db: Session, user: User, password: str, at: str) -> None:
    """Refuse a new password of a user, in the field `at`, that is easily guessed.

    Raises:
        ValidationFailed: it is one that many people have, or is made of his address or a name.
    """
    workspaces = await repository.list_memberships(db, user.id)
    refuse_guessable(password, (user.email, user.name, *(workspace.name for workspace, _ in workspaces)), at)


async def set_password(db: Session, user_id: str, password_hash: str) -> None:
    """Give the user a new password; whatever was opened with the old one ends: sessions, and permissions to reset."""
    await repository.store_password(db, user_id, password_hash)
    await repository.delete_sessions(db, user_id)
    await repository.delete_resets(db, user_id)
