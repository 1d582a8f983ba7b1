"""Who a token is, and the one answer to all that are none. What keys do too: test_api_keys.py."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select, update

from tallyroom.auth import repository
from tallyroom.auth.principals import StatsPrincipal, StatsScope
from tallyroom.auth.secrets import mint_session_token, mint_stats_token
from tallyroom.auth.stats_tokens import StatsRefused, StatsTokenCache
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import StatsToken

BOT = "264811613708746752"


@pytest.mark.parametrize(
    ("scope", "bot_id"), [(StatsScope.READ, None), (StatsScope.WRITE, None), (StatsScope.BOT, BOT)]
)
async def test_a_token_tells_workspace_scope_and_bot(
    stats_tokens: StatsTokenCache, mint_stats: Any, scope: StatsScope, bot_id: str | None
) -> None:
    token_id, secret = await mint_stats(scope, bot_id)
    principal = await stats_tokens.authenticate(secret.encode())
    assert principal == StatsPrincipal(token_id, "acme", scope, bot_id)


@pytest.mark.parametrize("form", ["{}", "Bearer {}", "bearer {}", "BEARER {}"])
async def test_a_token_stands_alone_or_after_bearer(stats_tokens: StatsTokenCache, mint_stats: Any, form: str) -> None:
    token_id, secret = await mint_stats()
    assert (await stats_tokens.authenticate(form.format(secret).encode())).token_id == token_id


async def test_every_refusal_is_the_same(
    stats_tokens: StatsTokenCache, database: Database, mint: Any, mint_stats: Any
) -> None:
    _, key = await mint()
    _, good = await mint_stats()
    revoked_id, revoked = await mint_stats()
    async with database.session(write=True) as db:
        await db.execute(update(StatsToken).where(StatsToken.id == revoked_id).values(revoked_at_ms=1))
    headers = [
        None,
        b"",
        b"Bearer ",
        b"Bearer",
        revoked.encode(),
        f"Bearer {revoked}".encode(),
        mint_stats_token(IdGenerator()).encode(),
        mint_session_token(IdGenerator()).encode(),
        key.encode(),
        f"Bearer {key}".encode(),
        f"Basic {good}".encode(),
        f"Bearer  {good}".encode(),
        f"{good} ".encode(),
        f"{good}, {good}".encode(),
        good.upper().encode(),
        good[:-1].encode(),
        good.encode() + b"\xff",
        b"\xff" * 53,
        b"tr_stats_" * 10_000,
    ]
    refusals = set()
    for header in headers:
        with pytest.raises(StatsRefused) as refused:
            await stats_tokens.authenticate(header)
        refusals.add((refused.value.message, str(refused.value.headers)))
    assert len(refusals) == 1
    assert (await stats_tokens.authenticate(good.encode())).workspace_id == "acme"


async def test_a_revocation_holds_for_the_next_request(
    stats_tokens: StatsTokenCache, database: Database, mint_stats: Any
) -> None:
    token_id, secret = await mint_stats()
    await stats_tokens.authenticate(secret.encode())
    async with database.session(write=True) as db:
        (await db.get_one(StatsToken, token_id)).revoked_at_ms = 1
    await asyncio.sleep(0)  # the next request comes in a later turn of the event loop
    with pytest.raises(StatsRefused):
        await stats_tokens.authenticate(secret.encode())


async def test_a_known_token_is_not_looked_up_again(
    stats_tokens: StatsTokenCache, mint_stats: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = await mint_stats()
    first = await stats_tokens.authenticate(secret.encode())
    monkeypatch.setattr(repository, "find_stats_token", None)
    assert await stats_tokens.authenticate(secret.encode()) is first


async def test_the_last_use_is_written_by_the_flush(
    stats_tokens: StatsTokenCache, database: Database, fake_clock: Any, mint_stats: Any
) -> None:
    token_id, secret = await mint_stats()
    await mint_stats()
    await stats_tokens.authenticate(secret.encode())
    fake_clock.advance(5)
    await stats_tokens.authenticate(secret.encode())
    await stats_tokens.flush_last_used()
    async with database.session(write=False) as db:
        used = dict((await db.execute(select(StatsToken.id, StatsToken.last_used_at_ms))).all())
    assert used.pop(token_id) == fake_clock.now_ms()
    assert list(used.values()) == [None]
