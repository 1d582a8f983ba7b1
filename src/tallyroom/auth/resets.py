"""New passwords, and mailed permissions to set one, each valid once and for an hour (rules/people#new-passwords)."""

from tallyroom.auth import repository
from tallyroom.auth.look_ups import find_reset_user
from tallyroom.auth.password_blocklist import refuse_guessable
from tallyroom.auth.places.repository import delete_places
from tallyroom.auth.prepared_password import PreparedPassword
from tallyroom.auth.secrets import RESET_PREFIX, hash_secret, mint_token
from tallyroom.auth.tokens.repository import revoke_user_tokens
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unauthorized, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import PasswordReset, User

RESET_LIFETIME_MS = 60 * 60 * 1000

_INVALID_RESET = "is unknown, used, or older than an hour"


async def create_reset_token(db: Session, user_id: str, clock: Clock, id_generator: IdGenerator) -> str:
    """Return a token with which its holder may set the user's password; it is stored only as a hash.

    Earlier tokens remain valid: otherwise anyone who knows the address could keep invalidating them.
    """
    now_ms = clock.now_ms()
    token = mint_token(id_generator, RESET_PREFIX)
    reset = PasswordReset(token_hash=hash_secret(token), user_id=user_id, expires_at_ms=now_ms + RESET_LIFETIME_MS)
    await repository.add_reset(db, reset, now_ms)
    return token


async def look_up_reset_user(database: Database, token: str, clock: Clock) -> User:
    """Return the user whose password the token may set, as a detached object; raises `ValidationFailed`."""
    user = await find_reset_user(database, hash_secret(token), clock.now_ms())
    if user is None:
        raise ValidationFailed.at(["token"], _INVALID_RESET)
    return user


async def refuse_invalid_reset(db: Session, token: str, clock: Clock) -> None:
    """Raise `ValidationFailed` if the token was used or has expired, within the transaction `db`."""
    if not await repository.is_reset_valid(db, hash_secret(token), clock.now_ms()):
        raise ValidationFailed.at(["token"], _INVALID_RESET)


async def reload_if_same_password(db: Session, user: User, message: str) -> User:
    """Return the current user; raises `Unauthorized` with `message` if the password changed since it was checked."""
    current_user = await repository.find_user(db, user.id)
    if current_user is None or current_user.password_hash != user.password_hash:
        raise Unauthorized(message)
    return current_user


async def refuse_guessable_for(db: Session, user: User, password: PreparedPassword, field_name: str) -> None:
    """Raise `ValidationFailed` for the field `field_name` if a user's new password in it is easy to guess."""
    workspaces_and_roles = await repository.list_workspaces_and_roles(db, user.id)
    refuse_guessable(
        password, (user.email, user.name, *(workspace.name for workspace, _ in workspaces_and_roles)), field_name
    )


async def set_password_ending_sessions(db: Session, user_id: str, password_hash: str) -> None:
    """Set a new password for the user, and delete what the old one opened: sessions, reset tokens, familiar places."""
    await repository.store_password(db, user_id, password_hash)
    await repository.delete_sessions(db, user_id)
    await repository.delete_resets(db, user_id)
    await delete_places(db, user_id)


async def recover_account(db: Session, user_id: str, password_hash: str, clock: Clock) -> None:
    """Set a new password, and end all that the old one opened, also tokens that an intruder may have made."""
    await set_password_ending_sessions(db, user_id, password_hash)
    await revoke_user_tokens(db, user_id, clock.now_ms())
