"""Whose a token is and what it allows, and the one answer to all that are none."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from tallyroom.auth.principals import MemberPrincipal, TokenGrant, TokenScope
from tallyroom.auth.roles import Role
from tallyroom.auth.secrets import mint_personal_token, mint_session_token
from tallyroom.auth.tokens.cache import PersonalTokenCache, TokenRefused, grant_of
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Membership, PersonalToken, Workspace

READ, WRITE = TokenScope.READ, TokenScope.WRITE


def bearer(secret: str) -> bytes:
    return f"Bearer {secret}".encode()


async def test_a_token_tells_its_maker_and_what_it_allows(
    personal_tokens: PersonalTokenCache, mint_personal: Any
) -> None:
    token_id, secret = await mint_personal("admin", "read write", "development", 4_000_000_000_000)
    grant = TokenGrant(token_id, frozenset({READ, WRITE}), "development", 4_000_000_000_000, Role.ADMIN)
    found = await personal_tokens.authenticate(bearer(secret))
    assert found == MemberPrincipal("admin", "acme", Role.DEVELOPER, "paid", b"", grant)
    assert (found.environment, grant_of(found)) == ("development", grant)


@pytest.mark.parametrize(
    ("maker", "scopes", "role"),
    [
        ("viewer", "read write", Role.VIEWER),
        ("developer", "read write", Role.DEVELOPER),
        ("developer", "read annotate export", Role.VIEWER),
        ("owner", "write", Role.DEVELOPER),
        ("owner", "read", Role.VIEWER),
    ],
)
async def test_the_role_is_the_lesser_of_scopes_and_maker(
    personal_tokens: PersonalTokenCache, mint_personal: Any, maker: str, scopes: str, role: Role
) -> None:
    found = await personal_tokens.authenticate(bearer((await mint_personal(maker, scopes))[1]))
    assert (found.role, grant_of(found).maker_role) == (role, Role(maker))


async def test_every_refusal_is_the_same(
    personal_tokens: PersonalTokenCache, database: Database, mint: Any, mint_personal: Any, fake_clock: Any
) -> None:
    _, good = await mint_personal()
    revoked_id, revoked = await mint_personal()
    _, expired = await mint_personal(expires_at_ms=fake_clock.now_ms())
    _, of_nobody = await mint_personal("viewer")
    async with database.session(write=True) as db:
        await db.execute(update(PersonalToken).where(PersonalToken.id == revoked_id).values(revoked_at_ms=1))
        await db.execute(delete(Membership).where(Membership.user_id == "viewer"))
    id_generator = IdGenerator()
    texts = [
        revoked,
        expired,
        of_nobody,
        mint_personal_token(id_generator),
        mint_session_token(id_generator),
        (await mint())[1],
    ]
    headers = [None, b"", b"Bearer ", b"Bearer", good.encode(), bearer(good)[:-1], bearer(good) + b"0"]
    messages = set()
    for header in [*headers, *map(bearer, texts), b"Basic " + good.encode(), bearer(good) + b"\xff"]:
        with pytest.raises(TokenRefused) as refusal:
            await personal_tokens.authenticate(header)
        messages.add((refusal.value.status, refusal.value.message))
    assert len(messages) == 1


async def test_what_changes_holds_for_the_next_request(
    personal_tokens: PersonalTokenCache, database: Database, mint_personal: Any
) -> None:
    token_id, secret = await mint_personal(scopes="read write")
    demote = update(Membership).where(Membership.user_id == "owner").values(role="viewer")
    for statement, expected in (
        (update(Workspace).values(plan="free"), (Role.DEVELOPER, "free")),
        (demote, (Role.VIEWER, "free")),
    ):
        await personal_tokens.authenticate(bearer(secret))
        async with database.session(write=True) as db:
            await db.execute(statement)
        await asyncio.sleep(0)
        found = await personal_tokens.authenticate(bearer(secret))
        assert (found.role, found.plan) == expected
    async with database.session(write=True) as db:
        await db.execute(update(PersonalToken).where(PersonalToken.id == token_id).values(revoked_at_ms=1))
    await asyncio.sleep(0)
    with pytest.raises(TokenRefused):
        await personal_tokens.authenticate(bearer(secret))


async def test_a_cached_token_expires_on_the_millisecond(
    personal_tokens: PersonalTokenCache, mint_personal: Any, fake_clock: Any
) -> None:
    _, secret = await mint_personal(expires_at_ms=fake_clock.now_ms() + 2000)
    found = await personal_tokens.authenticate(bearer(secret))
    fake_clock.advance(1.999)
    assert personal_tokens.get_cached(bearer(secret)) == found
    assert await personal_tokens.is_still_valid(found)
    fake_clock.advance(0.001)
    assert personal_tokens.get_cached(bearer(secret)) is None
    assert not await personal_tokens.is_still_valid(found)
    with pytest.raises(TokenRefused):
        await personal_tokens.authenticate(bearer(secret))


async def test_the_last_use_is_the_last_that_was_let_in(
    personal_tokens: PersonalTokenCache, database: Database, mint_personal: Any, fake_clock: Any
) -> None:
    last = fake_clock.now_ms() + 1000
    _, secret = await mint_personal(expires_at_ms=last + 1)
    await personal_tokens.authenticate(bearer(secret))
    fake_clock.advance(1)
    await personal_tokens.authenticate(bearer(secret))
    fake_clock.advance(1)
    with pytest.raises(TokenRefused):
        await personal_tokens.authenticate(bearer(secret))
    await personal_tokens.flush_last_used()
    async with database.session(write=False) as db:
        assert list(await db.scalars(select(PersonalToken.last_used_at_ms))) == [last]


async def test_a_stream_stands_until_its_token_ends(
    personal_tokens: PersonalTokenCache, database: Database, mint_personal: Any
) -> None:
    token_id, secret = await mint_personal("viewer")
    _, other = await mint_personal("developer")
    found, stays = [await personal_tokens.authenticate(bearer(each)) for each in (secret, other)]
    assert await personal_tokens.is_still_valid(found)
    async with database.session(write=True) as db:
        await db.execute(update(PersonalToken).where(PersonalToken.id == token_id).values(revoked_at_ms=1))
    assert not await personal_tokens.is_still_valid(found)
    assert await personal_tokens.is_still_valid(stays)
    async with database.session(write=True) as db:
        await db.execute(delete(Membership).where(Membership.user_id == "developer"))
    assert not await personal_tokens.is_still_valid(stays)


async def test_a_session_is_no_token(owner: MemberPrincipal) -> None:
    with pytest.raises(TypeError):
        grant_of(owner)
    assert owner.environment is None
