"""Sessions end when they should, and know the role of this moment."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from harness.stores.metadata import opened
from harness.stores.metadata_edits import writing
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.auth.secrets import hash_secret, mint_key, mint_session_token
from tallyroom.auth.sessions import MAX_AGE_MS, MAX_IDLE_MS, SessionStore
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata import sqlite
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Membership, SignIn, Workspace


@pytest.fixture
async def token(sessions: SessionStore, database: Database) -> str:
    return await start(sessions, database)


async def start(sessions: SessionStore, database: Database) -> str:
    async with database.session(write=True) as db:
        return await sessions.create(db, "developer", "acme")


async def test_a_session_knows_who_and_where(sessions: SessionStore, token: str) -> None:
    assert await sessions.resolve_token(token) == MemberPrincipal(
        "developer", "acme", Role.DEVELOPER, "paid", hash_secret(token)
    )


NOISE = ["", "trs_", "x" * 10_000, mint_key(IdGenerator(), "production"), mint_session_token(IdGenerator())]


@pytest.mark.parametrize("noise", NOISE, ids=range(len(NOISE)))
async def test_noise_is_nobody(sessions: SessionStore, token: str, noise: str) -> None:
    assert await sessions.resolve_token(noise) is None


async def test_a_session_that_is_not_used_ends_after_twelve_hours(
    sessions: SessionStore, token: str, fake_clock: Any
) -> None:
    fake_clock.advance(MAX_IDLE_MS / 1000 - 1)
    assert await sessions.resolve_token(token) is not None
    fake_clock.advance(MAX_IDLE_MS / 1000)
    assert await sessions.resolve_token(token) is None


async def test_a_session_that_is_used_ends_after_fourteen_days(
    sessions: SessionStore, token: str, fake_clock: Any
) -> None:
    for _ in range(14 * 4 - 1):
        fake_clock.advance(6 * 3600)
        assert await sessions.resolve_token(token) is not None
    fake_clock.advance(6 * 3600 - 1)
    assert await sessions.resolve_token(token) is not None
    fake_clock.advance(1)
    assert await sessions.resolve_token(token) is None
    assert MAX_AGE_MS == 14 * 24 * 3600 * 1000


async def test_the_last_use_is_written_at_most_once_a_minute(
    sessions: SessionStore, database: Database, token: str, fake_clock: Any
) -> None:
    before = database.change_version("access")
    fake_clock.advance(59)
    await sessions.resolve_token(token)
    assert database.change_version("access") == before
    fake_clock.advance(1)
    await sessions.resolve_token(token)
    await sessions.resolve_token(token)
    async with database.session(write=False) as db:
        assert await db.scalar(select(SignIn.last_seen_at_ms)) == fake_clock.now_ms()


async def test_a_changed_role_and_plan_hold_at_once(sessions: SessionStore, database: Database, token: str) -> None:
    async with database.session(write=True) as db:
        await db.execute(update(Membership).where(Membership.user_id == "developer").values(role="viewer"))
        await db.execute(update(Workspace).values(plan="free"))
    principal = await sessions.resolve_token(token)
    assert principal is not None
    assert (principal.role, principal.plan) == (Role.VIEWER, "free")


async def test_a_removed_member_is_signed_out_at_once(sessions: SessionStore, database: Database, token: str) -> None:
    async with database.session(write=True) as db:
        await db.execute(delete(Membership).where(Membership.user_id == "developer"))
    assert await sessions.resolve_token(token) is None


async def test_a_session_holds_while_nothing_can_be_written(
    sessions: SessionStore, metadata: Path, token: str, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_clock.advance(60)
    monkeypatch.setattr(sqlite, "BUSY_MS", 50)
    impatient = opened(metadata)
    with writing(metadata.parent):
        assert await SessionStore(impatient, fake_clock, IdGenerator(fake_clock)).resolve_token(token) is not None
    await impatient.close()
    fake_clock.advance(MAX_IDLE_MS / 1000 - 60)
    assert await sessions.resolve_token(token) is None  # the use was not noted


async def test_an_ended_session_is_over(sessions: SessionStore, database: Database, token: str) -> None:
    other = await start(sessions, database)
    async with database.session(write=True) as db:
        await sessions.end(db, hash_secret(token))
        await sessions.end(db, hash_secret("unknown"))
    assert await sessions.resolve_token(token) is None
    assert await sessions.resolve_token(other) is not None


async def test_a_new_session_sweeps_the_dead_ones(
    sessions: SessionStore, database: Database, token: str, fake_clock: Any
) -> None:
    fake_clock.advance(MAX_IDLE_MS / 1000)
    await start(sessions, database)
    async with database.session(write=False) as db:
        assert await db.scalar(select(func.count()).select_from(SignIn)) == 1


async def test_a_session_stands_until_it_ends(sessions: SessionStore, database: Database, token: str) -> None:
    principal = await sessions.resolve_token(token)
    assert principal is not None
    assert await sessions.is_still_valid(principal)
    async with database.session(write=True) as db:
        await sessions.end(db, hash_secret(token))
        assert await sessions.is_still_valid(principal)  # nothing has happened yet
    assert not await sessions.is_still_valid(principal)


async def test_to_ask_whether_it_stands_is_not_to_use_it(
    sessions: SessionStore, database: Database, token: str, fake_clock: Any
) -> None:
    principal = await sessions.resolve_token(token)
    assert principal is not None
    fake_clock.advance(MAX_IDLE_MS / 1000 - 1)
    assert await sessions.is_still_valid(principal)
    fake_clock.advance(1)
    assert not await sessions.is_still_valid(principal)
