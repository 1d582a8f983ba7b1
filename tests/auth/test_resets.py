"""A permission opens once, for an hour, and a new password ends what the old one began."""

from typing import Any

import pytest
from sqlalchemy import func, select

from tallyroom.auth.resets import (
    RESET_LIFETIME_MS,
    create_reset_token,
    look_up_reset_user,
    refuse_invalid_reset,
    set_password_ending_sessions,
)
from tallyroom.auth.secrets import hash_secret
from tallyroom.auth.sessions import SessionStore
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import PasswordReset, User


async def permit(database: Database, clock: Any, user_id: str = "viewer") -> str:
    async with database.session(write=True) as db:
        return await create_reset_token(db, user_id, clock, IdGenerator(clock))


async def user_of(database: Database, clock: Any, token: str) -> str | None:
    """The user whose password the token sets; the check within a transaction has to agree."""
    async with database.session(write=False) as db:
        try:
            user = await look_up_reset_user(database, token, clock)
        except ValidationFailed:
            with pytest.raises(ValidationFailed):
                await refuse_invalid_reset(db, token, clock)
            return None
        await refuse_invalid_reset(db, token, clock)
        return user.id


async def stored(database: Database) -> int:
    async with database.session(write=False) as db:
        return await db.scalar(select(func.count()).select_from(PasswordReset)) or 0


async def test_a_permission_is_of_one_user_and_hashed(database: Database, fake_clock: Any) -> None:
    token = await permit(database, fake_clock)
    assert token.startswith("trr_")
    assert await user_of(database, fake_clock, token) == "viewer"
    async with database.session(write=False) as db:
        assert await db.scalar(select(PasswordReset.token_hash)) == hash_secret(token)


async def test_a_permission_ends_after_an_hour(database: Database, fake_clock: Any) -> None:
    token = await permit(database, fake_clock)
    fake_clock.advance(RESET_LIFETIME_MS / 1000 - 1)
    assert await user_of(database, fake_clock, token) == "viewer"
    fake_clock.advance(1)
    assert await user_of(database, fake_clock, token) is None
    assert RESET_LIFETIME_MS == 3600 * 1000


@pytest.mark.parametrize("token", ["", "trr_", "trr_" + "x" * 43, "x" * 256])
async def test_noise_permits_nothing(database: Database, fake_clock: Any, token: str) -> None:
    await permit(database, fake_clock)
    assert await user_of(database, fake_clock, token) is None


async def test_another_permission_leaves_the_first(database: Database, fake_clock: Any) -> None:
    first, second = await permit(database, fake_clock), await permit(database, fake_clock)
    assert [await user_of(database, fake_clock, token) for token in (first, second)] == ["viewer", "viewer"]


async def test_old_permissions_are_swept(database: Database, fake_clock: Any) -> None:
    await permit(database, fake_clock, "owner")
    fake_clock.advance(3600)
    await permit(database, fake_clock)
    assert await stored(database) == 1


async def test_a_new_password_ends_everything_of_its_user_and_nothing_else(
    database: Database, sessions: SessionStore, fake_clock: Any
) -> None:
    mine, theirs = await permit(database, fake_clock), await permit(database, fake_clock, "owner")
    async with database.session(write=True) as db:
        tokens = [await sessions.create(db, user, "acme") for user in ("viewer", "viewer", "owner")]
    async with database.session(write=True) as db:
        await set_password_ending_sessions(db, "viewer", "another hash")
    assert [await sessions.resolve_token(token) is None for token in tokens] == [True, True, False]
    assert [await user_of(database, fake_clock, token) for token in (mine, theirs)] == [None, "owner"]
    async with database.session(write=False) as db:
        hashes = {user.id: user.password_hash for user in await db.scalars(select(User))}
    assert (hashes["viewer"], hashes["owner"]) == ("another hash", "")
