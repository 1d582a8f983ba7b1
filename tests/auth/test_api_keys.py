"""The key ring: right at every moment, fast, and bounded."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from tallyroom.auth import repository, ring
from tallyroom.auth.api_keys import KeyRefused, KeyRing
from tallyroom.auth.secrets import mint_key, mint_session_token
from tallyroom.auth.tenant import KeyPrincipal
from tallyroom.core.ids import Ids
from tallyroom.db.connection import Database
from tallyroom.db.models import ApiKey, Workspace


def bearer(secret: str) -> bytes:
    return f"Bearer {secret}".encode()


async def revoke(database: Database, key_id: str) -> None:
    async with database.session(write=True) as db:
        await db.execute(update(ApiKey).where(ApiKey.id == key_id).values(revoked_at_ms=1))


async def test_a_key_decides_workspace_and_environment(keyring: KeyRing, mint: Any) -> None:
    key_id, secret = await mint("development")
    assert await keyring.authenticate(bearer(secret)) == KeyPrincipal(key_id, "acme", "development", "paid")


async def test_the_scheme_ignores_case(keyring: KeyRing, mint: Any) -> None:
    _, secret = await mint()
    assert (await keyring.authenticate(f"bearer {secret}".encode())).workspace_id == "acme"


async def test_every_refusal_is_the_same(keyring: KeyRing, database: Database, mint: Any) -> None:
    key_id, revoked = await mint()
    await revoke(database, key_id)
    valid = (await mint())[1]
    headers = [
        None,
        b"",
        b"Bearer",
        b"Bearer ",
        b"Bearer  " + valid.encode(),
        b"Basic " + valid.encode(),
        valid.encode(),
        bearer(valid) + b" ",
        bearer(valid[:-1]),
        bearer("tr_live_\xe9"),
        b"Bearer \xff\xfe",
        b"Bearer " + b"x" * 1_000_000,
        bearer(mint_key(Ids(), "production")),
        bearer(mint_session_token(Ids())),
        bearer(revoked),
    ]
    answers = set()
    for header in headers:
        with pytest.raises(KeyRefused) as refused:
            await keyring.authenticate(header)
        answers.add((refused.value.status, refused.value.slug, refused.value.message, str(refused.value.headers)))
    assert len(answers) == 1


async def test_whose_key_was_refused_is_known_for_a_revoked_one(
    keyring: KeyRing, database: Database, mint: Any
) -> None:
    key_id, secret = await mint()
    await revoke(database, key_id)
    with pytest.raises(KeyRefused) as refused:
        await keyring.authenticate(bearer(secret))
    assert refused.value.workspace_id == "acme"
    with pytest.raises(KeyRefused) as refused:
        await keyring.authenticate(bearer(mint_key(Ids(), "production")))
    assert refused.value.workspace_id is None


async def test_a_revocation_holds_for_the_next_request(keyring: KeyRing, database: Database, mint: Any) -> None:
    for _ in range(20):
        key_id, secret = await mint()
        await keyring.authenticate(bearer(secret))
        await revoke(database, key_id)
        with pytest.raises(KeyRefused):
            await keyring.authenticate(bearer(secret))


async def test_a_revocation_by_another_opening_of_the_file_holds(keyring: KeyRing, path: Path, mint: Any) -> None:
    key_id, secret = await mint()
    await keyring.authenticate(bearer(secret))
    other = Database(path)
    await revoke(other, key_id)
    await other.close()
    with pytest.raises(KeyRefused):
        await keyring.authenticate(bearer(secret))


async def test_a_change_of_plan_by_the_command_line_holds(keyring: KeyRing, path: Path, mint: Any) -> None:
    _, secret = await mint()
    assert (await keyring.authenticate(bearer(secret))).plan == "paid"
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE workspaces SET plan = 'free' WHERE id = 'acme'")
        other.commit()
    await asyncio.sleep(0)  # a later request is a later turn of the event loop
    assert (await keyring.authenticate(bearer(secret))).plan == "free"


async def test_a_revocation_during_the_look_up_is_not_missed(
    keyring: KeyRing, path: Path, mint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = await mint()
    find_key = repository.find_key

    def find_then_revoke(*args: Any) -> Any:
        found = find_key(*args)
        with closing(sqlite3.connect(path)) as other:
            other.execute("UPDATE api_keys SET revoked_at_ms = 1")
            other.commit()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(repository, "find_key", find_then_revoke)
        await keyring.authenticate(bearer(secret))  # it began before the revocation
    await asyncio.sleep(0)
    with pytest.raises(KeyRefused):
        await keyring.authenticate(bearer(secret))


async def test_a_known_key_is_not_looked_up_again(keyring: KeyRing, mint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, secret = await mint()
    first = await keyring.authenticate(bearer(secret))
    monkeypatch.setattr(repository, "find_key", None)
    assert await keyring.authenticate(bearer(secret)) is first


async def test_the_version_is_asked_once_in_a_turn_of_the_event_loop(
    keyring: KeyRing, database: Database, mint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, secret = await mint()
    asked = 0
    version = database.version

    def count() -> int:
        nonlocal asked
        asked += 1
        return version()

    monkeypatch.setattr(database, "version", count)
    for turn in range(1, 4):
        await asyncio.sleep(0)
        for _ in range(5):
            await keyring.authenticate(bearer(secret))
        assert asked == turn


async def test_unknown_keys_take_no_memory(keyring: KeyRing) -> None:
    for _ in range(50):
        with pytest.raises(KeyRefused):
            await keyring.authenticate(bearer(mint_key(Ids(), "production")))
    assert not keyring._known
    assert not keyring._last_used


async def test_the_cache_is_bounded(keyring: KeyRing, mint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ring, "_MOST_KNOWN", 3)
    secrets = [(await mint())[1] for _ in range(5)]
    for secret in secrets:
        await keyring.authenticate(bearer(secret))
        assert len(keyring._known) <= 3


async def test_the_last_use_is_written_by_the_flush(
    keyring: KeyRing, database: Database, fake_clock: Any, mint: Any
) -> None:
    key_id, secret = await mint()
    await mint()
    await keyring.authenticate(bearer(secret))
    fake_clock.advance(5)
    await keyring.authenticate(bearer(secret))
    await keyring.flush_last_used()
    async with database.session(write=False) as db:
        used = dict((await db.execute(select(ApiKey.id, ApiKey.last_used_at_ms))).all())
    assert used.pop(key_id) == fake_clock.now_ms()
    assert list(used.values()) == [None]


async def test_a_flush_without_news_writes_nothing(keyring: KeyRing, database: Database) -> None:
    before = database.version()
    await keyring.flush_last_used()
    assert database.version() == before


async def test_a_flush_that_fails_is_made_up_for(keyring: KeyRing, mint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, secret = await mint()
    await keyring.authenticate(bearer(secret))
    with monkeypatch.context() as patch:
        patch.setattr(repository, "store_last_used", None)
        with pytest.raises(TypeError):
            await keyring.flush_last_used()
    assert len(keyring._last_used) == 1
    await keyring.flush_last_used()
    assert not keyring._last_used


async def test_a_flush_survives_a_key_that_is_gone(keyring: KeyRing, database: Database, mint: Any) -> None:
    key_id, secret = await mint()
    _, kept = await mint()
    await keyring.authenticate(bearer(secret))
    await keyring.authenticate(bearer(kept))
    async with database.session(write=True) as db:
        await db.delete(await db.get_one(ApiKey, key_id))
    await keyring.flush_last_used()
    async with database.session(write=False) as db:
        assert (await db.scalars(select(ApiKey.last_used_at_ms))).one() is not None
        assert await db.get(Workspace, "acme") is not None


async def test_a_key_is_remembered_until_the_database_changes(keyring: KeyRing, database: Database, mint: Any) -> None:
    key_id, secret = await mint()
    assert keyring.remembered(bearer(secret)) is None
    principal = await keyring.authenticate(bearer(secret))
    assert keyring.remembered(bearer(secret)) == principal
    await revoke(database, key_id)
    await asyncio.sleep(0)  # the next turn of the loop
    assert keyring.remembered(bearer(secret)) is None
