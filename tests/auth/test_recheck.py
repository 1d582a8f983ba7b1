"""What a guard found is asked once more within the transaction."""

from itertools import product
from typing import Any

import pytest
from sqlalchemy import delete, update

from harness.suite.few import few
from tallyroom.auth.granting import find_granting_role
from tallyroom.auth.principals import MemberPrincipal, StatsPrincipal, StatsScope
from tallyroom.auth.recheck import recheck_role, refuse_revoked_stats_token
from tallyroom.auth.roles import Role
from tallyroom.auth.stats_tokens import StatsRefused, StatsTokenCache
from tallyroom.auth.tokens.cache import PersonalTokenCache, TokenRefused
from tallyroom.core.errors import Forbidden, Unauthorized
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Membership, PersonalToken, SignIn, StatsToken


@few(5, ("role", "least"), product(Role, Role))
async def test_the_role_of_this_moment_counts(
    database: Database, owner: MemberPrincipal, fake_clock: Any, role: Role, least: Role
) -> None:
    async with database.session(write=True) as db:
        await db.execute(update(Membership).where(Membership.user_id == "owner").values(role=role))
        if list(Role).index(role) >= list(Role).index(least):
            assert await recheck_role(db, owner, fake_clock, least) is role
        else:
            with pytest.raises(Forbidden):
                await recheck_role(db, owner, fake_clock, least)


@pytest.mark.parametrize("gone", [Membership, SignIn])
async def test_who_was_removed_or_signed_out_meanwhile_is_nobody(
    database: Database, owner: MemberPrincipal, fake_clock: Any, gone: type[Membership | SignIn]
) -> None:
    async with database.session(write=True) as db:
        await db.execute(delete(gone).where(gone.user_id == "owner"))
        with pytest.raises(Unauthorized):
            await recheck_role(db, owner, fake_clock)


async def test_a_session_that_moved_on_still_acts_where_its_request_began(
    database: Database, owner: MemberPrincipal, fake_clock: Any
) -> None:
    async with database.session(write=True) as db:
        db.add(Membership(user_id="owner", workspace_id="other", role="viewer", joined_at_ms=1))
        await db.flush()
        await db.execute(update(SignIn).values(workspace_id="other"))
        assert await recheck_role(db, owner, fake_clock) is Role.OWNER


async def test_a_token_that_was_revoked_meanwhile_feeds_nothing(
    database: Database, stats_tokens: StatsTokenCache, mint_stats: Any
) -> None:
    token_id, secret = await mint_stats("write")
    principal = await stats_tokens.authenticate(secret.encode())
    async with database.session(write=True) as db:
        await refuse_revoked_stats_token(db, principal)
        (await db.get_one(StatsToken, token_id)).revoked_at_ms = 1
        await db.flush()
        with pytest.raises(StatsRefused):
            await refuse_revoked_stats_token(db, principal)
        await refuse_revoked_stats_token(db, StatsPrincipal("", "acme", StatsScope.BOT, "1" * 17))


@pytest.mark.parametrize("role", list(Role))
async def test_a_token_has_the_role_that_its_maker_has_at_this_moment(
    database: Database, personal_tokens: PersonalTokenCache, mint_personal: Any, fake_clock: Any, role: Role
) -> None:
    principal = await personal_tokens.authenticate(bearer((await mint_personal(scopes="write"))[1]))
    async with database.session(write=True) as db:
        await db.execute(update(Membership).where(Membership.user_id == "owner").values(role=role))
        assert await recheck_role(db, principal, fake_clock) is role
        if role is Role.VIEWER:
            with pytest.raises(Forbidden):
                await recheck_role(db, principal, fake_clock, Role.DEVELOPER)


@pytest.mark.parametrize("loss", ["revoked", "deleted", "maker gone", "expired"])
async def test_a_token_that_ended_meanwhile_does_nothing(
    database: Database, personal_tokens: PersonalTokenCache, mint_personal: Any, fake_clock: Any, loss: str
) -> None:
    end = fake_clock.now_ms() + 1000
    principal = await personal_tokens.authenticate(bearer((await mint_personal(expires_at_ms=end))[1]))
    async with database.session(write=True) as db:
        await recheck_role(db, principal, fake_clock)
        if loss == "revoked":
            await db.execute(update(PersonalToken).values(revoked_at_ms=1))
        elif loss == "deleted":
            await db.execute(delete(PersonalToken))
        elif loss == "maker gone":
            await db.execute(delete(Membership).where(Membership.user_id == "owner"))
        else:
            fake_clock.advance(1)
        with pytest.raises(TokenRefused):
            await recheck_role(db, principal, fake_clock)


async def test_a_token_grants_no_roles(
    database: Database, personal_tokens: PersonalTokenCache, mint_personal: Any
) -> None:
    principal = await personal_tokens.authenticate(bearer((await mint_personal(scopes="write"))[1]))
    async with database.session(write=True) as db:
        with pytest.raises(Unauthorized):
            await find_granting_role(db, principal)


def bearer(secret: str) -> bytes:
    return f"Bearer {secret}".encode()
